import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { type Application, CALLBACK, discover, hiddenFields, letIn, makeApplication, OAuthBrowser } from './client.fixture.ts'

/** What a browser sees that an application sends here, and what the application is told. */

let now = 1_800_000_000
let forge: TestForge
let ada: Person
let confidential: Application
let open: Application
beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada')
  await forge.person('maker')
  confidential = await makeApplication(forge, 'maker', { name: 'Builds <b>' })
  open = await makeApplication(forge, 'maker', {
    confidential_client: false,
    redirect_uris: ['http://127.0.0.1:1/callback', 'http://[::1]/', 'http://localhost:1/', CALLBACK],
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const challenge = createHash('sha256').update('x'.repeat(43)).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
const addressOf = ({ client_id }: Application, parameters: Record<string, string> = {}) =>
  `/login/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri: CALLBACK, response_type: 'code', state: 's & t', ...pkce, ...parameters })}`
const browser = (person?: Person) => new OAuthBrowser(forge, person)
const locationOf = (response: Response) => new URL(response.headers.get('location') ?? 'none:', 'http://localhost')
const answerOf = (response: Response) => {
  const { origin, pathname, searchParams } = locationOf(response)
  return { status: response.status, at: origin + pathname, ...Object.fromEntries(searchParams) }
}

describe('an address that is not registered', () => {
  test.each([
    ['http://127.0.0.1:1/callback/../evil'],
    ['http://127.0.0.1:1/callback?x=y'],
    ['http://127.0.0.1:1/callback#part'],
    ['http://127.0.0.1:1/callback/'],
    ['http://127.0.0.1:1/CALLBACK'],
    ['http://127.0.0.1:1/'],
    ['http://127.0.0.1@evil.example/callback'],
    ['http://127.0.0.1:1@evil.example/callback'],
    ['http://evil@127.0.0.1:1/callback'],
    ['http://127.0.0.1:99999/callback'],
    ['http://127.0.0.1:x/callback'],
    ['http://127.0.0.1.evil.example/callback'],
    ['http://127.0.0.2:1/callback'],
    ['http://127.1:1/callback'],
    ['http://2130706433:1/callback'],
    ['http://0x7f.0.0.1:1/callback'],
    ['http://0.0.0.0:1/callback'],
    ['http://127.0.0.1:1\\@evil.example/callback'],
    ['http://127.0.0.1:1/%63allback'],
    ['https://127.0.0.1:1/callback'],
    ['http://[::1]:2/callback'],
    ['http://[::ffff:127.0.0.1]:1/callback'],
    ['http://[0:0:0:0:0:0:0:1]/'],
    ['http://localhost:2/'],
    ['http://localhost:1/callback'],
    ['https://ci.example.org:444/authorize'],
    ['https://ci.example.org/authorize/'],
    ['https://CI.example.org/authorize'],
    ['https://ci.example.org/authorize?next=https://evil.example'],
    ['https://ci.example.org/Authorize'],
    ['https://cı.example.org/authorize'],
    ['https://ci.example.org.evil.example/authorize'],
    ['https://evil.example/authorize'],
    [' https://ci.example.org/authorize'],
    ['https://ci.example.org/authorize\n'],
    ['//ci.example.org/authorize'],
    ['javascript:alert(1)'],
  ])('%j is never answered at, whatever else is wrong', async (redirect_uri) => {
    for (const more of [{}, { response_type: 'token' }, { prompt: 'none' }] as Record<string, string>[]) {
      for (const one of [browser(ada), browser()]) {
        const response = await one.get(addressOf(open, { redirect_uri, ...more }))
        expect([response.status, response.headers.get('location'), response.headers.get('refresh')]).toEqual([400, null, null])
      }
    }
  })

  test('an unknown application is answered nowhere, and neither is one that is named twice', async () => {
    for (const address of [addressOf({ ...open, client_id: 'unknown' }), `${addressOf(open)}&client_id=x`, `${addressOf(open)}&redirect_uri=${CALLBACK}`]) {
      expect([(await browser(ada).get(address)).status, (await browser().get(address)).status]).toEqual([400, 400])
    }
  })

  test('an address can be left out where one is registered, and not where there are several', async () => {
    expect((await browser(ada).agree(addressOf(confidential, { redirect_uri: '' }))).href).toStartWith(CALLBACK)
    expect((await browser(ada).get(addressOf(open, { redirect_uri: '' }))).status).toBe(400)
  })
})

test.each(['http://127.0.0.1:54321/callback', 'http://127.0.0.1/callback', 'http://[::1]:54321/', 'http://[::1]:54321'])(
  'a program on the own machine takes whatever port is free: %s',
  async (redirect_uri) => {
    expect((await browser(ada).agree(addressOf(open, { redirect_uri }))).href).toStartWith(redirect_uri)
  },
)

test('an application that can keep a secret has its port registered, too', async () => {
  const local = await makeApplication(forge, 'maker', { redirect_uris: ['http://127.0.0.1:7/'] })
  expect((await browser(ada).get(addressOf(local, { redirect_uri: 'http://127.0.0.1:8/' }))).status).toBe(400)
  expect((await browser(ada).get(addressOf(local, { redirect_uri: 'http://127.0.0.1:7/' }))).status).toBe(200)
})

test.each<[string, 'open' | 'confidential', Record<string, string>, string]>([
  ['another response type', 'confidential', { response_type: 'token' }, 'unsupported_response_type'],
  ['an id_token at once', 'confidential', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['no response type', 'confidential', { response_type: '' }, 'unsupported_response_type'],
  ['another response mode', 'confidential', { response_mode: 'fragment' }, 'invalid_request'],
  ['no challenge from a public client', 'open', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
  ['no method from a public client', 'open', { code_challenge_method: '' }, 'invalid_request'],
  ['no challenge with a method', 'confidential', { code_challenge: '' }, 'invalid_request'],
  ['another challenge method', 'confidential', { code_challenge_method: 's256' }, 'invalid_request'],
  ['a challenge that is no hash', 'confidential', { code_challenge: 'short' }, 'invalid_request'],
  ['a request object', 'confidential', { request: 'e30.e30.' }, 'request_not_supported'],
  ['the address of a request object', 'confidential', { request_uri: 'https://evil.example' }, 'request_uri_not_supported'],
  ['prompt=none with another', 'confidential', { prompt: 'none login' }, 'invalid_request'],
  ['a max_age that is no number', 'confidential', { max_age: '-1' }, 'invalid_request'],
])('%s is told to the application, with its state and by whom', async (_, which, parameters, error) => {
  for (const one of [browser(ada), browser()]) {
    const answer = answerOf(await one.get(addressOf(which === 'open' ? open : confidential, parameters)))
    expect(answer).toEqual({ status: 303, at: CALLBACK, error, error_description: expect.any(String), state: 's & t', iss: 'http://localhost:3000' } as never)
  }
})

test('a parameter that is sent twice is none', async () => {
  expect(answerOf(await browser(ada).get(`${addressOf(confidential)}&scope=openid&scope=profile`))).toMatchObject({ error: 'invalid_request' })
})

test('a request is taken that the forms to sign in can carry, and a longer one by nobody', async () => {
  const longest = 'ü'.repeat(500)
  const response = await browser().get(addressOf(confidential, { state: longest }))
  const form = { user_name: 'ada', password: 'wrong', redirect_to: locationOf(response).searchParams.get('redirect_to') ?? '' }
  expect([response.status, (await browser().post('/user/login', form)).status]).toEqual([303, 401])
  for (const one of [browser(), browser(ada)]) expect((await one.get(addressOf(confidential, { state: longest.repeat(2) }))).status).toBe(400)
})

describe('the page that asks for consent', () => {
  test('says who asks, who made it, what for, and where the answer leads', async () => {
    const text = await (await browser(ada).get(addressOf(confidential, { scope: 'openid read:repository public-only' }))).text()
    for (const part of [
      'Builds &lt;b&gt;',
      'href="/maker"',
      'https://ci.example.org',
      'identify your account',
      'read repositories',
      'public resources only',
      '>ada<',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('<script>')
  })

  test('says so when everything is asked for', async () => {
    const bob = await forge.person('reader')
    expect(await (await browser(bob).get(addressOf(confidential))).text()).toContain('everything that you have access to')
  })

  test.each([
    [CALLBACK, 'https://ci.example.org'],
    ['http://127.0.0.1:1/callback', 'http://127.0.0.1:1'],
    ['http://[::1]/', 'http:'],
  ])('lets its form lead to %s and nowhere else, and stands in no frame', async (redirect_uri, target) => {
    const { headers } = await browser(ada).get(addressOf(open, { redirect_uri }))
    const policy = headers.get('content-security-policy')
    expect(policy).toContain(`form-action 'self' ${target};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  test('another site cannot answer it, and neither can a request without a session', async () => {
    const fields = { ...hiddenFields(await (await browser(ada).get(addressOf(confidential))).text()), granted: 'true' }
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ] as Record<string, string>[]) {
      expect((await browser(ada).post('/login/oauth/grant', fields, headers)).status).toBe(403)
    }
    const signedOut = await browser().post('/login/oauth/grant', fields)
    expect([signedOut.status, locationOf(signedOut).pathname]).toEqual([303, '/user/login'])
    const byToken = await browser().post('/login/oauth/grant', fields, { Authorization: `token ${ada.token}` })
    expect(locationOf(byToken).pathname).toBe('/user/login')
  })

  test('looks again at what its form brings', async () => {
    const fields = { ...hiddenFields(await (await browser(ada).get(addressOf(open))).text()), granted: 'true' }
    expect((await browser(ada).post('/login/oauth/grant', { ...fields, redirect_uri: 'https://evil.example/' })).status).toBe(400)
    expect(answerOf(await browser(ada).post('/login/oauth/grant', { ...fields, code_challenge: '' }))).toMatchObject({ error: 'invalid_request' })
  })

  test('tells the application when the person refuses, and grants nothing', async () => {
    const bob = await forge.person(`refuser`)
    const answer = await browser(bob).agree(addressOf(confidential), 'false')
    expect(Object.fromEntries(answer.searchParams)).toMatchObject({ error: 'access_denied', state: 's & t' })
    expect(forge.context.db.all('SELECT * FROM oauth2_grant WHERE user_id = ?', bob.row.id)).toEqual([])
  })
})

describe('who has agreed before', () => {
  const isAsked = async (person: Person, application: Application, parameters: Record<string, string>) =>
    (await browser(person).get(addressOf(application, parameters))).status === 200

  test('is not asked again by an application that can keep a secret, as long as it asks for no more', async () => {
    const bob = await forge.person('agreeing')
    await browser(bob).agree(addressOf(confidential, { scope: 'openid read:repository' }))
    expect(await isAsked(bob, confidential, { scope: 'openid read:repository' })).toBe(false)
    expect(await isAsked(bob, confidential, { scope: 'read:repository' })).toBe(false)
    for (const scope of ['openid write:repository', 'openid email read:repository', 'read:repository,read:issue', '', 'all']) {
      expect([scope, await isAsked(bob, confidential, { scope })]).toEqual([scope, true])
    }
    expect(await isAsked(bob, confidential, { scope: 'read:repository', prompt: 'consent' })).toBe(true)
  })

  test('for public things only, is asked for others', async () => {
    const bob = await forge.person('public-only')
    await browser(bob).agree(addressOf(confidential, { scope: 'write:repository public-only' }))
    expect(await isAsked(bob, confidential, { scope: 'read:repository public-only' })).toBe(false)
    expect(await isAsked(bob, confidential, { scope: 'read:repository' })).toBe(true)
  })

  test('is asked each time by a program that anybody could pretend to be', async () => {
    const bob = await forge.person('careful')
    await browser(bob).agree(addressOf(open))
    expect(await isAsked(bob, open, {})).toBe(true)
  })

  test('is not asked by one whose maker says that this once is enough', async () => {
    const bob = await forge.person('easy')
    const skipping = await makeApplication(forge, 'maker', { confidential_client: false, skip_secondary_authorization: true })
    expect(await isAsked(bob, skipping, {})).toBe(true)
    await browser(bob).agree(addressOf(skipping))
    expect(await isAsked(bob, skipping, {})).toBe(false)
  })
})

describe('signing in', () => {
  test('comes first, and leads back', async () => {
    const address = addressOf(confidential, { scope: 'openid', nonce: 'n' })
    const response = await browser().get(address)
    expect([response.status, locationOf(response).pathname, locationOf(response).searchParams.get('redirect_to')]).toEqual([303, '/user/login', address])
  })

  test('behind the form to sign in a page sends the browser on, since that form may lead nowhere else', async () => {
    const bob = await forge.person('returning')
    await browser(bob).agree(addressOf(confidential))
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin' }, { Referer: 'http://localhost/user/login' }] as Record<string, string>[]) {
      const response = await browser(bob).get(addressOf(confidential), headers)
      expect([response.status, response.headers.get('location')]).toEqual([200, null])
      expect(response.headers.get('refresh')).toStartWith(`0; url=${CALLBACK}?code=`)
    }
    expect((await browser(bob).get(addressOf(confidential), { 'Sec-Fetch-Site': 'cross-site', Referer: 'https://ci.example.org/' })).status).toBe(303)
  })

  test.each<[string, Record<string, string>, string]>([
    ['nobody is signed in', {}, 'login_required'],
    ['nobody has agreed', {}, 'consent_required'],
  ])('prompt=none shows nothing when %s', async (name, parameters, error) => {
    const one = name.includes('signed in') ? browser() : browser(await forge.person('silent'))
    expect(answerOf(await one.get(addressOf(confidential, { prompt: 'none', ...parameters })))).toMatchObject({ status: 303, at: CALLBACK, error })
  })

  test('prompt=none answers at once who has agreed', async () => {
    const bob = await forge.person('silent-too')
    await browser(bob).agree(addressOf(confidential))
    expect(answerOf(await browser(bob).get(addressOf(confidential, { prompt: 'none' })))).toMatchObject({ code: expect.any(String) })
  })

  test.each([['login'], ['select_account'], ['login consent']])('prompt=%s signs the browser out by a button, and leads back without it', async (prompt) => {
    const one = browser(ada)
    const page = await one.get(addressOf(confidential, { prompt }))
    expect(page.status).toBe(200)
    const fields = hiddenFields(await page.text())
    expect((await one.get('/user/settings')).status).toBe(200)
    const response = await one.post('/login/oauth/sign_in_again', fields)
    const back = new URL(locationOf(response).searchParams.get('redirect_to') ?? '', 'http://localhost')
    expect([back.pathname, back.searchParams.get('prompt'), back.searchParams.get('state')]).toEqual([
      '/login/oauth/authorize',
      prompt.includes('consent') ? 'consent' : '',
      's & t',
    ])
    expect((await one.get('/user/settings')).status).toBe(303)
  })

  test('max_age asks who has signed in too long ago', async () => {
    const one = browser(ada)
    now += 100
    expect(await (await one.get(addressOf(confidential, { max_age: '99' }))).text()).toContain('Sign in again')
    expect(await (await one.get(addressOf(confidential, { max_age: '100' }))).text()).not.toContain('Sign in again')
    expect(answerOf(await one.get(addressOf(confidential, { max_age: '0', prompt: 'none' })))).toMatchObject({ error: 'login_required' })
    expect(await (await browser(ada).get(addressOf(confidential, { max_age: '0' }))).text()).not.toContain('Sign in again')
  })

  test('an id_token_hint says who is meant, and a forged one nothing', async () => {
    const [bob, eve] = [await forge.person('hinted'), await forge.person('eve')]
    const { id_token: hint = '' } = await letIn(forge, bob, await discover(forge, confidential))
    await browser(eve).agree(addressOf(confidential, { scope: 'openid' }))
    const silent = { prompt: 'none', scope: 'openid' }
    expect(answerOf(await browser(bob).get(addressOf(confidential, { ...silent, id_token_hint: hint })))).toMatchObject({ code: expect.any(String) })
    expect(answerOf(await browser(eve).get(addressOf(confidential, { ...silent, id_token_hint: hint })))).toMatchObject({ error: 'login_required' })
    const [head = '', body = '', signature = ''] = hint.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const other = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: String(eve.row.id) })).toString('base64url')
    for (const forged of [`${none}.${body}.`, `${none}.${other}.`, `${head}.${other}.${signature}`, 'x', `${head}.${body}.`]) {
      expect(answerOf(await browser(eve).get(addressOf(confidential, { ...silent, id_token_hint: forged })))).toMatchObject({ error: 'invalid_request' })
    }
    const another = await makeApplication(forge, 'maker')
    expect(answerOf(await browser(bob).get(addressOf(another, { ...silent, id_token_hint: hint })))).toMatchObject({ error: 'invalid_request' })
  })

  test('an account that must change its password does that first, and one that is barred lets nobody in', async () => {
    const bob = await forge.person('barred')
    const one = browser(bob)
    await one.agree(addressOf(confidential))
    const set = (column: string, value: number) => forge.context.db.tx((tx) => tx.update('user', bob.row.id, { [column]: value }))
    set('must_change_password', 1)
    expect(locationOf(await one.get(addressOf(confidential))).pathname).toBe('/user/settings/change_password')
    expect(answerOf(await one.get(addressOf(confidential, { prompt: 'none' })))).toMatchObject({ error: 'login_required' })
    set('must_change_password', 0)
    for (const [column, value] of [
      ['prohibit_login', 1],
      ['is_active', 0],
    ] as const) {
      const other = browser(bob)
      expect(answerOf(await other.get(addressOf(confidential, { prompt: 'none' })))).toMatchObject({ code: expect.any(String) })
      set(column, value)
      expect(answerOf(await other.get(addressOf(confidential, { prompt: 'none' })))).toMatchObject({ error: 'login_required' })
      set(column, 1 - value)
    }
  })
})

test('a server that lets no applications in says so', async () => {
  await using off = testForge({ oauth2: { ENABLED: false } })
  const person = await off.person('ada')
  const one = new OAuthBrowser(off, person)
  expect((await one.get('/login/oauth/authorize?client_id=d57cb8c4-630c-4168-8324-ec79935e18d4')).status).toBe(403)
  expect((await one.get('/.well-known/openid-configuration')).status).toBe(404)
  for (const path of ['userinfo', 'keys']) expect((await off.app.handle(new Request(`http://localhost/login/oauth/${path}`))).status).toBe(403)
  for (const path of ['access_token', 'introspect', 'revoke']) {
    expect((await off.app.handle(new Request(`http://localhost/login/oauth/${path}`, { method: 'POST', body: '' }))).status).toBe(403)
  }
  const git = await off.app.handle(new Request('http://localhost/ada/x.git/info/refs?service=git-upload-pack'))
  expect(git.headers.get('www-authenticate')).toBe('Basic realm="Gitea (Basic Auth)"')
})

test('programs that the settings do not name are not known', async () => {
  await using some = testForge({ oauth2: { DEFAULT_APPLICATIONS: ['tea'] } })
  const one = new OAuthBrowser(some, await some.person('ada'))
  const ask = (client_id: string) =>
    one.get(`/login/oauth/authorize?${new URLSearchParams({ client_id, response_type: 'code', redirect_uri: 'http://127.0.0.1:1', ...pkce })}`)
  expect((await ask('d57cb8c4-630c-4168-8324-ec79935e18d4')).status).toBe(200)
  expect((await ask('a4792ccc-144e-407e-86c9-5e7d8d9c3269')).status).toBe(400)
})

test('a server that answers nobody who is not signed in still lets applications in', async () => {
  await using closed = testForge({ service: { REQUIRE_SIGNIN_VIEW: true } })
  const person = await closed.person('ada')
  const application = await makeApplication(closed, 'ada')
  const { access_token } = await letIn(closed, person, await discover(closed, application))
  expect(access_token).toBeString()
  const silent = await new OAuthBrowser(closed).get(addressOf(application, { prompt: 'none' }))
  expect(answerOf(silent)).toMatchObject({ at: CALLBACK, error: 'login_required' })
  expect(locationOf(await new OAuthBrowser(closed).get(addressOf(application))).pathname).toBe('/user/login')
})

test('below the path of a proxy all addresses hold', async () => {
  await using below = testForge({ server: { ROOT_URL: 'https://example.org/forge/' } })
  const person = await below.person('ada')
  const application = await makeApplication(below, 'ada')
  const document = (await (await below.app.handle(new Request('http://localhost/.well-known/openid-configuration'))).json()) as Record<string, string>
  expect([document.issuer, document.token_endpoint]).toEqual(['https://example.org/forge', 'https://example.org/forge/login/oauth/access_token'])
  const signedOut = locationOf(await new OAuthBrowser(below).get(addressOf(application)))
  expect([signedOut.pathname, signedOut.searchParams.get('redirect_to')]).toEqual(['/forge/user/login', addressOf(application)])
  const page = await (await new OAuthBrowser(below, person).get(addressOf(application))).text()
  expect(page).toContain('action="/forge/login/oauth/grant"')
})
