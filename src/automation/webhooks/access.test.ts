import { afterAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { testForge } from '../../../test/harness.ts'
import { hook } from './hook.fixture.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
for (const name of ['stranger', 'reader', 'writer', 'admin1']) await forge.person(name)
await forge.person('root1', { isAdmin: true })
createOrg(context, ada.row, { username: 'acme' })
for (const [name, more] of Object.entries({ engine: {}, secret: { private: true } })) {
  await forge.asUser('ada').post('/user/repos', { name, ...more })
  for (const [person, permission] of Object.entries({ reader: 'read', writer: 'write', admin1: 'admin' })) {
    await forge.asUser('ada').put(`/repos/ada/${name}/collaborators/${person}`, { permission })
  }
}
await forge.asUser('root1').post('/admin/users/acme/repos', { name: 'anvil' })

const create = (path: string, as = 'ada') => forge.asUser(as).post(path, hook())
const rows = () => db.all('SELECT * FROM webhook ORDER BY id')

/** anonymous, stranger, reader, writer, admin, owner, site administrator. */
const roles = [undefined, 'stranger', 'reader', 'writer', 'admin1', 'ada', 'root1']
const id = (await create('/repos/ada/engine/hooks')).body.id as number
const secretId = (await create('/repos/ada/secret/hooks')).body.id as number
const orgId = (await create('/orgs/acme/hooks')).body.id as number
const siteId = (await create('/admin/hooks', 'root1')).body.id as number
const matrix: [line: string, statuses: number[]][] = [
  ['GET /repos/ada/engine/hooks', [401, 403, 403, 403, 200, 200, 200]],
  ['POST /repos/ada/engine/hooks', [401, 403, 403, 403, 422, 422, 422]],
  [`GET /repos/ada/engine/hooks/${id}`, [401, 403, 403, 403, 200, 200, 200]],
  [`PATCH /repos/ada/engine/hooks/${id}`, [401, 403, 403, 403, 422, 422, 422]],
  ['DELETE /repos/ada/engine/hooks/999', [401, 403, 403, 403, 404, 404, 404]],
  [`POST /repos/ada/engine/hooks/${id}/tests`, [401, 403, 403, 403, 204, 204, 204]],
  ['GET /repos/ada/secret/hooks', [404, 404, 403, 403, 200, 200, 200]],
  [`GET /repos/ada/secret/hooks/${secretId}`, [404, 404, 403, 403, 200, 200, 200]],
  [`POST /repos/ada/secret/hooks/${secretId}/tests`, [404, 404, 403, 403, 204, 204, 204]],
  ['GET /repos/ada/none/hooks', [404, 404, 404, 404, 404, 404, 404]],
  ['GET /orgs/acme/hooks', [401, 403, 403, 403, 403, 200, 200]],
  ['POST /orgs/acme/hooks/', [401, 403, 403, 403, 403, 422, 422]],
  [`GET /orgs/acme/hooks/${orgId}`, [401, 403, 403, 403, 403, 200, 200]],
  [`PATCH /orgs/acme/hooks/${orgId}`, [401, 403, 403, 403, 403, 422, 422]],
  ['DELETE /orgs/acme/hooks/999', [401, 403, 403, 403, 403, 404, 404]],
  ['GET /orgs/ada/hooks', [404, 404, 404, 404, 404, 404, 404]],
  ['GET /user/hooks', [401, 200, 200, 200, 200, 200, 200]],
  [`GET /user/hooks/${id}`, [401, 404, 404, 404, 404, 404, 404]],
  ['GET /admin/hooks', [401, 403, 403, 403, 403, 403, 200]],
  ['POST /admin/hooks', [401, 403, 403, 403, 403, 403, 422]],
  [`GET /admin/hooks/${siteId}`, [401, 403, 403, 403, 403, 403, 200]],
  ['DELETE /admin/hooks/999', [401, 403, 403, 403, 403, 403, 404]],
]

test.each(matrix)('%s', async (line, statuses) => {
  const before = rows()
  const body = /^(POST (?!.*\/tests)|PATCH)/.test(line) ? { branch_filter: '[', type: 'gitea', config: {} } : undefined
  const found = []
  for (const as of roles) found.push((await forge.asUser(as).send(line, { body })).status)
  expect(found).toEqual(statuses)
  expect(rows()).toEqual(before)
})

const scopes: [line: string, needed: string, other: string, as: string][] = [
  ['/repos/ada/engine/hooks', 'repository', 'organization', 'ada'],
  ['/orgs/acme/hooks', 'organization', 'repository', 'ada'],
  ['/user/hooks', 'user', 'repository', 'ada'],
  ['/admin/hooks', 'admin', 'repository', 'root1'],
]

test.each(scopes)('%s needs a token for %s', async (path, needed, other, as) => {
  const status = async (method: string, scope: string) =>
    (await forge.asUser(forge.token(as, scope)).send(`${method} ${path}`, { body: method === 'POST' ? {} : undefined })).status
  expect([await status('GET', `write:${other}`), await status('GET', `read:${needed}`)]).toEqual([403, 200])
  expect([await status('POST', `read:${needed}`), await status('POST', `write:${needed}`)]).toEqual([403, 422])
})

test('a hook is reached through what it hangs on alone', async () => {
  const own = (await create('/user/hooks')).body.id as number
  const paths: [string, number][] = [
    ['/repos/ada/engine/hooks', id],
    ['/repos/ada/secret/hooks', secretId],
    ['/orgs/acme/hooks', orgId],
    ['/user/hooks', own],
    ['/admin/hooks', siteId],
  ]
  await forge.asUser('root1').post('/user/hooks', hook())
  const before = rows()
  for (const [path, mine] of paths) {
    for (const [, foreign] of paths.filter(([, one]) => one !== mine)) {
      const as = path === '/admin/hooks' ? 'root1' : 'ada'
      for (const method of ['GET', 'DELETE']) expect((await forge.asUser(as).send(`${method} ${path}/${foreign}`)).status).toBe(404)
      expect((await forge.asUser(as).patch(`${path}/${foreign}`, { active: true })).status).toBe(404)
    }
  }
  expect((await forge.asUser('ada').post(`/repos/ada/engine/hooks/${secretId}/tests`)).status).toBe(404)
  expect(rows()).toEqual(before)
})
