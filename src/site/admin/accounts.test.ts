import { afterAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
const asRoot = forge.asUser(root)
const ada = await forge.person('ada', { fullName: 'Ada Lovelace' })
const asAda = forge.asUser(ada)
const bob = await forge.person('bob')
await asAda.post('/orgs', { username: 'acme', visibility: 'private' })
await asAda.post('/orgs', { username: 'Bell' })
await forge.asUser(bob).post('/user/emails', { emails: ['second@bob.example'] })
const basic = { Authorization: `Basic ${btoa(`root1:${PASSWORD}`)}` }

test('all organizations are listed, private ones too, in pages', async () => {
  const { body, headers } = await asRoot.get<{ name: string }[]>('/admin/orgs')
  expect([body.map(({ name }) => name), headers.get('x-total-count')]).toEqual([['acme', 'Bell'], '2'])
  const page = await asRoot.get<{ name: string }[]>('/admin/orgs?limit=1&page=2')
  expect([page.body.map(({ name }) => name), page.headers.get('link')]).toEqual([['Bell'], expect.stringContaining('rel="prev"')])
})

const emailLists: [query: string, found: string[]][] = [
  ['', ['ada@example.org', 'bob@example.org', 'root1@example.org', 'second@bob.example']],
  ['?limit=1&page=4', ['second@bob.example']],
  ['/search?q=BOB', ['bob@example.org', 'second@bob.example']],
  ['/search?q=lovelace', ['ada@example.org']],
  ['/search?q=second', ['second@bob.example']],
  ['/search?q=%25', []],
  ["/search?q='--", []],
  ['/search', ['ada@example.org', 'bob@example.org', 'root1@example.org', 'second@bob.example']],
]

test.each(emailLists)('GET /admin/emails%s', async (query, found) => {
  const { status, body } = await asRoot.get<{ email: string }[]>(`/admin/emails${query}`)
  expect([status, body.map(({ email }) => email)]).toEqual([200, found])
})

test("a list of addresses tells whose they are and what they are; an organization's is none", async () => {
  const { body, headers } = await asRoot.get<unknown[]>('/admin/emails/search?q=second')
  expect(body).toEqual([{ email: 'second@bob.example', verified: false, primary: false, user_id: bob.row.id, username: 'bob' }])
  expect(headers.get('x-total-count')).toBe('1')
  expect((await asRoot.get<unknown[]>('/admin/users/bob/emails')).body).toEqual([
    { email: 'bob@example.org', verified: true, primary: true, user_id: bob.row.id, username: 'bob' },
    ...body,
  ])
})

test.each<[string, string, string[], number]>([
  ['somebody else’s address', 'bob', ['ada@example.org'], 404],
  ['the primary address', 'bob', ['second@bob.example', 'bob@example.org'], 422],
  ['an address of nobody', 'nobody', ['second@bob.example'], 404],
  ['an address of an organization', 'Bell', ['second@bob.example'], 422],
])('taking away %s takes away none', async (_, name, emails, status) => {
  expect((await asRoot.delete(`/admin/users/${name}/emails`, { emails })).status).toBe(status)
  expect((await asRoot.get<unknown[]>('/admin/users/bob/emails')).body).toHaveLength(2)
})

test('an address that is taken away is gone', async () => {
  await asAda.post('/user/emails', { emails: ['spare@ada.example'] })
  expect((await asRoot.delete('/admin/users/ada/emails', { emails: ['SPARE@ada.example'] })).status).toBe(204)
  expect((await asAda.get<unknown[]>('/user/emails')).body).toHaveLength(1)
})

test("an administrator makes, lists and ends other people's tokens", async () => {
  const made = await forge.post<{ id: number; sha1: string }>(
    '/admin/users/ada/tokens',
    { name: 'robot', scopes: ['read:user', 'read:repository'] },
    { headers: basic },
  )
  expect([made.status, made.body]).toEqual([201, expect.objectContaining({ name: 'robot', scopes: ['read:repository', 'read:user'] })])
  expect((await forge.asUser(made.body.sha1).get('/user')).body.login).toBe('ada')
  const listed = await asRoot.get<{ name: string; sha1: string }[]>('/admin/users/ada/tokens?limit=1&page=2')
  expect(listed.body).toMatchObject([{ name: 'robot', sha1: '' }])
  expect(listed.headers.get('x-total-count')).toBe('2')
  expect((await asRoot.delete(`/admin/users/bob/tokens/${made.body.id}`)).status).toBe(404)
  expect((await asRoot.delete('/admin/users/ada/tokens/robot')).status).toBe(204)
  expect((await forge.asUser(made.body.sha1).get('/user')).status).toBe(401)
})

const makers: [held: string[], asked: string[], status: number][] = [
  [['all'], ['all'], 201],
  [['all'], ['write:repository', 'public-only'], 201],
  [['write:admin'], ['write:admin'], 201],
  [['write:admin'], ['read:admin'], 201],
  [['write:admin'], ['all'], 403],
  [['write:admin'], [' all '], 403],
  [['write:admin'], ['read:user'], 403],
  [['write:admin', 'read:user'], ['write:user'], 403],
  [['write:admin', 'read:user'], ['read:user'], 201],
]

test.each(makers)('a token of %j that asks for one of %j: %p', async (held, asked, status) => {
  const name = `made by ${held} for ${asked}`
  const reply = await forge.asUser(forge.token(root, ...held)).post('/admin/users/bob/tokens', { name, scopes: asked })
  expect(reply.status).toBe(status)
  const { body } = await asRoot.get<{ name: string }[]>('/admin/users/bob/tokens')
  expect(body.some((token) => token.name === name)).toBe(status === 201)
})

test.each<[string, string, unknown, number, string]>([
  ['nobody', 'nobody', { name: 'x', scopes: ['all'] }, 404, 'user redirect does not exist'],
  ['an organization', 'Bell', { name: 'x', scopes: ['all'] }, 422, 'Bell is an organization not a user'],
  ['somebody, without a scope', 'bob', { name: 'x' }, 400, 'access token must have a scope'],
  ['somebody, of a scope that is none', 'bob', { name: 'x', scopes: ['read:everything'] }, 400, 'invalid access token scope provided'],
  [
    'somebody, for one repository and everything else',
    'bob',
    { name: 'x', scopes: ['all'], repositories: [{ owner: 'bob', name: 'a' }] },
    400,
    'can only have repository and issue scopes, not all',
  ],
  ['somebody, under a name in use', 'bob', { name: 'test 3', scopes: ['all'] }, 400, 'access token name has been used already'],
])('a token of %s is refused', async (_, name, body, status, message) => {
  const reply = await forge.post(`/admin/users/${name}/tokens`, body, { headers: basic })
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)])
})

