import { afterEach, beforeEach, expect, test } from 'bun:test'
import { putSource } from '#people/sources/sources.fixture.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { Browser } from './browser.fixture.ts'
import { type Forger, startForger } from './forger.fixture.ts'

let forger: Forger
let forge: TestForge
beforeEach(() => {
  forger = startForger()
  forge = testForge({ oauth2_client: { ENABLE_AUTO_REGISTRATION: true } })
  putSource(forge.context, 'oauth2', { client_id: 'us', client_secret: 'secret', discovery_url: forger.discoveryUrl }, { name: 'op' })
})
afterEach(async () => {
  forger[Symbol.dispose]()
  await forge[Symbol.asyncDispose]()
})

interface Begun {
  browser: Browser
  state: string
  nonce: string
}

async function begin(name = 'op'): Promise<Begun> {
  const browser = new Browser(forge)
  const { searchParams } = new URL((await browser.get(`/user/oauth2/${name}`)).location)
  return { browser, state: searchParams.get('state') as string, nonce: searchParams.get('nonce') as string }
}

const now = () => forge.context.clock.seconds()
const right = (nonce: string) => ({ iss: forger.issuer, aud: 'us', sub: 'u1', nickname: 'grace', email: 'g@corp.example', nonce, iat: now(), exp: now() + 60 })
const people = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM user')?.n

/** The token that is given out to a sign-in with this nonce. */
type Make = (nonce: string) => string

async function finish(make: Make) {
  const { browser, state, nonce } = await begin()
  forger.token = () => make(nonce)
  return browser.get(`/user/oauth2/op/callback?code=c&state=${state}`)
}

test('a token that is as it should be signs in', async () => {
  expect((await finish((nonce) => forger.sign(right(nonce)))).status).toBe(303)
  expect(people()).toBe(1)
})

test.each<[string, Make]>([
  ['that nobody signed', (nonce) => forger.sign(right(nonce), { alg: 'none' }, 'nobody')],
  ['that has no signature', (nonce) => forger.sign(right(nonce), {}, 'nobody')],
  ['that is signed by another key', (nonce) => forger.sign(right(nonce), {}, 'other key')],
  ['that is signed with the public key as a secret', (nonce) => forger.sign(right(nonce), { alg: 'HS256' }, 'public key as a secret')],
  ['that brings its own key', (nonce) => forger.sign(right(nonce), { kid: 'mine', jwk: { kty: 'RSA' } }, 'other key')],
  ['of another issuer', (nonce) => forger.sign({ ...right(nonce), iss: 'https://evil.example' })],
  ['for another client', (nonce) => forger.sign({ ...right(nonce), aud: 'them' })],
  ['for several clients, of whom it is not ours', (nonce) => forger.sign({ ...right(nonce), aud: ['us', 'them'], azp: 'them' })],
  ['that is over', (nonce) => forger.sign({ ...right(nonce), iat: now() - 900, exp: now() - 300 })],
  ['of another sign-in', () => forger.sign(right('0'.repeat(64)))],
  ['without a nonce', (nonce) => forger.sign({ ...right(nonce), nonce: undefined })],
  ['about nobody', (nonce) => forger.sign({ ...right(nonce), sub: '' })],
  ['about very much', (nonce) => forger.sign({ ...right(nonce), sub: 'x'.repeat(300) })],
  ['about no text', (nonce) => forger.sign({ ...right(nonce), sub: 7 })],
  ['that is none', () => 'x.y.z'],
])('a token %s signs nobody in', async (_, make) => {
  const { status, text, cookies } = await finish(make)
  expect([status, text.includes('could not be verified')]).toEqual([401, true])
  expect([people(), cookies.filter((one) => !one.includes('Max-Age=0'))]).toEqual([0, []])
})

test('a provider that lists HMAC and none among its algorithms does not make us take them', async () => {
  forger[Symbol.dispose]()
  forger = startForger({ id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] })
  putSource(forge.context, 'oauth2', { client_id: 'us', client_secret: 'secret', discovery_url: forger.discoveryUrl }, { name: 'lax' })
  for (const [header, by] of [
    [{ alg: 'none' }, 'nobody'],
    [{ alg: 'HS256' }, 'public key as a secret'],
  ] as const) {
    const { browser, state, nonce } = await begin('lax')
    forger.token = () => forger.sign(right(nonce), header, by)
    expect((await browser.get(`/user/oauth2/lax/callback?code=c&state=${state}`)).status).toBe(401)
  }
  expect(people()).toBe(0)
})

test('what is said of another person to the holder of the token is not taken', async () => {
  forger.answers['/.well-known/openid-configuration'] = () => {
    const { issuer } = forger
    const at = (path: string) => `${issuer}${path}`
    return Response.json({
      issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/keys'),
      userinfo_endpoint: at('/me'),
    })
  }
  forger.answers['/me'] = () => Response.json({ sub: 'u2', nickname: 'root', email: 'root@corp.example' })
  expect((await finish((nonce) => forger.sign(right(nonce)))).status).toBe(401)
  expect(people()).toBe(0)
})

