import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { type AskedOptions, type Ceremony, ceremonyIn, type Forgery, SoftwareAuthenticator } from './authenticator.fixture.ts'
import { makeChallenge } from './challenge.ts'
import { listKeys } from './key-store.ts'
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

const codesIn = (page: string) => page.match(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/g) ?? []
const newPerson = () => forge.person(`person${++people}`, { password: PASSWORD })
const isSignedIn = async (browser: TestBrowser) => (await browser.get(SECURITY)).status === 200

async function register(browser: TestBrowser, key: SoftwareAuthenticator, { name = 'key', ...forgery }: Forgery & { name?: string } = {}) {
  const { options, challenge } = ceremonyIn((await browser.get(SECURITY)).text)
  return browser.post(`${SECURITY}/webauthn/register`, { name, challenge, credential: key.create(options, forgery), password: PASSWORD })
}

/** A person with a key, added just now. */
async function secured(key = new SoftwareAuthenticator()): Promise<{ person: Person; key: SoftwareAuthenticator; browser: TestBrowser; recovery: string[] }> {
  const person = await newPerson()
  const browser = new TestBrowser(forge, person)
  const done = await register(browser, key)
  expect(done.status).toBe(200)
  return { person, key, browser, recovery: codesIn(done.text) }
}

/** A browser in which the password was right, and what it is asked for then. */
async function halfWay({ name }: Person): Promise<{ browser: TestBrowser } & Ceremony> {
  const browser = new TestBrowser(forge)
  await browser.post('/user/login', { user_name: name, password: PASSWORD })
  return { browser, ...ceremonyIn((await browser.get('/user/two_factor')).text) }
}

/** The status of a second step with what the key makes of the challenge. */
async function stepWith(person: Person, key: SoftwareAuthenticator, forgery: Forgery = {}): Promise<number> {
  const { browser, options, challenge } = await halfWay(person)
  return (await browser.post('/user/webauthn', { challenge, credential: key.get(options, forgery) })).status
}

/** What the script of the sign-in page is told when somebody means to use a passkey. */
async function passkeyAskedOf(browser: TestBrowser): Promise<{ options: AskedOptions; challenge: string }> {
  const [, address = ''] = /data-ask="([^"]*)"/.exec((await browser.get('/user/login')).text) ?? []
  const { options, sealed } = JSON.parse((await browser.get(address)).text)
  return { options, challenge: sealed }
}

/** The same on the sign-in page, without a word about who it is. */
async function passkeyWith(key: SoftwareAuthenticator, forgery: Forgery = {}, browser = new TestBrowser(forge)) {
  const { options, challenge } = await passkeyAskedOf(browser)
  const credential = key.get(options, { flags: 0x05, ...forgery })
  return browser.post('/user/webauthn/passkey/login', { challenge, credential, redirect_to: '/explore/users' })
}

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a key that signs by %s is added, asked for after the password, and signs in', async (algorithm) => {
  const { person, key, recovery } = await secured(new SoftwareAuthenticator('http://localhost', algorithm))
  expect(recovery).toHaveLength(10)
  const { browser, options, challenge } = await halfWay(person)
  expect(options.allowCredentials?.map(({ id }) => id)).toEqual(key.credentials.map(({ id }) => id))
  expect(await isSignedIn(browser)).toBe(false)
  expect((await browser.post('/user/webauthn', { challenge, credential: key.get(options) })).status).toBe(303)
  expect(await isSignedIn(browser)).toBe(true)
})

test('recovery codes stand for a lost key', async () => {
  const { person, recovery } = await secured()
  const { browser } = await halfWay(person)
  expect((await browser.post('/user/two_factor/scratch', { scratch_code: recovery[0] as string })).status).toBe(303)
})

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const wrongAnswers: Record<string, Forgery> = {
  'for another origin': { origin: 'https://evil.example' },
  'for another port': { origin: 'http://localhost:81' },
  'for another host': { rpId: 'evil.example' },
  'to another challenge': { challenge: 'A'.repeat(43) },
  'in a frame of another site': { crossOrigin: true },
  'in a frame that names the other site': { crossOrigin: true, topOrigin: 'https://evil.example' },
  'without anybody present': { flags: 0 },
}

