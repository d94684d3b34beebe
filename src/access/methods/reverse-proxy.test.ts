import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'

/** People whom a proxy in front of the server has signed in. */

const PROXY = '10.0.0.7'
const PASSWORD = 'correct horse'

/** A forge behind a proxy, with `ada`, and requests that come from an address. */
async function behindProxy(service: Record<string, unknown> = {}, security: Record<string, unknown> = {}) {
  const forge = testForge({
    service: { ENABLE_REVERSE_PROXY_AUTHENTICATION: true, ENABLE_REVERSE_PROXY_AUTHENTICATION_API: true, ...service },
    security: { REVERSE_PROXY_TRUSTED_PROXIES: ['10.0.0.0/24'], ...security },
  })
  const ada = await forge.person('ada', { password: PASSWORD })
  let address = PROXY
  forge.context.clients.server = { requestIP: () => ({ address, port: 1, family: 'IPv4' }) }
  const send = (path: string, headers: Record<string, string> | [string, string][], { from = PROXY, ...init }: RequestInit & { from?: string } = {}) => {
    address = from
    return forge.app.handle(new Request(`http://localhost${path}`, { headers, ...init }))
  }
  const whoami = async (headers: Record<string, string> | [string, string][], from = PROXY) => {
    const response = await send('/api/v1/user', headers, { from })
    const body = (await response.json()) as { login?: string; message: string }
    return [response.status, body.login ?? body.message]
  }
  return { forge, ada, send, whoami, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() }
}

