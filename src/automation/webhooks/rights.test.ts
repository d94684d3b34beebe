import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { hook } from './hook.fixture.ts'

/** CVE-2026-58440: a hook outlives no right of who answers for it. */

interface Story {
  forge: TestForge
  /** Asks as the site's administrator, who sees everything. */
  root: (line: string, body?: unknown) => Promise<{ status: number; body: Record<string, unknown> }>
  team: number
}

/** bob administers acme/anvil by a team, and ada/engine as a collaborator; acme is ada's. */
async function story(): Promise<Story> {
  const forge = testForge()
  const { row } = await forge.person('ada')
  for (const name of ['bob', 'carol']) await forge.person(name)
  await forge.person('root1', { isAdmin: true })
  createOrg(forge.context, row, { username: 'acme' })
  const root: Story['root'] = (line, body) => forge.asUser('root1').send(line, { body })
  await root('POST /admin/users/acme/repos', { name: 'anvil' })
  await root('POST /admin/users/ada/repos', { name: 'engine' })
  await root('PUT /repos/ada/engine/collaborators/bob', { permission: 'admin' })
  const team = (await root('POST /orgs/acme/teams', { name: 'smiths', permission: 'admin' })).body.id as number
  await root(`PUT /teams/${team}/members/bob`)
  await root(`PUT /teams/${team}/repos/acme/anvil`)
  return { forge, root, team }
}

const ways: [name: string, path: string, lose: (story: Story) => Promise<{ status: number }>][] = [
  ['leaves the team', '/repos/acme/anvil', ({ root, team }) => root(`DELETE /teams/${team}/members/bob`)],
  [
    'is in a team that may only read from now on',
    '/repos/acme/anvil',
    ({ root, team }) => root(`PATCH /teams/${team}`, { permission: 'read', units: ['repo.code'] }),
  ],
  ['is in a team that loses the repository', '/repos/acme/anvil', ({ root, team }) => root(`DELETE /teams/${team}/repos/acme/anvil`)],
  ['was in a team that is deleted', '/repos/acme/anvil', ({ root, team }) => root(`DELETE /teams/${team}`)],
  ['is dismissed from the organization', '/repos/acme/anvil', ({ root }) => root('DELETE /orgs/acme/members/bob')],
  ['is a collaborator no more', '/repos/ada/engine', ({ root }) => root('DELETE /repos/ada/engine/collaborators/bob')],
  ['is a collaborator who may only write', '/repos/ada/engine', ({ root }) => root('PUT /repos/ada/engine/collaborators/bob', { permission: 'write' })],
  ['is blocked by the owner', '/repos/ada/engine', ({ forge }) => forge.asUser('ada').put('/user/blocks/bob')],
  ['may not sign in', '/repos/ada/engine', ({ root }) => root('PATCH /admin/users/bob', { login_name: 'bob', source_id: 0, prohibit_login: true })],
  ['is not active', '/user', ({ root }) => root('PATCH /admin/users/bob', { login_name: 'bob', source_id: 0, active: false })],
  ['is deleted', '/repos/ada/engine', ({ root }) => root('DELETE /admin/users/bob?purge=true')],
  ['is deleted, having made a hook of an organization', '/orgs/acme', ({ root }) => root('DELETE /admin/users/bob?purge=true')],
  ['owns the organization no more', '/orgs/acme', ({ root }) => root('DELETE /orgs/acme/members/bob')],
  ['administers the site no more', '/admin', ({ root }) => root('PATCH /admin/users/bob', { login_name: 'bob', source_id: 0, admin: false })],
]

async function raise({ root }: Story, path: string): Promise<void> {
  if (path === '/admin') await root('PATCH /admin/users/bob', { login_name: 'bob', source_id: 0, admin: true })
  if (path !== '/orgs/acme') return
  const teams = (await root('GET /orgs/acme/teams')).body as unknown as { id: number; name: string }[]
  await root(`PUT /teams/${teams.find(({ name }) => name === 'Owners')?.id}/members/bob`)
}

test.each(ways)('who %s is told nothing any more', async (_, path, lose) => {
  const told = await story()
  await using forge = told.forge
  await raise(told, path)
  const made = await forge.asUser('bob').post(`${path}/hooks`, hook({ active: true }, { is_system_webhook: 'true' }))
  expect([made.status, made.body.active]).toEqual([201, true])
  const headers: Record<string, string> = path === '/user' ? { Sudo: 'bob' } : {}
  expect((await forge.asUser('root1').get(`${path}/hooks/${made.body.id}`, { headers })).body.active).toBe(true)
  expect((await lose(told)).status).toBeLessThan(300)
  expect((await forge.asUser('root1').get(`${path}/hooks/${made.body.id}`, { headers })).body.active).toBe(false)
  const list = (await forge.asUser('root1').get(`${path}/hooks`, { headers })).body as unknown as { id: number; active: boolean }[]
  expect(list).toMatchObject([{ id: made.body.id as number, active: false }])
})