test('tasks are listed by name in pages, started out of turn, and not started twice', async () => {
  let now = 1_700_000_000
  await using place = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  const admin = await place.person('root1', { isAdmin: true })
  let end = () => {}
  let starts = 0
  place.context.tasks.every(3600, 'slow_task', () => {
    starts++
    return new Promise<void>((resolve) => {
      end = resolve
    })
  })
  place.context.tasks.every(600, 'a_task', () => {})
  const list = async (query = '') => (await place.asUser(admin).get<Record<string, unknown>[]>(`/admin/cron${query}`)).body
  const run = async (name: string) => (await place.asUser(admin).post(`/admin/cron/${name}`)).status
  const next = '2023-11-14T22:23:20Z'
  expect(await list('?limit=1')).toEqual([{ name: 'a_task', schedule: '@every 10m', next, prev: '1970-01-01T00:00:00Z', exec_times: 0 }])
  now += 60
  expect([await run('slow_task'), await run('slow_task'), starts]).toEqual([204, 204, 1])
  expect((await list()).map(({ name, prev, exec_times }) => [name, prev, exec_times])).toEqual([
    ['a_task', '1970-01-01T00:00:00Z', 0],
    ['slow_task', '2023-11-14T22:14:20Z', 1],
  ])
  expect(await run('no_task')).toBe(404)
  expect((await place.asUser(admin).get('/admin/cron?limit=1')).headers.get('x-total-count')).toBe('2')
  end()
})

test('what anybody may not do there', async () => {
  const lines = ['GET /admin/orgs', 'GET /admin/emails', 'GET /admin/cron', 'GET /admin/users/bob/tokens']
  const answers = async (as?: Person) => Promise.all(lines.map(async (line) => (await forge.asUser(as).send(line)).status))
  expect([await answers(), await answers(ada)]).toEqual([
    [401, 401, 401, 401],
    [403, 403, 403, 403],
  ])
})
