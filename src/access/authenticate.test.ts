import { afterAll, expect, spyOn, test } from 'bun:test'
import type { Tx } from '#kernel/db.ts'
import { TestBrowser } from '../../test/browser.ts'
import { hashAtFullCost } from '../../test/cheap-passwords.ts'
import { testForge } from '../../test/harness.ts'

const PASSWORD = 'correct horse'
/** Wrong passwords are tried here without end; sign-in-throttle.test.ts is about that. */
const forge = testForge({ security: { SIGN_IN_FAILURES: 0 } })
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada', { password: PASSWORD })
const bob = await forge.person('bob')
await forge.person('kim', { password: PASSWORD })
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
await forge.person('must', { password: PASSWORD, mustChangePassword: true })
const idle = await forge.person('idle', { password: PASSWORD })
const barred = await forge.person('barred', { password: PASSWORD })
context.db.tx((tx) => {
  tx.update('user', idle.row.id, { is_active: 0 })
  tx.update('user', barred.row.id, { prohibit_login: 1 })
})
const basic = (name: string, secret: string) => ({ Authorization: `Basic ${btoa(`${name}:${secret}`)}` })
const whoami = (headers: Record<string, string>, query = '') => forge.get<{ login?: string; message?: string }>(`/user${query}`, { headers })

test.each<[string, Record<string, string>]>([
  ['token', { Authorization: `token ${ada.token}` }],
  ['Bearer', { Authorization: `Bearer ${ada.token}` }],
  ['bearer in lower case', { Authorization: `bearer ${ada.token}` }],
  ['Basic with the token as password', basic('ada', ada.token)],
  ['Basic with the token as password and any name', basic('x-access-token', ada.token)],
  ['Basic with the token as user', basic(ada.token, '')],
  ['Basic with the token as user, as OAuth clients send it', basic(ada.token, 'x-oauth-basic')],
  ['Basic with name and password', basic('ada', PASSWORD)],
  ['Basic with the name in another case', basic('ADA', PASSWORD)],
  ['Basic with e-mail address and password', basic('Ada@Example.org', PASSWORD)],
])('%s signs in', async (_, headers) => {
  const { status, body } = await whoami(headers)
  expect([status, body.login]).toEqual([200, 'ada'])
})

const wrong = 'invalid username, password or token'
const refused: [string, Record<string, string>, number, string][] = [
  ['no credentials', {}, 401, 'token is required'],
  ['an unknown token', { Authorization: `token ${'0'.repeat(40)}` }, 401, wrong],
  ['a token in upper case', { Authorization: `token ${ada.token.toUpperCase()}` }, 401, wrong],
  ['a token cut short', { Authorization: `token ${ada.token.slice(1)}` }, 401, wrong],
  ['no token', { Authorization: 'token ' }, 401, 'token is required'],
  ['another scheme', { Authorization: 'Digest x' }, 401, 'token is required'],
  ['Basic without a colon', { Authorization: `Basic ${btoa('ada')}` }, 401, wrong],
  ['Basic that is not base64', { Authorization: 'Basic ***' }, 401, wrong],
  ['a wrong password', basic('ada', 'wrong horse'), 401, wrong],
  ['an empty password', basic('ada', ''), 401, wrong],
  ['an unknown name', basic('nobody', PASSWORD), 401, wrong],
  ['the name of a person without a password', basic('bob', PASSWORD), 401, wrong],
  ['a name that only looks like one', { Authorization: `Basic ${Buffer.from(`\u212aim:${PASSWORD}`).toString('base64')}` }, 401, wrong],
  ['an address that only looks like one', { Authorization: `Basic ${Buffer.from(`\u212aim@example.org:${PASSWORD}`).toString('base64')}` }, 401, wrong],
  ['a name with NUL', basic('ada\0', PASSWORD), 401, wrong],
  ['a long name', basic('a'.repeat(5000), PASSWORD), 401, wrong],
  ['an inactive account', basic('idle', PASSWORD), 403, 'This account is not activated.'],
  ['a token of an inactive account', { Authorization: `token ${idle.token}` }, 403, 'This account is not activated.'],
  ['a barred account', basic('barred', PASSWORD), 403, 'This account is prohibited from signing in, please contact your site administrator.'],
]

test.each(refused)('%s is refused', async (_, headers, status, message) => {
  const reply = await whoami(headers)
  expect([reply.status, reply.body.message]).toEqual([status, message])
})

test('wrong credentials are refused on public endpoints too', async () => {
  expect((await forge.get('/version', { headers: { Authorization: `token ${'0'.repeat(40)}` } })).status).toBe(401)
  expect((await forge.get('/users/ada', { headers: basic('ada', 'wrong horse') })).status).toBe(401)
})