let anvil: Story
beforeAll(async () => {
  anvil = await story()
})
afterAll(() => anvil.forge[Symbol.asyncDispose]())

test("a hook whose maker has gone stays off through others' edits, is not tried out, and is theirs once they switch it on", async () => {
  const { forge, root, team } = anvil
  const repo = (await root('GET /repos/acme/anvil')).body.id as number
  fillRepo(forge, repo, (directory) => gitIn(directory, 'commit', '-qm', 'first', '--allow-empty'))
  const path = `/repos/acme/anvil/hooks/${(await forge.asUser('bob').post('/repos/acme/anvil/hooks', hook({ active: true }))).body.id}`
  const tests = () => forge.context.events.after(0, 10_000).filter(({ event }) => event.type === 'hook_test').length
  const edit = async (body: object, as = 'ada') => (await forge.asUser(as).patch(path, body)).body.active
  expect((await root(`POST ${path}/tests`)).status).toBe(204)
  await root(`DELETE /teams/${team}/members/bob`)
  const refused = await root(`POST ${path}/tests`)
  expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('{"active": true}')])
  expect(tests()).toBe(1)
  expect(await edit({ name: 'ours' })).toBe(false)
  expect(await edit({ config: { url: 'https://ours.example.org/' } })).toBe(false)
  expect(await edit({ active: true })).toBe(true)
  expect((await root(`POST ${path}/tests`)).status).toBe(204)
  await root('DELETE /admin/users/bob?purge=true')
  expect((await root(`GET ${path}`)).body.active).toBe(true)
})

test('who says where a hook leads answers for it, whoever made it', async () => {
  const { forge, root } = anvil
  await root('PUT /repos/ada/engine/collaborators/carol', { permission: 'admin' })
  const path = `/repos/ada/engine/hooks/${(await forge.asUser('ada').post('/repos/ada/engine/hooks', hook({ active: true }))).body.id}`
  const edited = await forge.asUser('carol').patch(path, { config: { url: 'https://carol.example.org/' } })
  expect(edited.body.active).toBe(true)
  await root('DELETE /repos/ada/engine/collaborators/carol')
  expect((await root(`GET ${path}`)).body.active).toBe(false)
})

test('rights that come back bring the hook back', async () => {
  const { forge, root } = anvil
  await root('PUT /repos/ada/engine/collaborators/carol', { permission: 'admin' })
  const path = `/repos/ada/engine/hooks/${(await forge.asUser('carol').post('/repos/ada/engine/hooks', hook({ active: true }))).body.id}`
  await root('PUT /repos/ada/engine/collaborators/carol', { permission: 'read' })
  expect((await root(`GET ${path}`)).body.active).toBe(false)
  await root('PUT /repos/ada/engine/collaborators/carol', { permission: 'admin' })
  expect((await root(`GET ${path}`)).body.active).toBe(true)
})

test('copies of a model stop when its maker administers the site no more', async () => {
  const { forge, root } = anvil
  const admin = (value: boolean) => root('PATCH /admin/users/carol', { login_name: 'carol', source_id: 0, admin: value })
  await admin(true)
  await forge.asUser('carol').post('/admin/hooks', hook({ active: true }))
  const copies = async (name: string) => (await root(`GET /repos/ada/${name}/hooks`)).body as unknown as { active: boolean }[]
  await root('POST /admin/users/ada/repos', { name: 'before' })
  expect(await copies('before')).toMatchObject([{ active: true }])
  await admin(false)
  await root('POST /admin/users/ada/repos', { name: 'after' })
  expect([await copies('before'), await copies('after')]).toMatchObject([[{ active: false }], [{ active: false }]])
})

test('who switches a hook on needs to be allowed its target', async () => {
  await using open = testForge({ server: { HTTP_ADDR: '0.0.0.0' } })
  await open.person('ada')
  await open.person('boss', { isAdmin: true })
  await open.asUser('ada').post('/user/repos', { name: 'engine' })
  const own = hook({ active: true }, { url: 'http://localhost:3000/hook' })
  const path = `/repos/ada/engine/hooks/${(await open.asUser('boss').post('/repos/ada/engine/hooks', own)).body.id}`
  expect((await open.asUser('ada').patch(path, { name: 'ci', active: false })).body.active).toBe(false)
  expect((await open.asUser('ada').patch(path, { active: true })).status).toBe(422)
  expect((await open.asUser('boss').patch(path, { active: true })).body.active).toBe(true)
})
