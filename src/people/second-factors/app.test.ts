import { afterAll, beforeAll, expect, test } from 'bun:test'
import decodeQR from 'qr/decode.js'
import { changePassword } from '#people/users/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { takeTotpCode } from './change-totp.ts'
import { takeAwayFactors } from './index.ts'
import { codeOf } from './one-time-code.fixture.ts'
import { countFactors } from './store.ts'

const PASSWORD = 'correct horse battery'
const SECURITY = '/user/settings/security'
let now = 1_800_000_000
let forge: TestForge
let people = 0
beforeAll(() => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
})
afterAll(() => forge[Symbol.asyncDispose]())

interface Enrolled {
  person: Person
  secret: string
  /** As they were shown. */
  recovery: string[]
  /** The one in which the app was added. */
  browser: TestBrowser
}

/** The value of a hidden field, as the browser would send it. */
function fieldIn(page: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
}

const secretIn = (page: string) => /<dd><code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1]?.replaceAll(' ', '') ?? ''
const codesIn = (page: string) => page.match(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/g) ?? []

/** A person who has added an app just now. */
async function enrol(name = `person${++people}`): Promise<Enrolled> {
  const person = await forge.person(name, { password: PASSWORD })
  const browser = new TestBrowser(forge, person)
  const { text } = await browser.get(`${SECURITY}/two_factor/enroll`)
  const secret = secretIn(text)
  const done = await browser.post(`${SECURITY}/two_factor/enroll`, { offer: fieldIn(text, 'offer'), passcode: codeOf(secret, now) })
  expect(done.status).toBe(200)
  now += 30
  return { person, secret, recovery: codesIn(done.text), browser }
}

/** A browser in which the password was right. */
async function halfWay({ name }: Person, redirectTo = '/'): Promise<TestBrowser> {
  const browser = new TestBrowser(forge)
  const { status, headers } = await browser.post('/user/login', { user_name: name, password: PASSWORD, redirect_to: redirectTo })
  expect([status, headers.get('location')]).toEqual([303, '/user/two_factor'])
  return browser
}

const isSignedIn = async (browser: TestBrowser) => (await browser.get(SECURITY)).status === 200

test('the secret is offered as text, as an address, and as a QR code that says the same', async () => {
  const person = await forge.person(`person${++people}`, { password: PASSWORD })
  const { text } = await new TestBrowser(forge, person).get(`${SECURITY}/two_factor/enroll`)
  const address = /<code>(otpauth:[^<]+)<\/code>/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  expect(new URL(address ?? '').searchParams.get('secret')).toBe(secretIn(text))
  expect(decodeQR(pictureIn(text))).toBe(address as string)
  expect(text).not.toContain('style=')
})

test('nothing is asked for before a code has confirmed it, and nothing of it is stored', async () => {
  const person = await forge.person(`person${++people}`, { password: PASSWORD })
  const browser = new TestBrowser(forge, person)
  const { text } = await browser.get(`${SECURITY}/two_factor/enroll`)
  const wrong = await browser.post(`${SECURITY}/two_factor/enroll`, { offer: fieldIn(text, 'offer'), passcode: '000000' })
  expect(wrong.status).toBe(422)
  expect(secretIn(wrong.text)).toBe(secretIn(text))
  expect(countFactors(forge.context.db, person.row.id)).toEqual({ totp: 0, keys: 0, recovery_codes: 0 })
  expect((await new TestBrowser(forge).post('/user/login', { user_name: person.name, password: PASSWORD })).headers.get('location')).toBe('/')
})

test("an offer is its account's alone, and not for ever", async () => {
  const person = await forge.person(`person${++people}`, { password: PASSWORD })
  const other = await forge.person(`person${++people}`, { password: PASSWORD })
  const { text } = await new TestBrowser(forge, other).get(`${SECURITY}/two_factor/enroll`)
  const browser = new TestBrowser(forge, person)
  const confirm = (offer: string, secret: string) => browser.post(`${SECURITY}/two_factor/enroll`, { offer, passcode: codeOf(secret, now), password: PASSWORD })
  expect((await confirm(fieldIn(text, 'offer'), secretIn(text))).status).toBe(422)
  const own = await browser.get(`${SECURITY}/two_factor/enroll`)
  now += 3601
  const late = await confirm(fieldIn(own.text, 'offer'), secretIn(own.text))
  expect(late.status).toBe(422)
  expect(secretIn(late.text)).not.toBe(secretIn(own.text))
})