const everything = {
  ENABLE_REVERSE_PROXY_AUTO_REGISTRATION: true,
  ENABLE_REVERSE_PROXY_EMAIL: true,
  ENABLE_REVERSE_PROXY_FULL_NAME: true,
}
/** As a proxy sends it. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')
const rowOf = ({ context }: TestForge, name: string) =>
  context.db.find<{ email: string; full_name: string; is_active: number; password_hash: string }>('SELECT * FROM user WHERE lower_name = ?', name)

test('whom a trusted proxy names is signed in, in any case of the name; from anybody else the header is nothing', async () => {
  await using world = await behindProxy()
  expect(await world.whoami({ 'X-Webauth-User': 'ada' })).toEqual([200, 'ada'])
  expect(await world.whoami({ 'X-WEBAUTH-USER': ' ADA ' })).toEqual([200, 'ada'])
  expect(await world.whoami({ 'X-Webauth-User': 'ada' }, '::ffff:10.0.0.7')).toEqual([200, 'ada'])
  for (const from of ['192.0.2.1', '127.0.0.1', '10.0.1.7', '::1']) {
    expect(await world.whoami({ 'X-Webauth-User': 'ada' }, from)).toEqual([401, 'token is required'])
    expect(await world.whoami({ 'X-Webauth-User': 'ada', 'X-Forwarded-For': PROXY }, from)).toEqual([401, 'token is required'])
  }
})

test('a client behind the proxy is still the client, whoever is signed in', async () => {
  await using world = await behindProxy()
  expect(await world.whoami({ 'X-Webauth-User': 'ada', 'X-Forwarded-For': '192.0.2.1' })).toEqual([200, 'ada'])
})

test('without the settings the headers are nothing, not even from this machine', async () => {
  await using off = testForge()
  await off.person('ada')
  expect((await off.get('/user', { headers: { 'X-Webauth-User': 'ada' } })).status).toBe(401)
  await using pagesOnly = await behindProxy({ ENABLE_REVERSE_PROXY_AUTHENTICATION_API: false })
  expect((await pagesOnly.whoami({ 'X-Webauth-User': 'ada' }))[0]).toBe(401)
  expect(await (await pagesOnly.send('/user/settings', { 'X-Webauth-User': 'ada' })).text()).toContain('Hide activity')
})

test.each([
  ['ENABLE_REVERSE_PROXY_AUTHENTICATION', { service: { ENABLE_REVERSE_PROXY_AUTHENTICATION: true } }, 'security.REVERSE_PROXY_TRUSTED_PROXIES is empty'],
  ['the API alone', { service: { ENABLE_REVERSE_PROXY_AUTHENTICATION_API: true } }, 'needs service.ENABLE_REVERSE_PROXY_AUTHENTICATION'],
  ['a header that is none', { security: { REVERSE_PROXY_AUTHENTICATION_USER: 'X_USER' } }, 'name of a header'],
])('a start with %s and no more is refused', (_, input, message) => {
  expect(() => makeConfig('/tmp/none', input)).toThrow(message)
})

test('the headers go by the names that the settings give them', async () => {
  await using world = await behindProxy(
    { ENABLE_REVERSE_PROXY_EMAIL: true },
    { REVERSE_PROXY_AUTHENTICATION_USER: 'Remote-User', REVERSE_PROXY_AUTHENTICATION_EMAIL: 'Remote-Email' },
  )
  expect(await world.whoami({ 'Remote-User': 'ada' })).toEqual([200, 'ada'])
  expect(await world.whoami({ 'remote-email': 'ADA@example.org' })).toEqual([200, 'ada'])
  expect((await world.whoami({ 'X-Webauth-User': 'ada' }))[0]).toBe(401)
})

test('nobody whom the server does not know is signed in: 404, also where everybody may look', async () => {
  await using world = await behindProxy({ ENABLE_REVERSE_PROXY_EMAIL: true })
  await world.forge.asUser(world.ada).post('/orgs', { username: 'acme' })
  await world.forge.person('kim')
  const unknown: Record<string, string>[] = [
    { 'X-Webauth-User': 'nobody' },
    { 'X-Webauth-Email': 'nobody@example.org' },
    { 'X-Webauth-User': 'acme' },
    { 'X-Webauth-User': 'ada@example.org' },
    { 'X-Webauth-User': 'nobody', 'X-Webauth-Email': 'ada@example.org' },
    { 'X-Webauth-User': bytesOf('\u212aim') },
    { 'X-Webauth-Email': bytesOf('\u212aim@example.org') },
  ]
  for (const headers of unknown) {
    expect((await world.whoami(headers))[0]).toBe(404)
    expect((await world.send('/api/v1/version', headers)).status).toBe(404)
    expect((await world.send('/', headers)).status).toBe(404)
  }
})

test('an address counts alone, where the setting says so and it was shown to be theirs', async () => {
  await using world = await behindProxy({ ENABLE_REVERSE_PROXY_EMAIL: true })
  expect(await world.whoami({ 'X-Webauth-Email': 'Ada@example.org' })).toEqual([200, 'ada'])
  world.forge.context.db.tx((tx) => tx.run("INSERT INTO email_address (user_id, email, lower_email) VALUES (1, 'x@example.org', 'x@example.org')"))
  expect((await world.whoami({ 'X-Webauth-Email': 'x@example.org' }))[0]).toBe(404)
  await using without = await behindProxy()
  expect((await without.whoami({ 'X-Webauth-Email': 'ada@example.org' }))[0]).toBe(401)
})

test.each<[string, [string, string][]]>([
  [
    'twice',
    [
      ['X-Webauth-User', 'ada'],
      ['X-Webauth-User', 'bob'],
    ],
  ],
  ['with two values', [['X-Webauth-User', 'ada, bob']]],
  [
    'with underscores besides',
    [
      ['X-Webauth-User', 'ada'],
      ['X_Webauth_User', 'bob'],
    ],
  ],
  [
    'with one underscore besides',
    [
      ['X-Webauth-User', 'ada'],
      ['X-Webauth_User', 'bob'],
    ],
  ],
  [
    'with an address spelt with underscores besides',
    [
      ['X-Webauth-User', 'ada'],
      ['X_WEBAUTH_EMAIL', 'bob@example.org'],
    ],
  ],
])('a name that comes %s is nobody knows whose, and is refused', async (_, headers) => {
  await using world = await behindProxy()
  await world.forge.person('bob')
  expect(await world.whoami(headers)).toEqual([401, expect.stringContaining('is ambiguous')])
  const page = await world.send('/user/login', [...headers, ['Accept', 'text/html']])
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('is ambiguous')])
})

test('headers with underscores alone, or without a value, name nobody', async () => {
  await using world = await behindProxy()
  for (const headers of [{ X_Webauth_User: 'ada' }, { 'X-Webauth-User': '' }, { 'X-Webauth-User': '  ' }]) {
    expect(await world.whoami(headers as unknown as Record<string, string>)).toEqual([401, 'token is required'])
  }
})

test('what a request shows itself goes first: whoever sends a token or a password is asked for no header', async () => {
  await using world = await behindProxy()
  const bob = await world.forge.person('bob')
  expect(await world.whoami({ 'X-Webauth-User': 'ada', Authorization: `token ${bob.token}` })).toEqual([200, 'bob'])
  expect((await world.whoami({ 'X-Webauth-User': 'ada', Authorization: `token ${'0'.repeat(40)}` }))[0]).toBe(401)
})

test('an account is made where the setting says so, once, with what the settings let the proxy tell', async () => {
  await using world = await behindProxy(everything)
  const headers = { 'X-Webauth-User': 'Grace', 'X-Webauth-Email': 'grace@corp.example', 'X-Webauth-Fullname': bytesOf('Gräce Höpper') }
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.whoami(headers)))
  expect(answers).toEqual(Array.from({ length: 10 }, () => [200, 'Grace']))
  expect(rowOf(world.forge, 'grace')).toMatchObject({ email: 'grace@corp.example', full_name: 'Gräce Höpper', is_active: 1, password_hash: '' })
  await using plain = await behindProxy({ ENABLE_REVERSE_PROXY_AUTO_REGISTRATION: true })
  expect(await plain.whoami(headers)).toEqual([200, 'Grace'])
  expect(rowOf(plain.forge, 'grace')).toMatchObject({ email: expect.stringMatching(/^[0-9a-f-]{36}@localhost$/), full_name: '' })
})

test.each([
  ['a name of the server', { 'X-Webauth-User': 'api' }],
  ['a name that is none', { 'X-Webauth-User': 'a/../b' }],
  ['a name with look-alikes', { 'X-Webauth-User': bytesOf('аda') }],
  ['an address that is somebody else’s', { 'X-Webauth-User': 'eve', 'X-Webauth-Email': 'ada@example.org' }],
  ['an address that is none', { 'X-Webauth-User': 'eve', 'X-Webauth-Email': 'eve' }],
  ['an organization', { 'X-Webauth-User': 'acme' }],
])('no account is made with %s', async (_, headers) => {
  await using world = await behindProxy(everything)
  await world.forge.asUser(world.ada).post('/orgs', { username: 'acme' })
  const before = world.forge.context.db.find('SELECT count(*) AS n FROM user')
  const [status] = await world.whoami(headers)
  expect(status === 403 || status === 404).toBeTrue()
  expect((await world.send('/', { ...headers, Accept: 'text/html' })).status).toBe(status as number)
  expect(world.forge.context.db.find('SELECT count(*) AS n FROM user')).toEqual(before)
})

test('an account that is barred or inactive stays so', async () => {
  await using world = await behindProxy(everything)
  for (const column of ['prohibit_login', 'is_active']) {
    world.forge.context.db.tx((tx) => tx.update('user', world.ada.row.id, { prohibit_login: 0, is_active: 1, [column]: column === 'is_active' ? 0 : 1 }))
    expect((await world.whoami({ 'X-Webauth-User': 'ada' }))[0]).toBe(403)
    expect((await world.send('/', { 'X-Webauth-User': 'ada' })).status).toBe(403)
  }
})

test('no other site writes with what the proxy goes by, on pages and elsewhere; programs do', async () => {
  await using world = await behindProxy()
  const settings = async (path: string, type: string, body: string, headers: Record<string, string>) =>
    (await world.send(path, { 'X-Webauth-User': 'ada', 'Content-Type': type, ...headers }, { method: path.startsWith('/api') ? 'PATCH' : 'POST', body })).status
  const api = (headers: Record<string, string>) => settings('/api/v1/user/settings', 'application/json', '{"description":"x"}', headers)
  const page = (headers: Record<string, string>) => settings('/user/settings', 'application/x-www-form-urlencoded', 'description=x', headers)
  const foreigners: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ]
  for (const foreign of foreigners) {
    expect([await api(foreign), await page(foreign)]).toEqual([403, 403])
  }
  expect([await api({}), await page({})]).toEqual([200, 403])
  expect([await api({ 'Sec-Fetch-Site': 'same-origin' }), await page({ 'Sec-Fetch-Site': 'same-origin' })]).toEqual([200, 303])
})

test('on pages the header replaces a session of somebody else, and nothing asks for a password', async () => {
  await using world = await behindProxy()
  const bob = await world.forge.person('bob', { password: PASSWORD })
  const signedIn = await world.send(
    '/user/login',
    { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://localhost' },
    {
      method: 'POST',
      body: new URLSearchParams({ user_name: bob.name, password: PASSWORD }).toString(),
    },
  )
  const Cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string
  const nameOn = async (headers: Record<string, string>) =>
    /name="full_name" value="([^"]*)"/.exec(await (await world.send('/user/settings', headers)).text())?.[1]
  await world.forge.asUser(world.ada).patch('/user/settings', { full_name: 'Ada' })
  await world.forge.asUser(bob).patch('/user/settings', { full_name: 'Bob' })
  expect([await nameOn({ Cookie }), await nameOn({ Cookie, 'X-Webauth-User': 'ada' })]).toEqual(['Bob', 'Ada'])
  const form = { 'X-Webauth-User': 'ada', 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://localhost' }
  const made = await world.send('/user/settings/applications', form, { method: 'POST', body: 'name=x&scopes=all' })
  expect([made.status, /<pre>[0-9a-f]{40}</.test(await made.text())]).toEqual([200, true])
})

test('a page that says what went wrong greets whom the proxy names', async () => {
  await using world = await behindProxy()
  const page = async (headers: Record<string, string>) => (await world.send('/ada/not-there', { Accept: 'text/html', ...headers })).text()
  expect([(await page({})).includes('>Sign in<'), (await page({ 'X-Webauth-User': 'ada' })).includes('>Sign in<')]).toEqual([true, false])
})

test('who comes through a proxy acts as nobody else on a page', async () => {
  await using world = await behindProxy()
  const root = await world.forge.person('root1', { isAdmin: true })
  await world.forge.asUser(root).patch('/user/settings', { full_name: 'Root' })
  const page = await world.send('/user/settings?sudo=ada', { 'X-Webauth-User': 'root1', Sudo: 'ada' })
  expect(await page.text()).toContain('value="Root"')
  expect(await world.whoami({ 'X-Webauth-User': 'root1', Sudo: 'ada' })).toEqual([200, 'ada'])
})

test('tokens can be made by the API, and git reads and files are shown', async () => {
  await using world = await behindProxy()
  const made = await world.send(
    '/api/v1/users/ada/tokens',
    { 'X-Webauth-User': 'ada', 'Content-Type': 'application/json' },
    { method: 'POST', body: JSON.stringify({ name: 'x', scopes: ['all'] }) },
  )
  expect(made.status).toBe(201)
  await world.forge.asUser(world.ada).post('/user/repos', { name: 'secret', private: true, auto_init: true })
  const statuses = async (headers: Record<string, string>) => [
    (await world.send('/ada/secret.git/info/refs?service=git-upload-pack', headers)).status,
    (await world.send('/ada/secret/raw/branch/main/README.md', headers)).status,
  ]
  expect([await statuses({ 'X-Webauth-User': 'ada' }), await statuses({})]).toEqual([
    [200, 200],
    [401, 404],
  ])
})

test('files are shown to browsers where pages alone believe the proxy', async () => {
  await using world = await behindProxy({ ENABLE_REVERSE_PROXY_AUTHENTICATION_API: false })
  await world.forge.asUser(world.ada).post('/user/repos', { name: 'secret', private: true, auto_init: true })
  expect((await world.send('/ada/secret/raw/branch/main/README.md', { 'X-Webauth-User': 'ada' })).status).toBe(200)
  expect((await world.send('/ada/secret.git/info/refs?service=git-upload-pack', { 'X-Webauth-User': 'ada' })).status).toBe(401)
})

test('whom the proxy names is not answered as the visitor who asked the same before', async () => {
  await using world = await behindProxy()
  const { id } = world.forge.repo(world.ada, 'mine')
  const adminOf = async (headers: Record<string, string>) => {
    const response = await world.send(`/api/v1/repositories/${id}`, headers)
    return ((await response.json()) as { permissions: { admin: boolean } }).permissions.admin
  }
  expect([await adminOf({}), await adminOf({})]).toEqual([false, false])
  expect(await adminOf({ 'X-Webauth-User': 'ada' })).toBe(true)
  expect(await adminOf({})).toBe(false)
})
