import { afterAll, beforeAll, expect, test } from 'bun:test'
import { putSource } from '#people/sources/sources.fixture.ts'
import { testForge } from '../../../test/harness.ts'
import { CLIENT, type OpenIdServer, startOpenIdServer } from '../../../test/openid-server.ts'
import { Browser } from './browser.fixture.ts'
import { byItself, CALLBACK, grace, openHouse, openHouseOf } from './house.fixture.ts'

let op: OpenIdServer
beforeAll(async () => {
  op = await startOpenIdServer(CALLBACK)
})
afterAll(() => op[Symbol.asyncDispose]())

test('who comes for the first time gets an account, and has it when they come again', async () => {
  await using made = openHouseOf(op)
  const { forge, sourceId } = made
  const browser = new Browser(forge)
  expect(await made.signOn(grace, browser, '/user/oauth2/op?redirect_to=/explore/repos')).toMatchObject({ status: 303, location: '/explore/repos' })
  expect(await browser.user()).toBe('grace')
  expect(await made.signOn(grace)).toMatchObject({ status: 303, location: '/' })
  const row = forge.context.db.find('SELECT name, full_name, email, password_hash, login_source, login_name, is_active FROM user')
  const account = { name: 'grace', full_name: 'Grace Hopper', email: 'grace@corp.example', password_hash: '', is_active: 1 }
  expect(row).toEqual({ ...account, login_source: sourceId, login_name: 'u1' })
  expect(made.people()).toEqual(['grace'])
})

test.each([
  ['userid', 'u1'],
  ['nickname', 'grace'],
  ['email', 'grace'],
  ['preferred_username', 'ghopper'],
] as const)('accounts are called after the %s', async (USERNAME, name) => {
  await using made = openHouseOf(op, { oauth2_client: { ENABLE_AUTO_REGISTRATION: true, USERNAME } })
  await made.signOn(grace)
  expect(made.people()).toEqual([name])
})

test('a callback counts once', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  const first = await browser.get(back)
  const again = await browser.get(back)
  expect([first.status, again.status]).toEqual([303, 400])
  expect(again.text).toContain('The sign-in has expired, is already complete')
})

test('two callbacks at once make one account', async () => {
  await using made = openHouseOf(op)
  const browsers = [new Browser(made.forge), new Browser(made.forge), new Browser(made.forge)]
  op.person = grace
  const backs = await Promise.all(browsers.map(async (browser) => op.visit((await browser.get('/user/oauth2/op')).location)))
  const ends = await Promise.all(browsers.map((browser, i) => browser.get(backs[i] as string)))
  expect(ends.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(made.people()).toEqual(['grace'])
})

test('one callback twice at once signs in once', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  const ends = await Promise.all([browser.get(back), browser.get(back)])
  expect(ends.map(({ status }) => status).sort()).toEqual([303, 400])
})

test("another browser's callback signs nobody in", async () => {
  await using made = openHouseOf(op)
  op.person = grace
  const back = await op.visit((await new Browser(made.forge).get('/user/oauth2/op')).location)
  const stranger = new Browser(made.forge)
  expect((await stranger.get(back)).status).toBe(400)
  await stranger.get('/user/oauth2/op')
  expect((await stranger.get(back)).status).toBe(400)
  expect(made.people()).toEqual([])
})

test('a forged state signs nobody in, and does not end what is under way', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  const forged = back.replace(/state=\w+/, `state=${'0'.repeat(64)}`)
  for (const address of [forged, back.replace(/state=\w+&?/, ''), '/user/oauth2/op/callback']) expect((await browser.get(address)).status).toBe(400)
  expect((await browser.get(back)).status).toBe(303)
})

test('what was begun in two tabs is finished in both, in any order', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  op.person = grace
  const backs: string[] = []
  for (let n = 0; n < 2; n++) backs.unshift(await op.visit((await browser.get('/user/oauth2/op')).location))
  for (const back of backs) expect((await browser.get(back)).status).toBe(303)
  for (const back of backs) expect((await browser.get(back)).status).toBe(400)
})

test('the database alone finishes nothing that a browser began', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  const { location, cookies } = await browser.get('/user/oauth2/op')
  const { searchParams } = new URL(location)
  const stored = JSON.stringify(made.forge.context.db.all('SELECT * FROM sign_on_attempt'))
  const secrets = [searchParams.get('state') ?? '', searchParams.get('nonce') ?? '', /=(\w{64})/.exec(cookies[0] ?? '')?.[1] ?? '']
  expect(secrets.map((one) => [one.length, stored.includes(one)])).toEqual([
    [64, false],
    [64, false],
    [64, false],
  ])
})