for (const [what, forgery] of Object.entries(wrongAnswers)) {
  test(`a key that was made ${what} is not added`, async () => {
    const person = await newPerson()
    const made = 'flags' in forgery ? { flags: 0x40 } : forgery
    expect((await register(new TestBrowser(forge, person), new SoftwareAuthenticator(), made)).status).toBe(422)
  })

  test(`what a key signs ${what} signs nobody in`, async () => {
    const { person, key } = await secured()
    expect(await stepWith(person, key, forgery)).toBe(401)
    expect((await passkeyWith(key, forgery)).status).toBe(401)
  })
}

test('a signature that is forged, or made for something else, signs nobody in', async () => {
  const { person, key } = await secured()
  for (const forgery of [{ privateKey: other }, { type: 'webauthn.create' }, { type: 'payment.get' }] as Forgery[]) {
    expect(await stepWith(person, key, forgery)).toBe(401)
  }
})

test('keys of algorithms that were not offered, and statements with certificates, are not taken', async () => {
  const browser = new TestBrowser(forge, await newPerson())
  expect((await register(browser, new SoftwareAuthenticator('http://localhost', 'ES384'))).status).toBe(422)
  const certified = { fmt: 'packed', attStmt: new Map<unknown, unknown>(Object.entries({ alg: -7, sig: Buffer.alloc(70), x5c: [Buffer.alloc(300)] })) }
  expect((await register(browser, new SoftwareAuthenticator(), { statement: certified })).status).toBe(422)
  for (const fmt of ['fido-u2f', 'tpm', 'android-key', 'apple', '', 'x'.repeat(200)]) {
    expect((await register(browser, new SoftwareAuthenticator(), { statement: { fmt, attStmt: new Map() } })).status).toBe(422)
  }
})

test("another person's key is no second factor, by its own name or under a false one", async () => {
  const ada = await secured()
  const bob = await secured()
  expect(await stepWith(ada.person, bob.key)).toBe(401)
  expect(await stepWith(ada.person, bob.key, { id: ada.key.credentials[0]?.id })).toBe(401)
})

test('an answer is taken once, by the one who was asked, within five minutes', async () => {
  const { person, key } = await secured()
  const first = await halfWay(person)
  const second = await halfWay(person)
  const credential = key.get(first.options)
  expect((await second.browser.post('/user/webauthn', { challenge: first.challenge, credential })).status).toBe(422)
  expect((await first.browser.post('/user/webauthn', { challenge: first.challenge, credential })).status).toBe(303)
  const late = await halfWay(person)
  now += 301
  expect((await late.browser.post('/user/webauthn', { challenge: late.challenge, credential: key.get(late.options) })).status).toBe(422)
})

test('of many who bring one answer of a passkey at the same moment, one is signed in', async () => {
  const { key } = await secured()
  const { options, challenge } = await passkeyAskedOf(new TestBrowser(forge))
  const credential = key.get(options)
  const answers = await Promise.all(Array.from({ length: 8 }, () => new TestBrowser(forge).post('/user/webauthn/passkey/login', { challenge, credential })))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
})

test('a key that counts backwards, or not at all after it did, is refused: somebody has a copy', async () => {
  const { person, key } = await secured()
  expect(await stepWith(person, key, { counter: 10 })).toBe(303)
  for (const counter of [10, 9, 0]) expect(await stepWith(person, key, { counter })).toBe(401)
  expect(await stepWith(person, key, { counter: 11 })).toBe(303)
})

test('a key that never counts is taken', async () => {
  const { person, key } = await secured()
  for (let n = 0; n < 2; n++) expect(await stepWith(person, key, { counter: 0 })).toBe(303)
})

test('a passkey signs in by itself, and leads where one wanted to go', async () => {
  const { person, key } = await secured()
  const browser = new TestBrowser(forge)
  const answer = await passkeyWith(key, {}, browser)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/explore/users'])
  expect((await browser.get('/')).text).toContain(person.name)
})