test.each(['Nonsense abc', 'Negotiate x', 'Digest x', 'Basic', 'Bearer', 'token', 'abc'])(
  'an Authorization header of "%s" leaves the request anonymous',
  async (value) => {
    const headers = { Authorization: value }
    expect((await forge.get('/users/ada', { headers })).status).toBe(200)
    expect((await forge.get('/user/repos', { headers })).status).toBe(401)
    expect((await whoami(headers, `?token=${ada.token}`)).body.login).toBe('ada')
  },
)

test('an Authorization header that no method understands does not sign a browser out of file addresses', async () => {
  forge.repo(ada, 'hidden', { private: true })
  await forge.asUser(ada).post('/repos/ada/hidden/contents/a', { content: btoa('text') })
  const { headers } = new TestBrowser(forge, ada)
  const statusWith = async (Authorization: string) =>
    (await forge.app.handle(new Request('http://localhost/ada/hidden/raw/branch/main/a', { headers: { ...headers, Authorization } }))).status
  expect([await statusWith('Nonsense abc'), await statusWith('Bearer wrong')]).toEqual([200, 401])
})

test('unknown names, absent passwords and wrong passwords cost one password check each and read the same', async () => {
  const made = spyOn(Bun.password, 'hash').mockImplementation(hashAtFullCost)
  await forge.person('ann', { password: PASSWORD })
  made.mockRestore()
  const check = spyOn(Bun.password, 'verify')
  const replies = []
  for (const name of ['nobody', 'bob', 'ann', 'nobody@example.org']) {
    check.mockClear()
    const { status, body } = await whoami(basic(name, 'not this one'))
    replies.push({ status, body, checks: check.mock.calls.length, hashes: check.mock.calls.map(([, hash]) => hash.slice(0, 30)) })
  }
  check.mockRestore()
  for (const reply of replies) expect(reply).toEqual(replies[0] as (typeof replies)[number])
  expect(replies[0]).toMatchObject({ status: 401, checks: 1, hashes: ['$argon2id$v=19$m=19456,t=2,p=1'] })
})

test('a password counts no longer once it is changed, however lately it was right', async () => {
  const eve = await forge.person('eve', { password: PASSWORD })
  expect((await whoami(basic('eve', PASSWORD))).status).toBe(200)
  await forge.asUser(root).patch('/admin/users/eve', { source_id: 0, login_name: '', password: 'another horse' })
  expect((await whoami(basic('eve', PASSWORD))).status).toBe(401)
  expect((await whoami(basic('eve', 'another horse'))).status).toBe(200)
  expect((await whoami({ Authorization: `token ${eve.token}` })).status).toBe(200)
})

test('a token in the query works, with a warning, and never with a right one in links', async () => {
  for (const name of ['token', 'access_token']) {
    const reply = await whoami({}, `?${name}=${ada.token}`)
    expect([reply.status, reply.body.login]).toEqual([200, 'ada'])
    expect(reply.headers.get('warning')).toContain('deprecated')
    const list = await forge.get(`/users/search?limit=1&${name}=${ada.token}`)
    expect(list.headers.get('link')).toContain('rel="next"')
    expect(list.headers.get('link')).not.toContain(ada.token)
  }
  expect((await whoami({ Authorization: `token ${ada.token}` })).headers.get('warning')).toBeNull()
  expect((await whoami({}, '?token=0')).status).toBe(401)
})

test('DISABLE_QUERY_AUTH_TOKEN refuses a token in the query, even a right one', async () => {
  await using strict = testForge({ security: { DISABLE_QUERY_AUTH_TOKEN: true } })
  const eve = await strict.person('eve')
  expect((await strict.get(`/user?token=${eve.token}`)).status).toBe(401)
  expect((await strict.get(`/version?access_token=${eve.token}`)).status).toBe(401)
  expect((await strict.asUser(eve).get('/user')).status).toBe(200)
})

test.each<[string, string, Record<string, string>, number, string]>([
  ['an administrator, by header', root.token, { Sudo: 'ada' }, 200, 'ada'],
  ['an administrator as nobody', root.token, { Sudo: 'nobody' }, 404, ''],
  ['a member', ada.token, { Sudo: 'bob' }, 403, ''],
  ['a member as themselves', ada.token, { Sudo: 'ada' }, 403, ''],
  ['a member as nobody', ada.token, { Sudo: 'nobody' }, 403, ''],
])('sudo of %s', async (_, token, headers, status, login) => {
  const byHeader = await forge.asUser(token).get<{ login?: string }>('/user', { headers })
  const byQuery = await forge.asUser(token).get<{ login?: string }>(`/user?sudo=${headers.Sudo}`)
  for (const reply of [byHeader, byQuery]) expect([reply.status, reply.body.login ?? '']).toEqual([status, login])
})

test('sudo in the query goes before that of the header', async () => {
  expect((await forge.asUser(root).get('/user?sudo=bob', { headers: { Sudo: 'ada' } })).body).toMatchObject({ login: 'bob' })
})

