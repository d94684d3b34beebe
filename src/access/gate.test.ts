import { afterAll, expect, test } from 'bun:test'
import { userStore } from '#people/users/index.ts'
import { type Person, testForge } from '../../test/harness.ts'
import { gateTerms } from './gate.ts'

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada', { password: PASSWORD })
const bob = await forge.person('bob')
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
const hidden = await forge.person('hidden', { visibility: 'private' })
const limited = await forge.person('limited', { visibility: 'limited' })
forge.repo(ada, 'open')
forge.repo(ada, 'shut', { private: true })

const basic = (name: string, secret: string) => `Basic ${btoa(`${name}:${secret}`)}`
const forms: Record<string, (token: string) => string> = {
  token: (token) => `token ${token}`,
  Bearer: (token) => `Bearer ${token}`,
  'Basic user': (token) => basic(token, ''),
  'Basic password': (token) => basic('git', token),
}

/** What a token with these scopes, ada's, is answered. */
const verdicts: [scopes: string[], line: string, status: number][] = [
  [['read:user'], 'GET /user', 200],
  [['write:user'], 'GET /user', 200],
  [['read:repository'], 'GET /user', 403],
  [['read:user'], 'PATCH /user/settings', 403],
  [['write:user'], 'PATCH /user/settings', 200],
  [['read:user'], 'GET /users/bob', 200],
  [['read:misc'], 'GET /users/bob', 403],
  [['read:misc'], 'GET /users/search', 403],
  [['read:user'], 'GET /version', 200],
  [['read:repository'], 'GET /repos/ada/shut', 200],
  [['read:user'], 'GET /repos/ada/open', 403],
  [['read:issue'], 'GET /repos/ada/shut', 403],
  [['read:repository', 'public-only'], 'GET /repos/ada/open', 200],
  [['read:repository', 'public-only'], 'GET /repos/ada/shut', 404],
  [['read:repository'], 'DELETE /repos/bob/none', 403],
  [['write:repository'], 'DELETE /repos/bob/none', 404],
  [['read:admin'], 'GET /admin/users', 403],
  [['read:repository'], 'GET /user/repos', 403],
  [['read:user', 'read:repository'], 'GET /user/repos', 200],
]

test.each(verdicts)('a token of %p on %s is answered %i, however it is sent', async (scopes, line, status) => {
  const token = forge.token(ada, ...scopes)
  for (const [form, header] of Object.entries(forms)) {
    const reply = await forge.send(line, { body: line.startsWith('PATCH') ? {} : undefined, headers: { Authorization: header(token) } })
    expect([form, reply.status]).toEqual([form, status])
  }
})

test('a missing scope is named, with what the token has', async () => {
  const { body } = await forge.asUser(forge.token(ada, 'read:user', 'read:issue')).patch('/user/settings', {})
  expect(body.message).toBe('token does not have at least one of required scope(s), required=[write:user], token scope=read:issue,read:user')
})

test("an administrator's token is an administrator's only with the scope", async () => {
  expect((await forge.asUser(forge.token(root, 'read:user')).get('/admin/users')).status).toBe(403)
  expect((await forge.asUser(forge.token(root, 'read:admin')).get('/admin/users')).status).toBe(200)
  expect((await forge.asUser(forge.token(root, 'read:admin')).post('/admin/users', {})).status).toBe(403)
})

const sights: [who: string, as: Person | undefined, path: string, status: number][] = [
  ['nobody', undefined, 'bob', 200],
  ['nobody', undefined, 'limited', 404],
  ['nobody', undefined, 'hidden', 404],
  ['a member', bob, 'limited', 200],
  ['a member', bob, 'hidden', 404],
  ['themselves', hidden, 'hidden', 200],
  ['themselves', limited, 'limited', 200],
  ['an administrator', root, 'hidden', 200],
]

test.each(sights)('%s (%p) asking for %s is answered %i', async (_, as, name, status) => {
  expect((await forge.asUser(as).get(`/users/${name}`)).status).toBe(status)
})

test('an account that is hidden and one that is absent are answered alike', async () => {
  const [one, other] = [await forge.get('/users/hidden'), await forge.get('/users/absent')]
  expect(JSON.stringify(one.body).replace('hidden', '?')).toBe(JSON.stringify(other.body).replace('absent', '?'))
  expect([...one.headers]).toEqual([...other.headers])
})

test('the check comes before the body is looked at', async () => {
  expect((await forge.post('/admin/users', { nonsense: true })).status).toBe(401)
  expect((await forge.asUser(ada).post('/admin/users', { nonsense: true })).status).toBe(403)
  expect((await forge.asUser(root).post('/admin/users', { nonsense: true })).status).toBe(422)
})

test('REQUIRE_SIGNIN_VIEW answers visitors nothing, hidden or not', async () => {
  await using closed = testForge({ service: { REQUIRE_SIGNIN_VIEW: true } })
  const eve = await closed.person('eve')
  const replies = await Promise.all(['/version', '/users/eve', '/users/absent', '/users/search'].map((path) => closed.get(path)))
  expect(replies.map(({ status, body }) => [status, body.message])).toEqual(replies.map(() => [403, 'Only signed in user is allowed to call APIs.']))
  expect((await closed.asUser(eve).get('/users/eve')).status).toBe(200)
})

test('an old name leads to the new one for those who can see the account, whatever the name', async () => {
  const now = context.clock.seconds()
  context.db.tx((tx) => {
    userStore.reserveName(tx, 'a', 'renamed', bob.row.id, now)
    userStore.reserveName(tx, 'once', 'renamed', hidden.row.id, now)
  })
  const moved = await forge.asUser(root).get('/users/A/tokens?page=1&x=%2F')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/users/bob/tokens?page=1&x=%2F'])
  expect((await forge.get('/users/once')).status).toBe(404)
  expect((await forge.asUser(root).get('/users/once')).headers.get('location')).toBe('/api/v1/users/hidden')
})

test('a path that cannot be decoded is no crash', async () => {
  for (const path of ['/users/%zz', '/users/%', '/users/%00', '/users/a%2Fb', '/repos/a/%ff', '/users/%F0%9F%92%A9', `/users/${'a'.repeat(10_000)}`]) {
    expect([path, (await forge.get(path)).status]).toEqual([path, 404])
  }
})

test('every route under /api/v1 declares its terms', async () => {
  const bare = (await forge.app.routes())
    .filter(({ path, hooks }) => path.startsWith('/api/v1/') && !gateTerms.some((term) => term in hooks))
    .map(({ method, path, hooks }) => [method, path, (hooks.transform as unknown[] | undefined)?.length ?? 0])
    .filter(([, , transforms]) => transforms === 0)
  expect(bare).toEqual([])
})
