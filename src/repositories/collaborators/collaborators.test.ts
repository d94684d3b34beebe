import { afterAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import type { UserRecord } from '#people/users/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const people = {
  anonymous: undefined,
  stranger: await forge.person('stranger'),
  reader: await forge.person('reader'),
  writer: await forge.person('writer'),
  admin: await forge.person('admin1'),
  owner: ada,
  root: await forge.person('root1', { isAdmin: true }),
}
type Role = keyof typeof people
const bob = await forge.person('bob')
await forge.person('hidden', { visibility: 'private' })
const gone = await forge.person('gone')
context.db.tx((tx) => tx.update('user', gone.row.id, { is_active: 0 }))
forge.repo(ada, 'engine')
const secret = forge.repo(ada, 'secret', { private: true })
createOrg(context, ada.row, { username: 'acme' })

const rows = () => db.all('SELECT repo_id, user_id, level FROM collaboration ORDER BY repo_id, user_id')
for (const repo of ['ada/engine', 'ada/secret']) {
  for (const [name, permission] of Object.entries({ reader: 'read', writer: 'write', admin1: 'admin' })) {
    expect((await forge.asUser(people.owner).put(`/repos/${repo}/collaborators/${name}`, { permission })).status).toBe(204)
  }
}

const roles: Role[] = ['anonymous', 'stranger', 'reader', 'writer', 'admin', 'owner', 'root']
/** What each role gets of the public repository, then of the private one. */
const matrix: [line: string, open: number[], closed: number[]][] = [
  ['GET /collaborators', [401, 200, 200, 200, 200, 200, 200], [404, 404, 200, 200, 200, 200, 200]],
  ['GET /collaborators/writer', [401, 204, 204, 204, 204, 204, 204], [404, 404, 204, 204, 204, 204, 204]],
  ['GET /collaborators/bob', [401, 404, 404, 404, 404, 404, 404], [404, 404, 404, 404, 404, 404, 404]],
  ['GET /collaborators/nobody', [401, 404, 404, 404, 404, 404, 404], [404, 404, 404, 404, 404, 404, 404]],
  ['PUT /collaborators/writer', [401, 403, 403, 403, 204, 204, 204], [404, 404, 403, 403, 204, 204, 204]],
  ['DELETE /collaborators/bob', [401, 403, 403, 403, 204, 204, 204], [404, 404, 403, 403, 204, 204, 204]],
  ['GET /collaborators/writer/permission', [401, 403, 403, 200, 200, 200, 200], [404, 404, 403, 200, 200, 200, 200]],
  ['GET /assignees', [401, 200, 200, 200, 200, 200, 200], [404, 404, 200, 200, 200, 200, 200]],
  ['GET /assignees/writer', [401, 204, 204, 204, 204, 204, 204], [404, 404, 204, 204, 204, 204, 204]],
  ['GET /reviewers', [401, 403, 200, 200, 200, 200, 200], [404, 404, 200, 200, 200, 200, 200]],
]

test.each(matrix)('%s', async (line, open, closed) => {
  const before = rows()
  const [method, path] = line.split(' ')
  for (const [repo, expected] of [
    ['engine', open],
    ['secret', closed],
  ] as const) {
    const statuses = []
    for (const role of roles)
      statuses.push((await forge.asUser(people[role]).send(`${method} /repos/ada/${repo}${path}`, { body: method === 'PUT' ? {} : undefined })).status)
    expect(statuses).toEqual(expected)
  }
  expect(rows()).toEqual(before)
})

test('a list has every collaborator once, page by page', async () => {
  const { body, headers } = await asAda.get<UserRecord[]>('/repos/ada/engine/collaborators?limit=2')
  expect(body.map((user) => user.login)).toEqual(['reader', 'writer'])
  expect(headers.get('x-total-count')).toBe('3')
  const rest = await asAda.get<UserRecord[]>('/repos/ada/engine/collaborators?limit=2&page=2')
  expect(rest.body.map((user) => user.login)).toEqual(['admin1'])
})

const levels: [name: string, level: string][] = [
  ['ADA', 'owner'],
  ['admin1', 'admin'],
  ['writer', 'write'],
  ['reader', 'read'],
  ['bob', 'none'],
  ['root1', 'owner'],
]

test.each(levels)('the permission of %s is %s', async (name, level) => {
  const { status, body } = await asAda.get(`/repos/ada/secret/collaborators/${name}/permission`)
  expect([status, body.permission, body.role_name, (body.user as UserRecord).login]).toEqual([200, level, level, name.toLowerCase()])
})

test('a collaborator can ask about themselves; of who is unknown or hidden nothing is told', async () => {
  expect((await forge.asUser(people.reader).get('/repos/ada/secret/collaborators/READER/permission')).body.permission).toBe('read')
  for (const name of ['nobody', 'hidden', 'acme']) {
    const { status, body } = await asAda.get(`/repos/ada/secret/collaborators/${name}/permission`)
    expect([status, body.message]).toEqual([404, `user does not exist [name: ${name}]`])
  }
  expect((await forge.asUser(people.root).get('/repos/ada/secret/collaborators/hidden/permission')).body.permission).toBe('none')
})

