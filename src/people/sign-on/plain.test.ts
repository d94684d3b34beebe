import { expect, test } from 'bun:test'
import type { ConfigInput } from '#config.ts'
import { putSource } from '#people/sources/sources.fixture.ts'
import { testForge } from '../../../test/harness.ts'
import { Browser } from './browser.fixture.ts'
import { byItself } from './house.fixture.ts'
import { type PlainSite, startPlainSite } from './plain-server.fixture.ts'

const github = () =>
  startPlainSite(
    'github',
    { profile: '/user', emails: '/user/emails' },
    {
      '/user': () => Response.json({ id: 583231, login: 'octo-cat', name: 'The Octocat', email: null, avatar_url: 'https://avatars.example/583231' }),
      '/user/emails': () =>
        Response.json([
          { email: 'shown@corp.example', primary: false, verified: true },
          { email: 'octo@corp.example', primary: true, verified: true },
          { email: 'unproven@corp.example', primary: false, verified: false },
        ]),
    },
  )

const gitlab = () =>
  startPlainSite(
    'gitlab',
    { profile: '/api/v4/user' },
    {
      '/api/v4/user': () => Response.json({ id: 7, username: 'lab.rat', name: 'Lab Rat', email: 'rat@corp.example', confirmed_at: '2026-01-01T00:00:00Z' }),
    },
  )

const gitea = () =>
  startPlainSite(
    'gitea',
    { profile: '/api/v1/user', emails: '/api/v1/user/emails' },
    {
      '/api/v1/user': () => Response.json({ id: 3, login: 'tea', full_name: 'Tea Cup', email: '3+tea@noreply.example' }),
      '/api/v1/user/emails': () => Response.json([{ email: 'tea@corp.example', primary: true, verified: true }]),
    },
  )

async function signOn(site: PlainSite, settings: ConfigInput = byItself, wrong: (back: string) => string = (back) => back) {
  const forge = testForge(settings)
  putSource(forge.context, 'oauth2', site.settings, { name: 'site' })
  const browser = new Browser(forge)
  const start = await browser.get('/user/oauth2/site')
  const end = await browser.get(wrong(site.visit(start.location)))
  return { forge, browser, start, ...end, [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose]() }
}

const accounts = 'SELECT user.name, full_name, user.email, login_name, is_verified FROM user JOIN email_address ON user_id = user.id'

test.each([
  ['GitHub', github, { name: 'octo-cat', full_name: 'The Octocat', email: 'octo@corp.example', login_name: '583231' }],
  ['GitLab', gitlab, { name: 'lab.rat', full_name: 'Lab Rat', email: 'rat@corp.example', login_name: '7' }],
  ['Gitea', gitea, { name: 'tea', full_name: 'Tea Cup', email: 'tea@corp.example', login_name: '3' }],
])('people of a site like %s sign in', async (_, make, account) => {
  using site = make()
  await using made = await signOn(site)
  expect([made.status, await made.browser.user()]).toEqual([303, account.name])
  expect(made.forge.context.db.find(accounts)).toEqual({ ...account, is_verified: 1 })
})

test('only what is asked for is: a profile and addresses, by a code that the verifier goes with', async () => {
  using site = github()
  await using made = await signOn(site)
  const { searchParams } = new URL(made.start.location)
  expect(searchParams.get('scope')).toBe('read:user user:email')
  expect([searchParams.get('code_challenge_method'), searchParams.has('nonce')]).toEqual(['S256', false])
  expect([...(site.exchanged?.keys() ?? [])].sort()).toEqual(['client_id', 'client_secret', 'code', 'code_verifier', 'grant_type', 'redirect_uri'])
})

test('a wrong code, which GitHub answers with status 200, signs nobody in', async () => {
  using site = github()
  await using made = await signOn(site, byItself, (back) => back.replace('code=theirs', 'code=guessed'))
  expect([made.status, await made.browser.user()]).toEqual([401, undefined])
})

test('an issuer that is named must be the site that people were sent to', async () => {
  using site = github()
  await using honest = await signOn(site, byItself, (back) => `${back}&iss=${encodeURIComponent(`${site.settings.auth_url}/oauth`)}`)
  await using mixed = await signOn(site, byItself, (back) => `${back}&iss=https%3A%2F%2Fevil.example`)
  expect([honest.status, mixed.status]).toEqual([303, 401])
})

const auto: ConfigInput = { oauth2_client: { ENABLE_AUTO_REGISTRATION: true, ACCOUNT_LINKING: 'auto' } }

test.each<[string, () => PlainSite, string, () => Response]>([
  ['GitLab without a confirmation', gitlab, '/api/v4/user', () => Response.json({ id: 7, username: 'rat', email: 'ada@example.org', confirmed_at: null })],
  ['GitHub that verified none', github, '/user/emails', () => Response.json([{ email: 'ada@example.org', primary: true, verified: false }])],
  ['Gitea without its list', gitea, '/api/v1/user/emails', () => new Response('no scope', { status: 403 })],
])('an address of %s links nothing', async (_, make, path, answer) => {
  using site = make()
  site.answers[path] = answer
  if (path.endsWith('emails')) site.answers['/user'] = site.answers['/api/v1/user'] = () => Response.json({ id: 5, login: 'eve', email: 'ada@example.org' })
  const forge = testForge(auto)
  await using _forge = forge
  await forge.person('ada')
  putSource(forge.context, 'oauth2', site.settings, { name: 'site' })
  const browser = new Browser(forge)
  const end = await browser.get(site.visit((await browser.get('/user/oauth2/site')).location))
  expect([end.location, await browser.user()]).toEqual(['/user/link_account', undefined])
})

test.each<[string, () => Response, number]>([
  ['has no id', () => Response.json({ login: 'x' }), 401],
  ['has an id that is no number or text', () => Response.json({ id: { $gt: 0 }, login: 'x' }), 401],
  ['is a list', () => Response.json([]), 502],
  ['is not there', () => new Response('', { status: 404 }), 502],
  ['leads elsewhere', () => Response.redirect('http://169.254.169.254/'), 502],
  ['is very large', () => new Response(`{"id":1,"x":"${'x'.repeat(600_000)}"}`), 502],
])('a profile that %s signs nobody in', async (_, answer, status) => {
  using site = github()
  site.answers['/user'] = answer
  await using made = await signOn(site)
  expect([made.status, made.forge.context.db.find('SELECT count(*) AS n FROM user')]).toEqual([status, { n: 0 }])
})

test('with addresses of one’s own, one that is missing is not asked for at the public site', async () => {
  using site = github()
  const forge = testForge(byItself)
  await using _ = forge
  putSource(forge.context, 'oauth2', { ...site.settings, profile_url: '' }, { name: 'site' })
  const browser = new Browser(forge)
  const end = await browser.get(site.visit((await browser.get('/user/oauth2/site')).location))
  expect(end.status).toBe(502)
})