test('where passkeys do not sign in, they are a second factor still', async () => {
  const former = forge
  await using strict = testForge({ service: { ENABLE_PASSKEY_AUTHENTICATION: false } }, { clock: forge.context.clock })
  forge = strict
  try {
    const { person, key } = await secured()
    const login = await new TestBrowser(forge).get('/user/login')
    expect(login.text).not.toContain('/keys-')
    expect((await new TestBrowser(forge).get('/user/webauthn/passkey/challenge')).status).toBe(403)
    const challenge = makeChallenge(forge.context, 'sign in with a passkey')
    const credential = key.get({ challenge: challenge.value, rpId: 'localhost' })
    expect((await new TestBrowser(forge).post('/user/webauthn/passkey/login', { challenge: challenge.sealed, credential })).status).toBe(403)
    expect(await stepWith(person, key)).toBe(303)
  } finally {
    forge = former
  }
})

test('the page to sign in on is the same for all who ask, and what a passkey signs another each time', async () => {
  const browser = new TestBrowser(forge)
  const [first, second] = [await browser.get('/user/login'), await browser.get('/user/login')]
  expect([first.headers.get('cache-control'), first.headers.get('etag')]).toEqual(['private, no-cache', expect.stringMatching(/^W\//)])
  expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')])
  const challenges = [await passkeyAskedOf(browser), await passkeyAskedOf(browser)].map(({ options }) => options.challenge)
  expect(new Set(challenges).size).toBe(2)
  const told = await browser.get('/user/webauthn/passkey/challenge')
  expect([told.headers.get('cache-control'), told.headers.get('etag')]).toEqual(['no-store', null])
})

test('a passkey must have seen its owner, and say rightly whose it is', async () => {
  const ada = await secured()
  const bob = await secured()
  expect((await passkeyWith(ada.key, { flags: 0x01 })).status).toBe(401)
  for (const userHandle of [bob.key.credentials[0]?.handle, 'AAAA', '', null]) expect((await passkeyWith(ada.key, { userHandle })).status).toBe(401)
  expect((await passkeyWith(ada.key, { id: bob.key.credentials[0]?.id, userHandle: bob.key.credentials[0]?.handle })).status).toBe(401)
  expect((await passkeyWith(new SoftwareAuthenticatorWithout(ada.key), {})).status).toBe(401)
})

test('what was signed for the second step does not sign in as a passkey, nor the other way round', async () => {
  const { person, key } = await secured()
  const half = await halfWay(person)
  const credential = key.get(half.options)
  expect((await new TestBrowser(forge).post('/user/webauthn/passkey/login', { challenge: half.challenge, credential })).status).toBe(422)
  const login = await passkeyAskedOf(new TestBrowser(forge))
  expect((await half.browser.post('/user/webauthn', { challenge: login.challenge, credential: key.get(login.options) })).status).toBe(422)
})

test('an account that may not sign in is not signed in by its passkey', async () => {
  const { person, key } = await secured()
  forge.context.db.tx((tx) => tx.run('UPDATE user SET prohibit_login = 1 WHERE id = ?', person.row.id))
  const answer = await passkeyWith(key)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
})

test('answers that are no answers are refused and nothing else happens', async () => {
  const { person, key, browser } = await secured()
  const half = await halfWay(person)
  const good = JSON.parse(key.get(half.options))
  const deep = `${'['.repeat(8000)}${']'.repeat(8000)}`
  const broken = ['', '{}', 'null', '[]', '"x"', deep, JSON.stringify({ ...good, response: null }), JSON.stringify({ ...good, response: {} })]
  for (const part of ['clientDataJSON', 'authenticatorData', 'signature']) {
    for (const value of [null, 7, '', 'é', 'AAAA', Buffer.from('null').toString('base64url')])
      broken.push(JSON.stringify({ ...good, response: { ...good.response, [part]: value } }))
  }
  for (const credential of broken) {
    const { browser: stranger, challenge } = await halfWay(person)
    expect((await stranger.post('/user/webauthn', { challenge, credential })).status).toBe(401)
    expect((await new TestBrowser(forge).post('/user/webauthn/passkey/login', { challenge, credential })).status).toBeOneOf([401, 422])
    const page = ceremonyIn((await browser.get(SECURITY)).text)
    const added = await browser.post(`${SECURITY}/webauthn/register`, { name: 'other', challenge: page.challenge, credential, password: PASSWORD })
    expect(added.status).toBe(422)
  }
  expect(countFactors(forge.context.db, person.row.id).keys).toBe(1)
})

test('a key is asked to be made once: not for a name that is taken, not for one that was added, not in another session', async () => {
  const { person, key, browser } = await secured()
  const { options, challenge } = ceremonyIn((await browser.get(SECURITY)).text)
  expect(options.excludeCredentials?.map(({ id }) => id)).toEqual(key.credentials.map(({ id }) => id))
  expect(options.user?.id).toBe(key.credentials[0]?.handle as string)
  const add = (from: TestBrowser, name: string, credential: string) =>
    from.post(`${SECURITY}/webauthn/register`, { name, challenge, credential, password: PASSWORD })
  expect((await add(browser, 'KEY', key.create(options))).status).toBe(409)
  expect((await add(new TestBrowser(forge, person), 'second', key.create(options))).status).toBe(422)
  expect((await add(browser, ' ', key.create(options))).status).toBe(422)
  const made = key.create(options)
  const second = await add(browser, 'second', made)
  expect([second.status, second.headers.get('location')]).toEqual([303, SECURITY])
  expect((await add(browser, 'third', made)).status).toBe(422)
  const again = await register(browser, { create: () => made } as never, { name: 'third' })
  expect(again.status).toBe(422)
})

test('keys have names, which their holder alone changes', async () => {
  const { person, browser } = await secured()
  const [row] = listKeys(forge.context.db, person.row.id)
  const address = `${SECURITY}/webauthn/${row?.id}`
  const stranger = new TestBrowser(forge, await newPerson())
  for (const [path, fields] of [
    ['rename', { name: 'mine' }],
    ['delete', { password: PASSWORD }],
  ] as const) {
    expect((await stranger.post(`${address}/${path}`, fields)).status).toBe(404)
  }
  expect((await browser.post(`${address}/rename`, { name: '<b>On my desk</b>' })).status).toBe(303)
  expect((await browser.get(SECURITY)).text).toContain('&lt;b&gt;On my desk&lt;/b&gt;')
})

test('removing the last key asks for the password again, and takes the recovery codes with it', async () => {
  const { person, browser } = await secured()
  const [row] = listKeys(forge.context.db, person.row.id)
  now += 1000
  const remove = (password: string) => browser.post(`${SECURITY}/webauthn/${row?.id}/delete`, { password })
  expect((await remove('')).status).toBe(403)
  expect((await remove(PASSWORD)).status).toBe(303)
  expect(countFactors(forge.context.db, person.row.id)).toEqual({ totp: 0, keys: 0, recovery_codes: 0 })
  expect(await isSignedIn(browser)).toBe(true)
})

test('who has keys alone signs programs in with tokens, not with the password', async () => {
  const { person } = await secured()
  const Authorization = `Basic ${btoa(`${person.name}:${PASSWORD}`)}`
  const answer = await forge.get('/user', { headers: { Authorization } })
  expect([answer.status, answer.body.message]).toEqual([401, expect.stringContaining('WebAuthn')])
  expect((await forge.asUser(person).get('/user')).status).toBe(200)
})

test('keys are for the host that they were added at', async () => {
  const { person, key } = await secured()
  forge.context.db.tx((tx) => tx.run("UPDATE security_key SET rp_id = 'old.example' WHERE user_id = ?", person.row.id))
  const { browser, options } = await halfWay(person)
  expect(options).toEqual({} as AskedOptions)
  expect((await browser.get('/user/two_factor')).text).toContain('at a different address')
  expect((await passkeyWith(key)).status).toBe(401)
})

test('the script is loaded by pages that ask for a key alone, whole, from here', async () => {
  const browser = new TestBrowser(forge, await newPerson())
  const page = await browser.get(SECURITY)
  const script = /<script type="module" src="([^"]+\/keys-[^"]+)"><\/script>/.exec(page.text)?.[1] as string
  const { status, headers, text } = await browser.get(script)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(text).toContain('navigator.credentials')
  const plain = await browser.get('/explore/repos')
  expect(plain.text).not.toContain('/keys-')
})

/** The same authenticator, which does not say whose the key is. */
class SoftwareAuthenticatorWithout extends SoftwareAuthenticator {
  constructor(key: SoftwareAuthenticator) {
    super()
    this.credentials.push(...key.credentials)
  }

  override get(options: AskedOptions, forgery: Forgery = {}): string {
    const answer = JSON.parse(super.get(options, forgery))
    delete answer.response.userHandle
    return JSON.stringify(answer)
  }
}