test('who took too long begins again', async () => {
  let now = 1_800_000_000
  await using forge = testForge(byItself, { clock: { seconds: () => now, millis: () => now * 1000 } })
  putSource(forge.context, 'oauth2', { ...CLIENT, discovery_url: op.discoveryUrl }, { name: 'op' })
  const browser = new Browser(forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  now += 601
  expect((await browser.get(back)).status).toBe(400)
})

test('what another issuer answers is not taken', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  expect((await browser.get(back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'))).status).toBe(401)
  expect(made.people()).toEqual([])
})

test('who says no at the other site is told so, and nothing that it said is repeated', async () => {
  await using made = openHouseOf(op)
  const browser = new Browser(made.forge)
  const end = await made.signOn(undefined, browser)
  expect(end.status).toBe(401)
  expect(end.text).toContain('op was not authorized to share your identity')
  expect(end.text).not.toContain('<b>no</b>')
  expect(await browser.user()).toBeUndefined()
})

test.each(['deleted', 'inactive'])('a source that is %s between the two steps lets nobody in', async (what) => {
  await using made = openHouseOf(op)
  const { forge, sourceId } = made
  const browser = new Browser(forge)
  op.person = grace
  const back = await op.visit((await browser.get('/user/oauth2/op')).location)
  forge.context.db.tx((tx) =>
    what === 'deleted' ? tx.run('DELETE FROM login_source WHERE id = ?', sourceId) : tx.update('login_source', sourceId, { is_active: 0 }),
  )
  expect((await browser.get(back)).status).toBe(404)
  expect((await browser.get('/user/oauth2/op')).status).toBe(404)
  expect(made.people()).toEqual([])
})

test('an account that an administrator put out of use stays so', async () => {
  await using made = openHouseOf(op)
  const { forge } = made
  await made.signOn(grace)
  for (const change of [
    { is_active: 0, prohibit_login: 0 },
    { is_active: 1, prohibit_login: 1 },
  ]) {
    forge.context.db.tx((tx) => tx.update('user', 1, change))
    const browser = new Browser(forge)
    expect((await made.signOn({ ...grace, name: 'New Name' }, browser)).status).toBe(403)
    expect(await browser.user()).toBeUndefined()
    expect(forge.context.db.find('SELECT is_active, full_name FROM user')).toEqual({ is_active: change.is_active, full_name: 'Grace Hopper' })
  }
})

test('the sign-in page has a link for each source in use, and asks none of them', async () => {
  await using forge = testForge()
  const closed = 'http://127.0.0.1:1/.well-known/openid-configuration'
  putSource(forge.context, 'oauth2', { ...CLIENT, discovery_url: closed }, { name: 'Corp <SSO>' })
  const { text } = await new Browser(forge).get('/user/login?redirect_to=/ada/engine')
  expect(text).toContain('href="/user/oauth2/Corp%20%3CSSO%3E?redirect_to=%2Fada%2Fengine"')
  expect(text).toContain('Sign in with Corp &lt;SSO&gt;')
  const { status, text: trouble } = await new Browser(forge).get('/user/oauth2/Corp%20%3CSSO%3E')
  expect([status, trouble.includes('returned an invalid response or is unavailable'), trouble.includes('127.0.0.1')]).toEqual([502, true, false])
})

test('after signing in elsewhere one goes where one wanted, never to another site', async () => {
  await using made = openHouseOf(op)
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example', '/\t/evil.example']) {
    expect((await made.signOn(grace, undefined, `/user/oauth2/op?redirect_to=${encodeURIComponent(path)}`)).location).toBe('/')
  }
})

test('while the server is to stay offline nobody is sent anywhere', async () => {
  await using made = openHouseOf(op, { ...byItself, network: { OFFLINE: true } })
  const { status, text } = await new Browser(made.forge).get('/user/oauth2/op')
  expect([status, text.includes('network.OFFLINE')]).toEqual([503, true])
})

test('without auto-registration a newcomer links an account here, with its password', async () => {
  await using made = openHouseOf(op, {})
  const { forge } = made
  await forge.person('ada', { password: 'correct horse battery' })
  const browser = new Browser(forge)
  expect((await made.signOn(grace, browser)).location).toBe('/user/link_account')
  const page = await browser.get('/user/link_account')
  expect([page.text.includes('ghopper'), page.text.includes('link_account_signup')]).toEqual([true, false])
  expect((await browser.post('/user/link_account_signup', { user_name: 'grace' })).status).toBe(403)
  expect((await browser.post('/user/login', { user_name: 'ada', password: 'wrong', redirect_to: '/user/link_account' })).status).toBe(401)
  expect((await browser.post('/user/link_account')).status).toBe(303)
  await browser.post('/user/login', { user_name: 'ada', password: 'correct horse battery', redirect_to: '/user/link_account' })
  expect((await browser.get('/user/link_account')).text).toContain('Link to the account ada')
  expect(await browser.post('/user/link_account')).toMatchObject({ status: 303, location: '/' })
  const later = new Browser(forge)
  await made.signOn(grace, later)
  expect([await later.user(), made.people()]).toEqual(['ada', ['ada']])
})

test('where people may register a newcomer chooses a name', async () => {
  await using made = openHouseOf(op, openHouse)
  const { forge } = made
  await forge.person('ada')
  const browser = new Browser(forge)
  await made.signOn(grace, browser)
  for (const name of ['ada', 'ADA', 'api', 'a/b', '']) {
    const { status, text } = await browser.post('/user/link_account_signup', { user_name: name })
    expect([name, status >= 400 && status < 500, text.includes(`value="${name}"`)]).toEqual([name, true, true])
  }
  expect(await browser.post('/user/link_account_signup', { user_name: 'amazing', email: 'grace@corp.example' })).toMatchObject({ status: 303 })
  expect([await browser.user(), made.people()]).toEqual(['amazing', ['ada', 'amazing']])
  expect((await browser.post('/user/link_account_signup', { user_name: 'second' })).status).toBe(400)
})