test('a level can be changed and taken away again; without a body it is write', async () => {
  const levelOf = () => db.find<{ level: string }>('SELECT level FROM collaboration WHERE repo_id = ? AND user_id = ?', secret.id, bob.row.id)?.level
  const seen = async () => (await forge.asUser(bob).get('/repos/ada/secret')).status
  const steps: [unknown, string][] = [
    [undefined, 'write'],
    [{ permission: 'admin' }, 'admin'],
    [{ permission: null }, 'write'],
    [{ permission: 'read' }, 'read'],
  ]
  for (const [body, level] of steps) {
    expect((await asAda.put('/repos/ada/secret/collaborators/Bob', body)).status).toBe(204)
    expect([levelOf(), await seen()]).toEqual([level, 200])
  }
  expect((await asAda.delete('/repos/ada/secret/collaborators/bob')).status).toBe(204)
  expect([levelOf(), await seen()]).toEqual([undefined, 404])
  expect((await asAda.delete('/repos/ada/secret/collaborators/bob')).status).toBe(204)
})

const refusals: [name: string, body: unknown, message: string][] = [
  ['nobody', {}, 'user does not exist [name: nobody]'],
  ['hidden', {}, 'user does not exist [name: hidden]'],
  ['acme', {}, 'user does not exist [name: acme]'],
  ['gone', {}, "collaborator's account is inactive"],
  ['ada', { permission: 'read' }, 'ada owns the repository'],
  ['bob', { permission: 'owner' }, '[permission]: must be read, write or admin'],
  ['bob', { permission: 'none' }, '[permission]: must be read, write or admin'],
  ['bob', { permission: '' }, '[permission]: must be read, write or admin'],
  ['bob', { permission: 2 }, '[permission]: must be read, write or admin'],
]

test.each(refusals)('%s with %j is 422 and changes nothing', async (name, body, message) => {
  const before = rows()
  const reply = await forge.asUser(people.owner).put(`/repos/ada/engine/collaborators/${name}`, body)
  expect([reply.status, reply.body.message]).toEqual([422, message])
  expect(rows()).toEqual(before)
})

test('a collaborator who is private now is known to who administers the repository, and can still be removed', async () => {
  const listed = async (as: Person | string | undefined) => {
    const { body, headers } = await forge.asUser(as).get<UserRecord[]>('/repos/ada/engine/collaborators')
    return [body.map((user) => user.login), headers.get('x-total-count')]
  }
  expect((await forge.asUser(people.root).put('/repos/ada/engine/collaborators/hidden', {})).status).toBe(204)
  expect((await asAda.get('/repos/ada/engine/collaborators/hidden')).status).toBe(204)
  for (const as of [ada, people.admin, people.root]) expect(await listed(as)).toEqual([['reader', 'writer', 'admin1', 'hidden'], '4'])
  const publicOnly = forge.token(ada, 'all', 'public-only')
  for (const as of [people.stranger, people.writer, publicOnly]) {
    expect(await listed(as)).toEqual([['reader', 'writer', 'admin1'], '3'])
    expect((await forge.asUser(as).get('/repos/ada/engine/collaborators/hidden')).status).toBe(404)
  }
  expect((await forge.asUser(publicOnly).get('/repos/ada/engine/collaborators/hidden/permission')).status).toBe(404)
  expect((await forge.asUser(publicOnly).delete('/repos/ada/engine/collaborators/hidden')).status).toBe(422)
  expect((await asAda.delete('/repos/ada/engine/collaborators/hidden')).status).toBe(204)
})

test('a token without the scope is refused, one that reads only reads', async () => {
  const misc = forge.token(ada, 'write:user')
  const reader = forge.token(ada, 'read:repository')
  for (const method of ['GET', 'DELETE']) expect((await forge.asUser(misc).send(`${method} /repos/ada/engine/collaborators/writer`)).status).toBe(403)
  expect((await forge.asUser(reader).get('/repos/ada/engine/collaborators/writer')).status).toBe(204)
  expect((await forge.asUser(reader).delete('/repos/ada/engine/collaborators/writer')).status).toBe(403)
})

test('who loses the administration of a repository loses the hooks they made there; others keep theirs', async () => {
  const hook = { type: 'gitea', active: true, config: { url: 'https://ci.example.org/', content_type: 'json' } }
  forge.repo(ada, 'hooked')
  await forge.asUser(people.owner).put('/repos/ada/hooked/collaborators/admin1', { permission: 'admin' })
  const made = async (as: Role) => (await forge.asUser(people[as]).post('/repos/ada/hooked/hooks', hook)).body.id as number
  const [theirs, owners] = [await made('admin'), await made('owner')]
  const active = async (id: number) => (await asAda.get(`/repos/ada/hooked/hooks/${id}`)).body.active
  expect([await active(theirs), await active(owners)]).toEqual([true, true])
  await forge.asUser(people.owner).put('/repos/ada/hooked/collaborators/admin1', { permission: 'write' })
  expect([await active(theirs), await active(owners)]).toEqual([false, true])
})

test('the old name of a renamed repository leads to the new one; a repository that is not there is 404', async () => {
  forge.repo(ada, 'before')
  expect((await asAda.patch('/repos/ada/before', { name: 'after' })).status).toBe(200)
  const { status, headers } = await asAda.get('/repos/ada/before/collaborators?limit=1')
  expect([status, headers.get('location')]).toEqual([301, '/api/v1/repos/ada/after/collaborators?limit=1'])
  expect((await asAda.get('/repos/ada/none/collaborators')).status).toBe(404)
})
