import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ADMIN_PASSWORD, runBinary } from '../binary.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { type Forge, forgeForStories, story } from './forge.ts'
import { steps } from './steps.ts'

const PASSWORD = 'correct horse battery'

/** Two executables: people of the one sign in at the other, in a browser for which they are two sites. */
describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('signing in at another forge', () => {
    const theirs = forgeForStories()
    const ours = forgeForStories({ env: { POCKETFORGE_OAUTH2_CLIENT_ENABLE_AUTO_REGISTRATION: 'true' } })
    let browser: Chromium
    const away = () => theirs.server.origin.replace('127.0.0.1', 'localhost')

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--quiet']
      expect((await runBinary(['admin', 'user', 'create', '--data', theirs.server.data, ...person])).exitCode).toBe(0)
      const redirect = `${ours.server.origin}/user/oauth2/Their%20forge/callback`
      const { client_id, client_secret } = await make(theirs, '/user/applications/oauth2', {
        name: 'ours',
        redirect_uris: [redirect],
        confidential_client: true,
      })
      const oauth2 = { client_id, client_secret, discovery_url: `${away()}/.well-known/openid-configuration` }
      await make(ours, '/admin/auths', { type: 'oauth2', name: 'Their forge', oauth2 })
      browser = await Chromium.start(ours.directory)
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    const choose = async () => {
      await browser.open(`${ours.server.origin}/user/login?redirect_to=/user/settings/account_links`)
      await browser.evaluate("document.querySelector('a[href*=oauth2]').click()")
    }
    const isBack = () => browser.until(`location.origin === '${ours.server.origin}' && document.querySelector('form[action="/user/logout"]')`)

    test('makes an account, remembers who is signed in, and says when the other is down', () =>
      steps({
        'a link on the sign-in page leads there and back, to an account that was not there before': async () => {
          await choose()
          await browser.until(`location.origin === '${away()}' && document.querySelector('form[action="/user/login"]')`)
          await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
          await browser.submit('form[action="/login/oauth/grant"]')
          await isBack()
          expect(await browser.evaluate<string>('location.pathname')).toBe('/user/settings/account_links')
          expect(await browser.evaluate<string>("document.querySelector('.list').textContent")).toContain('Their forge')
          const { login, email } = (await (await ours.api('GET /users/grace', ours.ada)).json()) as Record<string, string>
          expect([login, email]).toEqual(['grace', expect.stringContaining('@')])
          expect(browser.complaints).toEqual([])
        },
        'who is signed in there is not asked again, and what was begun outlives a restart': async () => {
          await browser.submit('form[action="/user/logout"]')
          await choose()
          await isBack()
          await browser.submit('form[action="/user/logout"]')
          const started = await fetch(`${ours.server.origin}/user/oauth2/Their%20forge`, { redirect: 'manual' })
          const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
          await ours.restart('SIGKILL')
          const state = new URL(started.headers.get('location') ?? '').searchParams.get('state')
          const back = await fetch(`${ours.server.origin}/user/oauth2/Their%20forge/callback?code=guessed&state=${state}`, { headers: { Cookie: cookie } })
          // The attempt is known still, and the code is what is wrong.
          expect([back.status, await back.text()]).toEqual([401, expect.stringContaining('could not be verified')])
        },
        'while the other forge is down a page says so': async () => {
          await theirs.server.stop()
          // What it said of itself was kept until then.
          await ours.restart()
          await choose()
          await browser.until(
            "location.pathname.startsWith('/user/oauth2/') && document.body.textContent.includes('returned an invalid response or is unavailable')",
          )
        },
      }))
  })
})

/** Makes something by the API, as the administrator. */
async function make(forge: Forge, path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}` }
  const made = await fetch(`${forge.server.origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([made.status, path]).toEqual([201, path])
  return (await made.json()) as Record<string, string>
}
