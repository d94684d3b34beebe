import { afterAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'
import type { UserRecord } from './view.ts'

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { db } = forge.context
const ada = await forge.person('ada', { password: PASSWORD, fullName: 'Ada King' })
const bob = await forge.person('Bob')
const shy = await forge.person('shy', { visibility: 'private' })
const near = await forge.person('near', { visibility: 'limited' })
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
const basic = (name: string) => ({ Authorization: `Basic ${btoa(`${name}:${PASSWORD}`)}` })
const tokensOf = (person: Person) =>
  db.all<{ name: string; scopes: string }>('SELECT name, scopes FROM access_token WHERE user_id = ? ORDER BY id', person.row.id)

test('a user record has the fields of the reference, all of them always', async () => {
  const { body } = await forge.asUser(ada).get<UserRecord>('/users/ada')
  const now = body.created
  expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(body).toEqual({
    id: ada.row.id,
    login: 'ada',
    login_name: '',
    source_id: 0,
    full_name: 'Ada King',
    email: 'ada@example.org',
    avatar_url: `http://localhost:3000/avatars/${ada.row.id}`,
    html_url: 'http://localhost:3000/ada',
    language: '',
    is_admin: false,
    last_login: '0001-01-01T00:00:00Z',
    created: now,
    restricted: false,
    active: true,
    prohibit_login: false,
    pronouns: '',
    location: '',
    website: '',
    description: '',
    visibility: 'public',
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: 'ada',
  })
})

const views: [viewer: string, as: Person | undefined, of: string, shown: Partial<UserRecord>][] = [
  ['a visitor', undefined, 'root1', { email: expect.stringMatching(/^\d+\+root1@noreply\.localhost$/), is_admin: false, active: false, login: 'root1' }],
  [
    'a visitor, of a name with capitals',
    undefined,
    'bob',
    { email: expect.stringMatching(/^\d+\+bob@noreply\.localhost$/), login: 'Bob', html_url: 'http://localhost:3000/Bob' },
  ],
  ['a member', ada, 'root1', { email: 'root1@example.org', is_admin: false, active: false }],
  ['themselves', root, 'root1', { email: 'root1@example.org', is_admin: true, active: true }],
  ['an administrator', root, 'ada', { email: 'ada@example.org', is_admin: false, active: true }],
]

test.each(views)('%s sees what they may of an account', async (_, as, name, shown) => {
  expect((await forge.asUser(as).get(`/users/${name}`)).body).toMatchObject(shown)
})

test('stars are counted as they come and go, whichever way they go', async () => {
  const stars = async () => (await forge.asUser(bob).get<UserRecord>('/user')).body.starred_repos_count
  const [one, two] = [forge.repo(ada, 'one'), forge.repo(ada, 'two')]
  const counts = [await stars()]
  for (const repo of [one, two]) db.tx((tx) => tx.insert('star', { user_id: bob.row.id, repo_id: repo.id, created_at: 1 }))
  counts.push(await stars())
  db.tx((tx) => tx.run('DELETE FROM repository WHERE id = ?', one.id))
  counts.push(await stars())
  db.tx((tx) => tx.run('DELETE FROM star WHERE repo_id = ?', two.id))
  counts.push(await stars())
  expect(counts).toEqual([0, 2, 1, 0])
})

const searches: [who: string, as: Person | string | undefined, query: string, names: string[]][] = [
  ['a visitor', undefined, '', ['ada', 'Bob', 'root1']],
  ['a member', ada, '', ['ada', 'Bob', 'near', 'root1']],
  ['a private account', shy, '', ['ada', 'Bob', 'near', 'root1', 'shy']],
  ['a limited account, by a token for public things', forge.token(near, 'all', 'public-only'), '', ['ada', 'Bob', 'root1']],
  ['an administrator', root, '', ['ada', 'Bob', 'near', 'root1', 'shy']],
  ['a visitor', undefined, 'q=O', ['Bob', 'root1']],
  ['a visitor, by full name', undefined, 'q=king', ['ada']],
  ['a visitor, by what SQL would take for a pattern', undefined, 'q=%25', []],
  ['a visitor, by a quote', undefined, "q='--", []],
  ['a member, by e-mail', ada, 'q=shy@example', []],
  ['a member, by the e-mail of someone they see', ada, 'q=bob@example', []],
  ['an administrator, by e-mail', root, 'q=shy@example', ['shy']],
  ['a visitor, by id', undefined, `uid=${bob.row.id}`, ['Bob']],
  ['a visitor, by the id of a hidden account', undefined, `uid=${shy.row.id}`, []],
  ['a visitor, by no id', undefined, 'uid=x', ['ada', 'Bob', 'root1']],
  ['a visitor, the second page', undefined, 'limit=2&page=2', ['root1']],
  ['a visitor, by a key that would tell of sign-ins', undefined, 'sort=lastlogin', ['ada', 'Bob', 'root1']],
]

test.each(searches)('a search by %s finds what they may see [%p, %s]', async (_, as, query, names) => {
  const { status, body } = await forge.asUser(as).get<{ ok: boolean; data: UserRecord[] }>(`/users/search?${query}`)
  expect([status, body.ok, body.data.map((user) => user.login)]).toEqual([200, true, names])
})

test('lists tell how many there are and where the next page is', async () => {
  const { headers } = await forge.get('/users/search?limit=2')
  expect(headers.get('x-total-count')).toBe('3')
  expect(headers.get('link')).toContain('<http://localhost:3000/api/v1/users/search?limit=2&page=2>; rel="next"')
})

const created = { id: expect.any(Number), created_at: expect.any(String), last_used_at: expect.any(String) }

test('a token is shown whole once, and its hash alone is kept', async () => {
  const { status, body } = await forge.post(
    '/users/ada/tokens',
    { name: 'laptop', scopes: ['read:user', 'write:user', 'read:user'] },
    { headers: basic('ada') },
  )
  expect(status).toBe(201)
  expect(body).toEqual({
    ...created,
    name: 'laptop',
    sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
    token_last_eight: (body.sha1 as string).slice(-8),
    scopes: ['write:user'],
  })
  expect((await forge.asUser(body.sha1 as string).get('/user')).status).toBe(200)
  const listed = await forge.get<{ name: string; sha1: string }[]>('/users/ada/tokens', { headers: basic('ada') })
  expect(listed.body.map(({ name, sha1 }) => [name, sha1])).toContainEqual(['laptop', ''])
  expect(new TextDecoder('latin1').decode(db.serialize())).not.toContain(body.sha1 as string)
})

const tokenCases: [name: string, line: string, headers: Record<string, string>, body: unknown, status: number, message: string][] = [
  ['a taken name', 'POST /users/ada/tokens', basic('ada'), { name: 'test 1', scopes: ['all'] }, 400, 'access token name has been used already'],
  [
    'an unknown scope',
    'POST /users/ada/tokens',
    basic('ada'),
    { name: 'x', scopes: ['read:moon'] },
    400,
    'invalid access token scope provided: invalid scope "read:moon"',
  ],
  ['no scopes', 'POST /users/ada/tokens', basic('ada'), { name: 'x' }, 400, 'access token must have a scope'],
  ['an empty list of scopes', 'POST /users/ada/tokens', basic('ada'), { name: 'x', scopes: [] }, 400, 'access token must have a scope'],
  ['a scope that grants nothing', 'POST /users/ada/tokens', basic('ada'), { name: 'x', scopes: ['public-only'] }, 400, 'access token must have a scope'],
  ['scopes of null', 'POST /users/ada/tokens', basic('ada'), { name: 'x', scopes: null }, 400, 'access token must have a scope'],
  ['no name', 'POST /users/ada/tokens', basic('ada'), { scopes: ['all'] }, 422, '[name]: name is required'],
  ['an empty name', 'POST /users/ada/tokens', basic('ada'), { name: '', scopes: ['all'] }, 422, '[name]: Expected string length greater or equal to 1'],
  [
    'a name of a megabyte',
    'POST /users/ada/tokens',
    basic('ada'),
    { name: 'x'.repeat(1_000_000), scopes: ['all'] },
    413,
    'The request body is too large: at most 262144 bytes are allowed',
  ],
  ['no credentials', 'POST /users/ada/tokens', {}, { name: 'x', scopes: ['all'] }, 401, 'token is required'],
  ['a token of all scopes', 'POST /users/ada/tokens', { Authorization: `token ${ada.token}` }, { name: 'x', scopes: ['read:user'] }, 401, 'auth required'],
  [
    'a token as password',
    'POST /users/ada/tokens',
    { Authorization: `Basic ${btoa(`ada:${ada.token}`)}` },
    { name: 'x', scopes: ['read:user'] },
    401,
    'auth required',
  ],
  [
    'a narrow token',
    'POST /users/ada/tokens',
    { Authorization: `token ${forge.token(ada, 'read:user')}` },
    { name: 'x', scopes: ['all'] },
    403,
    'token does not have at least one',
  ],
  ['another person', 'POST /users/bob/tokens', basic('ada'), { name: 'x', scopes: ['all'] }, 403, 'Only the user or a site administrator can do this.'],
  ['another person who lists', 'GET /users/bob/tokens', basic('ada'), undefined, 403, 'Only the user'],
  ['a hidden person', 'GET /users/shy/tokens', basic('ada'), undefined, 404, 'user redirect does not exist [name: shy]'],
  ['a list by token', 'GET /users/ada/tokens', { Authorization: `token ${ada.token}` }, undefined, 401, 'auth required'],
  ['a removal by token', 'DELETE /users/ada/tokens/laptop', { Authorization: `token ${ada.token}` }, undefined, 401, 'auth required'],
  ['the removal of nothing', 'DELETE /users/ada/tokens/none', basic('ada'), undefined, 404, 'not found'],
]

test.each(tokenCases)('tokens: %s is refused and nothing changes', async (_, line, headers, body, status, message) => {
  const before = [tokensOf(ada), tokensOf(bob)]
  const reply = await forge.send(line, { body, headers })
  expect(reply.status).toBe(status)
  expect(reply.body.message).toStartWith(message)
  expect([tokensOf(ada), tokensOf(bob)]).toEqual(before)
})

test("a token's id from another account is not found, and not removed", async () => {
  const foreign = db.find<{ id: number }>('SELECT id FROM access_token WHERE user_id = ?', bob.row.id)?.id
  const before = tokensOf(bob)
  expect((await forge.delete(`/users/ada/tokens/${foreign}`, undefined, { headers: basic('ada') })).status).toBe(404)
  expect((await forge.delete(`/users/root1/tokens/${foreign}`, undefined, { headers: basic('root1') })).status).toBe(404)
  expect(tokensOf(bob)).toEqual(before)
})

test('a token is removed by id, or by name, and is worth nothing at once', async () => {
  const make = async (name: string) => (await forge.post('/users/ada/tokens', { name, scopes: ['all'] }, { headers: basic('ada') })).body
  const [one, two] = [await make('work desk'), await make('12345678')]
  expect((await forge.delete(`/users/ada/tokens/${one.id}`, undefined, { headers: basic('ada') })).status).toBe(204)
  expect((await forge.delete('/users/ada/tokens/12345678', undefined, { headers: basic('ada') })).status).toBe(204)
  for (const { sha1 } of [one, two]) expect((await forge.asUser(sha1 as string).get('/user')).status).toBe(401)
})

test("an administrator makes and removes another's tokens, with a password", async () => {
  const reply = await forge.post('/users/bob/tokens', { name: 'given', scopes: ['read:user'] }, { headers: basic('root1') })
  expect(reply.status).toBe(201)
  expect((await forge.asUser(reply.body.sha1 as string).get('/user')).body.login).toBe('Bob')
  expect((await forge.delete('/users/bob/tokens/given', undefined, { headers: basic('root1') })).status).toBe(204)
})

test('settings change one by one, and only those there are', async () => {
  const change = { full_name: 'B', website: 'https://b.example', hide_email: true, is_admin: true, password_hash: 'x', name: 'mallory' }
  const changed = await forge.asUser(bob).patch('/user/settings', change)
  expect(changed.body).toEqual({
    full_name: 'B',
    website: 'https://b.example',
    description: '',
    location: '',
    language: '',
    theme: 'gitea-auto',
    diff_view_style: '',
    hide_email: true,
    pronouns: '',
    hide_activity: false,
  })
  expect((await forge.asUser(bob).get('/user/settings')).body).toEqual(changed.body)
  expect((await forge.asUser(ada).get('/users/bob')).body).toMatchObject({
    full_name: 'B',
    email: expect.stringMatching(/^\d+\+bob@noreply\.localhost$/),
    login: 'Bob',
  })
  expect(db.find('SELECT name, is_admin, password_hash FROM user WHERE id = ?', bob.row.id)).toEqual({ name: 'Bob', is_admin: 0, password_hash: '' })
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil', ' https://x'])('a website of %p is refused', async (website) => {
  expect((await forge.asUser(ada).patch('/user/settings', { website })).status).toBe(422)
})

test('a token for public things does not read the account of someone who hides', async () => {
  const { status, body } = await forge.asUser(forge.token(shy, 'all', 'public-only')).get('/user')
  expect([status, body.message]).toEqual([403, 'token scope is limited to public users'])
})
