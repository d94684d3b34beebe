import { afterAll, beforeAll, expect, test } from 'bun:test'
import { changePassword } from '#people/users/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { manualClock } from '../../../test/manual-clock.ts'

const PASSWORD = 'correct horse battery'
let now = 1_800_000_000
let forge: TestForge
let ada: Person
beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
})
afterAll(() => forge[Symbol.asyncDispose]())

const html = { Accept: 'text/html' }
const ours = { ...html, Origin: 'http://localhost', 'Content-Type': 'application/x-www-form-urlencoded' }

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return forge.app.handle(new Request(`http://localhost${path}`, { headers: { ...html, ...headers } }))
}

function post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = ours): Promise<Response> {
  return forge.app.handle(new Request(`http://localhost${path}`, { method: 'POST', headers, body: new URLSearchParams(fields).toString() }))
}

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function signIn(more: Record<string, string> = {}, headers = ours): Promise<string> {
  return cookieOf(await post('/user/login', { user_name: 'ada', password: PASSWORD, ...more }, headers))
}

const isSignedIn = async (cookie: string) => (await get('/user/login', { Cookie: cookie })).status === 303

test('who signs in is said to have done so', async () => {
  const clock = manualClock()
  const own = testForge({}, { clock })
  await using _ = own
  const ada = await own.person('ada', { password: 'correct horse' })
  const lastLogin = async () => (await own.asUser(ada).get<{ last_login: string }>('/user')).body.last_login
  expect(await lastLogin()).toBe('0001-01-01T00:00:00Z')
  await new TestBrowser(own).post('/user/login', { user_name: 'ada', password: 'correct horse' })
  expect(Date.parse(await lastLogin())).toBe(clock.millis())
})

test('a right password signs the browser in, with a cookie that scripts and other sites do not get', async () => {
  const response = await post('/user/login', { user_name: 'ada', password: PASSWORD })
  expect(response.status).toBe(303)
  expect(response.headers.get('set-cookie')).toMatch(/^pocketforge_[0-9a-f]{8}=[0-9a-f]{64}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(await isSignedIn(cookieOf(response))).toBe(true)
})

test('a wrong password shows the form again with the name, and no cookie', async () => {
  const response = await post('/user/login', { user_name: '<ada>', password: 'wrong' })
  expect(response.status).toBe(401)
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await response.text()).toContain('value="&lt;ada&gt;"')
})

test('only a hash of what the cookie carries is stored', async () => {
  const secret = (await signIn()).split('=')[1] as string
  expect(JSON.stringify(forge.context.authenticator.sessions.list((await rowOf('ada')) as never))).not.toContain(secret)
})

test('signing in again makes a new secret, and ends the session that the browser had', async () => {
  const first = await signIn()
  const second = await signIn({}, { ...ours, Cookie: first } as never)
  expect(second).not.toBe(first)
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
})

test('a secret that a stranger planted in the cookie is not taken over', async () => {
  const planted = `${(await signIn()).split('=')[0]}=${'a'.repeat(64)}`
  expect(await signIn({}, { ...ours, Cookie: planted } as never)).not.toBe(planted)
  expect(await isSignedIn(planted)).toBe(false)
})

test('signing out ends the session on the server', async () => {
  const cookie = await signIn()
  const { headers } = await post('/user/logout', {}, { ...ours, Cookie: cookie })
  expect(await isSignedIn(cookie)).toBe(false)
  expect([headers.get('clear-site-data'), headers.get('cache-control')]).toEqual(['"cache"', 'no-store'])
})

test('signing out leads to a page that has the browser forget the one before, once it has left that', async () => {
  const browser = new TestBrowser(forge, ada)
  const location = (await browser.post('/user/logout')).headers.get('location') as string
  const { text, headers } = await browser.get(location)
  expect([text.includes('You are signed out'), headers.get('cache-control')]).toEqual([true, 'no-store'])
  const [, src = ''] = /<main[\s\S]*<img src="([^"]*)"/.exec(text) ?? []
  const picture = await browser.get(src)
  expect([picture.status, picture.headers.get('clear-site-data'), picture.headers.get('content-type')]).toEqual([200, '"cache"', 'image/svg+xml'])
})

test.each([
  ['is_active', 0],
  ['prohibit_login', 1],
])('an account that may not sign in for a while (%s) has to sign in again afterwards, in each browser', async (column, value) => {
  const cookie = await signIn()
  const link = forge.context.authenticator.sessions.makeLink(ada.row)
  forge.context.db.tx((tx) => tx.update('user', ada.row.id, { [column]: value }))
  expect(await isSignedIn(cookie)).toBe(false)
  forge.context.db.tx((tx) => tx.update('user', ada.row.id, { [column]: 1 - value }))
  expect([await isSignedIn(cookie), forge.context.authenticator.sessions.findLinkHolder(link)]).toEqual([false, undefined])
  expect(await isSignedIn(await signIn())).toBe(true)
})

test('a form that another site sent, or that does not say from where, does nothing', async () => {
  const cookie = await signIn()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie }
  for (const from of [{ Origin: 'https://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, {}]) {
    expect((await post('/user/logout', {}, { ...type, ...from } as never)).status).toBe(403)
  }
  expect((await post('/user/login', { user_name: 'ada', password: PASSWORD }, { ...type, Origin: 'https://evil.example' })).status).toBe(403)
  expect(await isSignedIn(cookie)).toBe(true)
})

test('after signing in one goes where one wanted, never to another site', async () => {
  const goal = async (path: string) => (await post('/user/login', { user_name: 'ada', password: PASSWORD, redirect_to: path })).headers.get('location')
  expect(await goal('/ada/engine?x=1#L3')).toBe('/ada/engine?x=1#L3')
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/.//evil.example', 'javascript:alert(1)', '/\t/evil.example']) {
    expect(await goal(path)).toBe('/')
  }
})