test('after the password the browser is asked for a code, and is signed in with none of it missing', async () => {
  const { person, secret } = await enrol()
  const browser = await halfWay(person, '/explore/repos?q=x')
  expect(await isSignedIn(browser)).toBe(false)
  const wrong = await browser.post('/user/two_factor', { passcode: '000000' })
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []])
  const right = await browser.post('/user/two_factor', { passcode: codeOf(secret, now) })
  expect([right.status, right.headers.get('location')]).toEqual([303, '/explore/repos?q=x'])
  expect(await isSignedIn(browser)).toBe(true)
})

test('until the password is right, nobody sees whether there is a second factor', async () => {
  const { person } = await enrol()
  const plain = await forge.person(`person${++people}`, { password: PASSWORD })
  const guess = async (name: string) => {
    const { status, text, headers } = await new TestBrowser(forge).post('/user/login', { user_name: name, password: 'wrong' })
    const plainText = text.replaceAll(name, '').replace(/(?:challenge&quot;:&quot;|name="challenge" value=")[\w:-]+/g, '')
    return { status, text: plainText, headers: headers.toJSON() }
  }
  expect(await guess(person.name)).toEqual(await guess(plain.name))
})

test('who has not given a password is not asked for a code', async () => {
  const { secret } = await enrol()
  const browser = new TestBrowser(forge)
  expect((await browser.get('/user/two_factor')).headers.get('location')).toBe('/user/login')
  expect((await browser.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(401)
  expect((await browser.post('/user/two_factor/scratch', { scratch_code: 'x' })).status).toBe(401)
})

test('a code signs in once: not again, not an earlier one, not the one that confirmed', async () => {
  const { person, secret } = await enrol()
  const status = async (at: number) => (await (await halfWay(person)).post('/user/two_factor', { passcode: codeOf(secret, at) })).status
  expect(await status(now - 30)).toBe(401)
  expect(await status(now + 30)).toBe(303)
  expect([await status(now + 30), await status(now)]).toEqual([401, 401])
})

test('of twenty who bring the same code at the same moment, in two browsers and by the API, one gets in', async () => {
  const crowd = testForge({ security: { SIGN_IN_FAILURES: 0 } }, { clock: forge.context.clock })
  const former = forge
  try {
    forge = crowd
    const { person, secret } = await enrol()
    const code = codeOf(secret, now)
    const browsers = await Promise.all(Array.from({ length: 10 }, () => halfWay(person)))
    const basic = { Authorization: `Basic ${btoa(`${person.name}:${PASSWORD}`)}`, 'X-Gitea-OTP': code }
    const statuses = await Promise.all([
      ...browsers.map(async (one) => (await one.post('/user/two_factor', { passcode: code })).status),
      ...Array.from({ length: 10 }, async () => (await forge.get('/user', { headers: basic })).status),
    ])
    expect(statuses.filter((status) => status !== 401)).toHaveLength(1)
    expect((await forge.get('/user', { headers: basic })).status).toBe(401)
  } finally {
    forge = former
    await crowd[Symbol.asyncDispose]()
  }
})

test('of two who complete one sign-in at the same moment, one gets a session', async () => {
  const { person, recovery } = await enrol()
  const browser = await halfWay(person)
  const statuses = await Promise.all(recovery.slice(0, 2).map(async (code) => (await browser.post('/user/two_factor/scratch', { scratch_code: code })).status))
  expect(statuses.toSorted()).toEqual([303, 401])
})

test('after ten wrong codes the password is asked for again, and a while has to pass', async () => {
  const { person, secret } = await enrol()
  const browser = await halfWay(person)
  for (let n = 0; n < 10; n++) await browser.post('/user/two_factor/scratch', { scratch_code: `wrong ${n}` })
  expect((await browser.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(401)
  expect((await browser.get('/user/two_factor')).headers.get('location')).toBe('/user/login')
  expect((await (await halfWay(person)).post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(429)
  now += 600
  expect((await (await halfWay(person)).post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(303)
})

test('wrong codes are throttled, also over several sign-ins, and the password does not make them forgotten', async () => {
  const { person, secret } = await enrol()
  let last = await (await halfWay(person)).post('/user/two_factor', { passcode: '000000' })
  for (let n = 0; n < 10; n++) last = await (await halfWay(person)).post('/user/two_factor', { passcode: '000000' })
  expect(last.status).toBe(429)
  const wait = Number(last.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  now += wait
  expect((await (await halfWay(person)).post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(303)
})

test('the way to a session is over after ten minutes, and with another password', async () => {
  const { person, secret } = await enrol()
  const slow = await halfWay(person)
  now += 601
  expect((await slow.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(401)
  const robbed = await halfWay(person)
  await changePassword(forge.context, person.row, 'another long password')
  expect((await robbed.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(401)
})

test('of very many sign-ins at once the newest can be completed', async () => {
  const { person, secret } = await enrol()
  let last = await halfWay(person)
  for (let n = 0; n < 25; n++) last = await halfWay(person)
  expect((await last.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(303)
})

test('what the browser carries on the way is no session, and not stored as it is', async () => {
  const { person } = await enrol()
  const { headers } = await new TestBrowser(forge).post('/user/login', { user_name: person.name, password: PASSWORD })
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie).toMatch(/^pocketforge_[0-9a-f]{8}_half=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const value = cookie.split(/[=;]/)[1] as string
  expect(
    forge.context.db
      .all('SELECT * FROM half_sign_in')
      .map((row) => JSON.stringify(row))
      .join(),
  ).not.toContain(value)
  const posed = await forge.app.handle(
    new Request(`http://localhost${SECURITY}`, { headers: { Cookie: cookie.split(';')[0]?.replace('_half', '') as string } }),
  )
  expect(posed.status).toBe(401)
})

test('recovery codes are shown once, stored as hashes, and each signs in once', async () => {
  const { person, recovery, browser, secret } = await enrol()
  expect(new Set(recovery).size).toBe(10)
  expect(codesIn((await browser.get(SECURITY)).text)).toEqual([])
  const stored = JSON.stringify(forge.context.db.all('SELECT * FROM recovery_code')) + JSON.stringify(forge.context.db.all('SELECT * FROM totp'))
  for (const part of [...recovery, ...recovery.map((code) => code.replaceAll('-', '')), secret]) expect(stored).not.toContain(part)
  const [code = ''] = recovery
  const status = async (typed: string) => (await (await halfWay(person)).post('/user/two_factor/scratch', { scratch_code: typed })).status
  expect(await status(code.toUpperCase().replaceAll('-', ' '))).toBe(303)
  expect(await status(code)).toBe(401)
  expect(countFactors(forge.context.db, person.row.id).recovery_codes).toBe(9)
})

test("another account's recovery code and app are worth nothing here", async () => {
  const ada = await enrol()
  const bob = await enrol()
  const browser = await halfWay(bob.person)
  expect((await browser.post('/user/two_factor/scratch', { scratch_code: ada.recovery[0] as string })).status).toBe(401)
  expect((await browser.post('/user/two_factor', { passcode: codeOf(ada.secret, now) })).status).toBe(401)
  expect(countFactors(forge.context.db, ada.person.row.id).recovery_codes).toBe(10)
})

test('new recovery codes end those before, and ask for the password again', async () => {
  const { person, recovery, browser } = await enrol()
  now += 1000
  const renew = (password: string) => browser.post(`${SECURITY}/two_factor/regenerate_scratch`, { password })
  expect((await renew('wrong')).status).toBe(403)
  const fresh = codesIn((await renew(PASSWORD)).text)
  expect(fresh).toHaveLength(10)
  const half = await halfWay(person)
  expect((await half.post('/user/two_factor/scratch', { scratch_code: recovery[0] as string })).status).toBe(401)
  expect((await half.post('/user/two_factor/scratch', { scratch_code: fresh[0] as string })).status).toBe(303)
})

test('who has an app cannot add another, at one moment neither', async () => {
  const person = await forge.person(`person${++people}`, { password: PASSWORD })
  const browser = new TestBrowser(forge, person)
  const { text } = await browser.get(`${SECURITY}/two_factor/enroll`)
  const confirm = () => browser.post(`${SECURITY}/two_factor/enroll`, { offer: fieldIn(text, 'offer'), passcode: codeOf(secretIn(text), now) })
  const both = await Promise.all([confirm(), confirm()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await browser.get(`${SECURITY}/two_factor/enroll`)).headers.get('location')).toBe(SECURITY)
})

test('removing the app asks for the password again, signs nobody out, and takes the recovery codes with it', async () => {
  const { person, secret, recovery, browser } = await enrol()
  const other = await halfWay(person)
  await other.post('/user/two_factor', { passcode: codeOf(secret, now) })
  now += 1000
  const remove = (password: string) => browser.post(`${SECURITY}/two_factor/disable`, { password })
  expect((await remove('wrong')).status).toBe(403)
  const waiting = await halfWay(person)
  expect((await remove(PASSWORD)).status).toBe(303)
  expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, true])
  expect((await waiting.post('/user/two_factor/scratch', { scratch_code: recovery[0] as string })).status).toBe(401)
  expect((await new TestBrowser(forge).post('/user/login', { user_name: person.name, password: PASSWORD })).headers.get('location')).toBe('/')
  expect(countFactors(forge.context.db, person.row.id)).toEqual({ totp: 0, keys: 0, recovery_codes: 0 })
})

test('an administrator sees who has a second factor, and takes away what somebody has lost', async () => {
  const { person, browser } = await enrol()
  const root = await forge.person(`person${++people}`, { isAdmin: true })
  const listed = async (enabled: boolean) => {
    const { body } = await forge.asUser(root).get<{ login: string }[]>(`/admin/users?is_2fa_enabled=${enabled}&q=${person.name}`)
    return body.map(({ login }) => login)
  }
  expect([await listed(true), await listed(false)]).toEqual([[person.name], []])
  expect([takeAwayFactors(forge.context, person.row), takeAwayFactors(forge.context, person.row)]).toEqual([true, false])
  expect((await new TestBrowser(forge).post('/user/login', { user_name: person.name, password: PASSWORD })).headers.get('location')).toBe('/')
  expect(await isSignedIn(browser)).toBe(true)
  expect([await listed(true), await listed(false)]).toEqual([[], [person.name]])
})

test('a one-time link stands for the password, not for the second factor', async () => {
  const { person, secret } = await enrol()
  const browser = new TestBrowser(forge)
  const link = `/user/sign_in/${forge.context.authenticator.sessions.makeLink(person.row)}`
  expect((await browser.post(link)).headers.get('location')).toBe('/user/two_factor')
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.post('/user/two_factor', { passcode: codeOf(secret, now) })).status).toBe(303)
})

test('an account whose source does without is not asked', async () => {
  const { person } = await enrol()
  const { plugs } = forge.context.authenticator
  const before = plugs.passwordSources
  plugs.passwordSources = { ...before, skipsSecondFactor: ({ id }) => id === person.row.id }
  expect((await new TestBrowser(forge).post('/user/login', { user_name: person.name, password: PASSWORD })).headers.get('location')).toBe('/')
  plugs.passwordSources = before
})

test('basic authentication asks for a code; tokens need none', async () => {
  const { person, secret } = await enrol()
  const Authorization = `Basic ${btoa(`${person.name}:${PASSWORD}`)}`
  const status = async (headers: Record<string, string> = {}) => (await forge.get('/user', { headers: { Authorization, ...headers } })).status
  expect([await status(), await status({ 'X-Gitea-OTP': '000000' })]).toEqual([401, 401])
  expect(await status({ 'X-Gitea-OTP': codeOf(secret, now) })).toBe(200)
  expect(await status({ 'X-Gitea-OTP': codeOf(secret, now) })).toBe(401)
  now += 30
  const made = await forge.post(
    `/users/${person.name}/tokens`,
    { name: 'tea', scopes: ['all'] },
    { headers: { Authorization, 'X-Forgejo-OTP': codeOf(secret, now) } },
  )
  expect(made.status).toBe(201)
  expect((await forge.asUser(person).get('/user')).status).toBe(200)
})

test('a secret whose key is gone signs nobody in, and recovery codes still do', async () => {
  const { person, secret, recovery } = await enrol()
  forge.context.db.tx((tx) => tx.run("UPDATE totp SET secret = 'v1:00000000:AAAA' WHERE user_id = ?", person.row.id))
  expect(await takeTotpCode(forge.context, person.row, codeOf(secret, now))).toBe(false)
  expect((await (await halfWay(person)).post('/user/two_factor/scratch', { scratch_code: recovery[0] as string })).status).toBe(303)
})

/** The picture in a page's only drawing, at four dots a module, as a camera has it. */
function pictureIn(page: string): { width: number; height: number; data: Uint8Array } {
  const size = Number(/viewBox="0 0 (\d+) /.exec(page)?.[1])
  const width = size * 4
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y, run] of page.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++) {
      for (let column = Number(x) * 4; column < (Number(x) + Number(run)) * 4; column++)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  return { width, height: width, data }
}