test('sudo needs credentials, and gives no rights of the administrator along', async () => {
  expect((await forge.get('/user', { headers: { Sudo: 'ada' } })).status).toBe(403)
  expect((await forge.asUser(root).get('/admin/users', { headers: { Sudo: 'ada' } })).status).toBe(403)
})

test('an account that must change its password can do that and nothing else', async () => {
  const headers = basic('must', PASSWORD)
  const stopped = await whoami(headers)
  expect([stopped.status, stopped.body.message]).toEqual([403, expect.stringContaining('/api/v1/user/password')])
  expect((await forge.post('/user/password', { password: 'short' }, { headers })).status).toBe(422)
  expect((await forge.post('/user/password', { password: PASSWORD }, { headers })).status).toBe(422)
  expect((await forge.post('/user/password', { password: 'a better horse' }, { headers })).status).toBe(204)
  expect((await whoami(headers)).status).toBe(401)
  expect((await whoami(basic('must', 'a better horse'))).status).toBe(200)
})

test('a token changes no password', async () => {
  const reply = await forge.asUser(ada).post('/user/password', { password: 'a better horse' })
  expect([reply.status, reply.body.message]).toEqual([401, 'auth required'])
  expect((await whoami(basic('ada', PASSWORD))).status).toBe(200)
})

test("a token's last use is noted to the minute, not at each request", async () => {
  let now = 1_700_000_000
  await using timed = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  const eve = await timed.person('eve')
  const lastUse = () => timed.context.db.find<{ last_used_at: number }>('SELECT last_used_at FROM access_token WHERE user_id = ?', eve.row.id)?.last_used_at
  const uses = []
  for (const step of [0, 30, 31]) {
    now += step
    await timed.asUser(eve).get('/user')
    uses.push(lastUse())
  }
  expect(uses).toEqual([1_700_000_000, 1_700_000_000, 1_700_000_061])
})

test('bob has no password, so no password is his', async () => {
  expect(bob.row.password_hash).toBe('')
  expect((await whoami(basic('bob', ''))).status).toBe(401)
})

/** Runs `change` while the password of the next sign-in is being checked. */
function meanwhile(change: (tx: Tx) => void) {
  const verify = Bun.password.verify
  return spyOn(Bun.password, 'verify').mockImplementationOnce(async (...asked) => {
    const isRight = await verify(...asked)
    context.db.tx(change)
    return isRight
  })
}

test.each<[string, (tx: Tx, id: number) => void, number]>([
  ['demoted', (tx, id) => void tx.update('user', id, { is_admin: 0 }), 403],
  ['barred', (tx, id) => void tx.update('user', id, { prohibit_login: 1 }), 403],
  ['deleted', (tx, id) => void tx.run('DELETE FROM user WHERE id = ?', id), 401],
  ['given another password', (tx, id) => void tx.update('user', id, { password_hash: root.row.password_hash }), 401],
])('who is %s while their password is checked acts with what is left to them', async (name, change, status) => {
  const login = `x-${name.slice(0, 5).trim()}`
  const { row } = await forge.person(login, { isAdmin: true, password: PASSWORD })
  using _ = meanwhile((tx) => change(tx, row.id))
  expect((await forge.get('/admin/users', { headers: basic(login, PASSWORD) })).status).toBe(status)
})

test('a crowd of wrong passwords for one name is turned away, and others sign in before what waits of it', async () => {
  const eve = await forge.person('crowded', { password: PASSWORD })
  const order: string[] = []
  const ask = async (label: string, headers: Record<string, string>) => {
    const reply = await whoami(headers)
    order.push(`${label} ${reply.status}`)
    return reply
  }
  const crowd = Array.from({ length: 60 }, (_, i) => ask('crowd', basic(eve.name, `wrong ${i}`)))
  const honest = await ask('honest', basic('root1', PASSWORD))
  const replies = await Promise.all(crowd)
  expect(honest.status).toBe(200)
  const refused = replies.filter(({ status }) => status === 429)
  expect([refused[0]?.headers.get('retry-after'), refused.length + 20 < 60, refused.length > 20]).toEqual(['1', true, true])
  expect(order.slice(order.indexOf('honest 200')).filter((one) => one === 'crowd 401').length).toBeGreaterThan(10)
})

test('the same right password sent a hundred times at once is checked once', async () => {
  await forge.person('fleet', { password: PASSWORD })
  const check = spyOn(Bun.password, 'verify')
  const replies = await Promise.all(Array.from({ length: 100 }, () => whoami(basic('fleet', PASSWORD))))
  const checks = check.mock.calls.length
  check.mockRestore()
  expect([new Set(replies.map(({ status }) => status)), checks]).toEqual([new Set([200]), 1])
})