test('a code that another source gave is not exchanged at this one: mix-up', async () => {
  using evil = startForger()
  putSource(forge.context, 'oauth2', { client_id: 'us', client_secret: 'other secret', discovery_url: evil.discoveryUrl }, { name: 'evil' })
  const atEvil = await begin('evil')
  // The evil site has sent the browser on to the honest one, whose callback it comes back to.
  forger.token = () => forger.sign(right(atEvil.nonce))
  expect((await atEvil.browser.get(`/user/oauth2/op/callback?code=honest&state=${atEvil.state}`)).status).toBe(400)
  // Or has the honest one's code come back to its own callback.
  const again = await begin('evil')
  const honest = encodeURIComponent(forger.issuer)
  expect((await again.browser.get(`/user/oauth2/evil/callback?code=honest&state=${again.state}&iss=${honest}`)).status).toBe(401)
  expect([evil.asked.includes('POST /token'), forger.asked.includes('POST /token')]).toEqual([false, false])
})

const reach: [string, Record<string, unknown>, number][] = [
  ['cloud metadata', { token_endpoint: 'http://169.254.169.254/latest/api/token' }, 502],
  ['a link-local address', { jwks_uri: 'http://[fe80::1]/keys' }, 502],
  ['no address', { token_endpoint: 'file:///etc/passwd' }, 502],
  ['a script', { authorization_endpoint: 'javascript:alert(1)' }, 502],
  ['nothing', { token_endpoint: undefined }, 502],
  ['another issuer', { issuer: 'https://accounts.example' }, 502],
]

test.each(reach)('a provider whose document leads to %s is not followed there', async (_, document, status) => {
  using evil = startForger(document)
  putSource(forge.context, 'oauth2', { client_id: 'us', discovery_url: evil.discoveryUrl }, { name: 'evil' })
  const browser = new Browser(forge)
  const start = await browser.get('/user/oauth2/evil')
  const params = URL.parse(start.location)?.searchParams
  evil.token = () => evil.sign({ ...right(params?.get('nonce') ?? ''), iss: evil.issuer })
  const end = start.status === 303 ? await browser.get(`/user/oauth2/evil/callback?code=c&state=${params?.get('state')}`) : start
  expect(end.status).toBe(status)
  expect(end.text).not.toContain('169.254')
})

const failures: [string, string, () => Response | Promise<Response>][] = [
  ['redirects to cloud metadata', '/token', () => Response.redirect('http://169.254.169.254/')],
  ['redirects its keys', '/keys', () => Response.redirect('http://169.254.169.254/')],
  ['answers with very much', '/token', () => new Response('{"x":"'.padEnd(600_000, 'x'), { headers: { 'Content-Type': 'application/json' } })],
  ['answers with no JSON', '/token', () => new Response('<html>', { headers: { 'Content-Type': 'application/json' } })],
  ['fails', '/token', () => new Response('oops', { status: 500 })],
  ['has very deep JSON', '/.well-known/openid-configuration', () => new Response('['.repeat(200_000))],
  ['has another kind of document', '/.well-known/openid-configuration', () => Response.json([1])],
]

test.each(failures)('a provider that %s signs nobody in, and the answer is a page', async (_, path, answer) => {
  forger.answers[path] = answer
  const browser = new Browser(forge)
  const start = await browser.get('/user/oauth2/op')
  const params = URL.parse(start.location)?.searchParams
  forger.token = () => forger.sign(right(params?.get('nonce') ?? ''))
  const end = start.status === 303 ? await browser.get(`/user/oauth2/op/callback?code=c&state=${params?.get('state')}`) : start
  expect(end.text).toContain('Sign-in failed')
  expect([401, 502]).toContain(end.status)
  expect([people(), await browser.user()]).toEqual([0, undefined])
})

test('a wrong code is refused, as the provider refuses it', async () => {
  forger.answers['/token'] = () => Response.json({ error: 'invalid_grant', error_description: '<script>' }, { status: 400 })
  const { status, text } = await finish(() => '')
  expect([status, text.includes('<script>')]).toEqual([401, false])
})

test('a provider that does not answer holds up nobody else', async () => {
  let release = () => {}
  forger.answers['/token'] = () => new Promise<Response>((resolve) => (release = () => resolve(new Response('late'))))
  const { browser, state } = await begin()
  const stuck = browser.get(`/user/oauth2/op/callback?code=c&state=${state}`)
  await forge.person('ada', { password: 'correct horse battery' })
  const other = new Browser(forge)
  expect((await other.post('/user/login', { user_name: 'ada', password: 'correct horse battery' })).status).toBe(303)
  expect((await begin()).state).not.toBe('')
  release()
  expect((await stuck).status).toBe(502)
})

test('codes that strangers make up are asked about so often, and no more', async () => {
  forger.answers['/token'] = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  const statuses = new Map<number, number>()
  for (let n = 0; n < 62; n++) {
    const { status } = await finish(() => '')
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [401, 60],
    [429, 2],
  ])
  expect(forger.asked.filter((one) => one === 'POST /token')).toHaveLength(60)
})

test('so many wait for a provider that does not answer, and no more', async () => {
  const held: (() => void)[] = []
  forger.answers['/token'] = () => new Promise<Response>((resolve) => held.push(() => resolve(new Response('late'))))
  const begun: Begun[] = []
  for (let n = 0; n < 51; n++) begun.push(await begin())
  const ends = begun.map(({ browser, state }) => browser.get(`/user/oauth2/op/callback?code=c&state=${state}`))
  expect((await Promise.race(ends)).status).toBe(503)
  await eventually(() => held.length >= 50)
  for (const release of held) release()
  expect((await Promise.all(ends)).filter(({ status }) => status === 502)).toHaveLength(50)
})

test('what a provider says of itself is asked once for many who come at once', async () => {
  await Promise.all(Array.from({ length: 10 }, () => begin()))
  expect(forger.asked).toEqual(['GET /.well-known/openid-configuration'])
})
