import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Application, makeApplication, OAuthBrowser } from '#people/oauth2/client.fixture.ts'
import { createOrg } from '#people/orgs/create-org.ts'
import type { Oauth2Config } from '#people/sources/index.ts'
import { putSource } from '#people/sources/sources.fixture.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { Browser } from './browser.fixture.ts'

/** People of one forge sign in at another: what it gives as a provider is what it takes as a client. */

let theirs: TestForge
let origin: string
let grace: Person
let application: Application
let server: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  theirs = testForge()
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => theirs.app.handle(request) })
  origin = `http://127.0.0.1:${server.port}`
  theirs.context.rootUrl = `${origin}/`
  grace = await theirs.person('grace', { fullName: 'Grace Hopper' })
  createOrg(theirs.context, grace.row, { username: 'navy' } as Parameters<typeof createOrg>[2])
  application = await makeApplication(theirs, 'grace', { redirect_uris: ['http://localhost/user/oauth2/theirs/callback'] })
})
afterAll(async () => {
  await server.stop(true)
  await theirs[Symbol.asyncDispose]()
})

async function signOn(settings: Partial<Oauth2Config>) {
  const ours = testForge({ oauth2_client: { ENABLE_AUTO_REGISTRATION: true } })
  const { client_id, client_secret } = application
  putSource(ours.context, 'oauth2', { client_id, client_secret, ...settings }, { name: 'theirs' })
  const browser = new Browser(ours)
  const start = await browser.get('/user/oauth2/theirs')
  const back = await new OAuthBrowser(theirs, grace).agree(start.location)
  const end = await browser.get(back.href)
  return { ours, browser, end, [Symbol.asyncDispose]: () => ours[Symbol.asyncDispose]() }
}

const account = 'SELECT name, full_name, email, login_name, is_admin FROM user'
const expected = { name: 'grace', full_name: 'Grace Hopper', email: 'grace@example.org' }

test('by OpenID Connect, with groups', async () => {
  const groups = { scopes: 'groups', group_claim_name: 'groups', admin_group: 'navy:owners' }
  await using made = await signOn({ discovery_url: `${origin}/.well-known/openid-configuration`, ...groups })
  expect([made.end.status, await made.browser.user()]).toEqual([303, 'grace'])
  expect(made.ours.context.db.find(account)).toEqual({ ...expected, login_name: String(grace.row.id), is_admin: 1 })
})

test('by plain OAuth2, in the shape of Gitea', async () => {
  const at = (path: string) => `${origin}/${path}`
  await using made = await signOn({
    provider: 'gitea',
    use_custom_urls: true,
    auth_url: at('login/oauth/authorize'),
    token_url: at('login/oauth/access_token'),
    profile_url: at('api/v1/user'),
    email_url: at('api/v1/user/emails'),
  })
  expect([made.end.status, await made.browser.user()]).toEqual([303, 'grace'])
  expect(made.ours.context.db.find(account)).toEqual({ ...expected, login_name: String(grace.row.id), is_admin: 0 })
})