test('a session ends when it was idle for long, and at last also when it was not', async () => {
  const cookie = await signIn()
  const start = now
  now += 2_592_001
  expect(await isSignedIn(cookie)).toBe(false)
  const busy = await signIn()
  for (let week = 0; week < 52; week++) {
    now += 600_000
    expect(await isSignedIn(busy)).toBe(true)
  }
  now += 600_000
  expect(await isSignedIn(busy)).toBe(false)
  now = start + 40_000_000
})

test('another password, whoever set it, ends all sessions', async () => {
  const bob = await forge.person('bob', { password: PASSWORD })
  const cookie = await signIn({ user_name: 'bob' })
  expect(await isSignedIn(cookie)).toBe(true)
  await changePassword(forge.context, bob.row, 'another long password')
  expect(await isSignedIn(cookie)).toBe(false)
})

test('who must change the password is led there from every page, and back to work after it', async () => {
  const carl = await forge.person('carl', { password: PASSWORD })
  await changePassword(forge.context, carl.row, PASSWORD, { mustChange: true })
  const cookie = await signIn({ user_name: 'carl' })
  const page = await get('/explore/repos', { Cookie: cookie })
  expect([page.status, page.headers.get('location')]).toEqual([303, '/user/settings/change_password'])
  const wrong = await post('/user/settings/change_password', { old_password: 'wrong', password: 'a new long password' }, { ...ours, Cookie: cookie })
  expect(wrong.status).toBe(401)
  const changed = await post('/user/settings/change_password', { old_password: PASSWORD, password: 'a new long password' }, { ...ours, Cookie: cookie })
  expect(changed.status).toBe(303)
  expect((await get('/explore/repos', { Cookie: cookieOf(changed) })).status).toBe(200)
  expect(await isSignedIn(cookie)).toBe(false)
})

test('sessions are listed with what began them, and each can be ended by its holder alone', async () => {
  await forge.person('erin', { password: PASSWORD })
  const cookie = await signIn({ user_name: 'erin' })
  const other = await signIn({ user_name: 'erin' }, { ...ours, 'User-Agent': '<b>Other</b>' } as never)
  const { text } = await get('/user/settings/sessions', { Cookie: cookie }).then(async (response) => ({ text: await response.text() }))
  expect(text).toContain('&lt;b&gt;Other&lt;/b&gt;')
  const { sessions } = forge.context.authenticator
  const row = sessions.list(await rowOf('erin')).find((one) => one.user_agent.includes('Other'))
  const path = `/user/settings/sessions/${row?.id}/delete`
  const stranger = await signIn()
  expect((await post(path, {}, { ...ours, Cookie: stranger } as never)).status).toBe(404)
  expect(await isSignedIn(other)).toBe(true)
  expect((await post(path, {}, { ...ours, Cookie: cookie } as never)).status).toBe(303)
  expect([await isSignedIn(other), await isSignedIn(cookie)]).toEqual([false, true])
})

test('a sign-in link shows a button first, and works once', async () => {
  const { sessions } = forge.context.authenticator
  const path = `/user/sign_in/${sessions.makeLink(await rowOf('ada'))}`
  for (let looked = 0; looked < 2; looked++) expect((await get(path)).status).toBe(200)
  const used = await post(path)
  expect([used.status, await isSignedIn(cookieOf(used))]).toEqual([303, true])
  expect([(await post(path)).status, (await get(path)).status]).toEqual([404, 404])
})

test('the API and git do not look at the cookie', async () => {
  const cookie = await signIn()
  expect((await forge.get('/user', { headers: { Cookie: cookie } })).status).toBe(401)
})

test('guesses are throttled as everywhere', async () => {
  await forge.person('dora', { password: PASSWORD })
  let last = 0
  for (let n = 0; n < 12; n++) last = (await post('/user/login', { user_name: 'dora', password: `wrong ${n}` })).status
  expect(last).toBe(429)
})

async function rowOf(name: string) {
  const { accessStore } = await import('#access/index.ts')
  const row = accessStore.findUserByName(forge.context.db, name)
  if (!row) throw new Error(`Nobody is called ${name}`)
  return row
}

test('a hundred thousand sessions that are over hold up nobody who signs in, and go bit by bit', async () => {
  await using own = testForge()
  const { row } = await own.person('ada')
  const { authenticator, db } = own.context
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO session (user_id, digest, credential, address, user_agent, created_at, last_used_at) SELECT ?, 'x' || i, '', '', '', 1, 1 FROM n`
  const count = () => db.find<{ n: number }>('SELECT count(*) AS n FROM session')?.n ?? 0
  const other = await own.person('bob')
  db.tx((tx) => tx.run(sql, other.row.id))
  authenticator.sessions.begin(row, new Request('http://localhost/'))
  expect(count()).toBeLessThan(100_001)
  expect(count()).toBeGreaterThan(99_000)
  for (const end of ['session WHERE last_used_at < 5', 'session WHERE created_at < 5', 'sign_in_link WHERE expires_at < 5']) {
    const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT 1 FROM ${end}`).map(({ detail }) => detail)
    expect(plan.join()).toMatch(/^SEARCH .* INDEX/)
  }
})

test('a link from the log signs nobody in once the account has another password', async () => {
  await using own = testForge()
  const { row } = await own.person('ada', { password: PASSWORD })
  const { sessions } = own.context.authenticator
  const link = sessions.makeLink(row)
  expect(sessions.findLinkHolder(link)?.id).toBe(row.id)
  await changePassword(own.context, row, 'another horse battery')
  expect([sessions.findLinkHolder(link), sessions.useLink(link)]).toEqual([undefined, undefined])
})
