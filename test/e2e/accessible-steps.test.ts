import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { receiver } from '../../src/outbound/mail/receiver.fixture.ts'
import { currentCode } from '../../src/people/second-factors/one-time-code.fixture.ts'
import { runBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { soak } from '../soak.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { Examiner, loadAxe } from './examine-page.ts'
import { forgeForStories, type Member, story } from './forge.ts'
import { steps } from './steps.ts'

/** Pages that are no address to open, but a step of something: what letters lead to, other sites send people to, or what went wrong shows. */

const PASSWORD = 'correct horse battery'
const mails = await receiver()
afterAll(() => mails[Symbol.asyncDispose]())

const mailer = { ENABLED: 'true', PROTOCOL: 'smtp', SMTP_ADDR: 'localhost', SMTP_PORT: String(mails.port), FROM: 'forge@example.org' }
const env = {
  POCKETFORGE_SERVICE_DISABLE_REGISTRATION: 'false',
  POCKETFORGE_SERVICE_REGISTER_EMAIL_CONFIRM: 'true',
  POCKETFORGE_SECURITY_SIGN_IN_FAILURES: '0',
  ...Object.fromEntries(Object.entries(mailer).map(([name, value]) => [`POCKETFORGE_MAILER_${name}`, value])),
}

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('a step can be seen and taken by everybody:', () => {
    const forge = forgeForStories({ env })
    const examiner = new Examiner()
    let browser: Chromium
    let grace: Member
    const port = () => new URL(forge.server.origin).port
    const at = (path: string) => `http://localhost:${port()}${path}`

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--admin', '--access-token', '--quiet']
      const made = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])
      grace = { name: 'grace', token: made.stdout.trim(), authorization: '' }
      await post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default', private: true })
      await post('/repos/grace/engine/contents/a.ts', { content: btoa('const a = 1'), message: 'Add a' })
      browser = await Chromium.start(forge.directory)
      await loadAxe(browser)
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    async function post<T>(path: string, body: unknown): Promise<T> {
      const answer = await forge.api(`POST ${path}`, grace, body)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    }

    async function signIn(redirectTo = '/', password = PASSWORD): Promise<void> {
      await browser.open(at(`/user/login?redirect_to=${encodeURIComponent(redirectTo)}`))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password })
    }
    const signOut = () => browser.submit('form[action="/user/logout"]')

    /** Fails unless this page is open. */
    async function expectTitle(title: string): Promise<void> {
      expect(await browser.evaluate<string>("document.querySelector('h1').innerText")).toContain(title)
    }

    /** Fails unless this page is open and has no accessibility fault. */
    async function expectPage(title: string): Promise<void> {
      await expectTitle(title)
      expect([title, await examiner.faultsOf(browser)]).toEqual([title, []])
    }

    /** Does the same for another state of a page that is examined elsewhere; only `npm run soak` examines it again. */
    const expectRepeatedPage = soak(expectTitle, expectPage)

    /** Where the letter after `count` others leads to. */
    async function openLetter(count: number, path: string): Promise<void> {
      const { raw } = await eventually(() => mails.mails[count], 'the letter')
      const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
      const link = /http:\/\/localhost:\d+(\/user\/[^\s"<>]*code=[^\s"<>]+)/.exec(text)?.[1] ?? text
      expect(link).toStartWith(path)
      await browser.open(at(link))
    }

    test('from signing up to a second factor', () =>
      steps({
        'making an account, and following the letter': async () => {
          await browser.open(at('/user/sign_up'))
          await browser.submit('form[action="/user/sign_up"]', { user_name: 'hedy', email: 'hedy@example.org', password: PASSWORD })
          await expectPage('Look into your mail')
          await openLetter(0, '/user/activate?code=')
          await expectRepeatedPage('Activate your account')
          await browser.submit('form[action="/user/activate"]', { password: 'wrong' })
          await expectPage('Activate your account')
          await browser.submit('form[action="/user/activate"]', { password: PASSWORD })
          await signOut()
        },
        'a forgotten password': async () => {
          await browser.open(at('/user/forgot_password'))
          await browser.submit('form[action="/user/forgot_password"]', { email: 'hedy@example.org' })
          await expectRepeatedPage('Look into your mail')
          await openLetter(1, '/user/recover_account?code=')
          await expectPage('Choose a new password')
          await browser.evaluate("document.querySelector('input[type=password]').removeAttribute('minlength')")
          await browser.submit('form[action="/user/recover_account"]', { password: 'hedy' })
          await expectRepeatedPage('Choose a new password')
          await browser.open(at('/user/recover_account?code=over'))
          await expectPage('Forgotten password')
        },
        'another address': async () => {
          await signIn()
          await browser.open(at('/user/settings/emails'))
          await browser.submit('form[action="/user/settings/emails"]', { email: 'grace@example.com' })
          await openLetter(2, '/user/activate_email?code=')
          await expectPage('Confirm your e-mail address')
          await browser.submit('form[action="/user/activate_email"]')
          await expectRepeatedPage('Address confirmed')
          await browser.open(at('/user/activate_email?code=over'))
          await expectRepeatedPage('Not found')
        },
        'a file that is no more, what is not for everybody, and what is no page': async () => {
          await signOut()
          await browser.open(at('/user/sign_in/over'))
          await expectPage('Not found')
          await signIn('/grace/engine/_delete/main/a.ts')
          await browser.submit('main form[method=post]')
          await expectRepeatedPage('engine')
          await browser.open(at('/grace/engine/src/branch/main/a.ts'))
          await expectPage('engine')
          await browser.open(at('/grace/engine/compare/main...nothing'))
          await expectRepeatedPage('engine')
          expect(await browser.text('.problem')).toContain('This repository has no branch, tag or commit named “nothing”.')
          await browser.open(at('/-/admin/users/1/nothing'))
          await expectRepeatedPage('Not found')
          await signOut()
          await browser.open(at('/user/login'))
          await browser.submit('form[action="/user/login"]', { user_name: 'hedy', password: PASSWORD })
          await browser.open(at('/-/admin'))
          await expectPage('Not allowed')
          await signOut()
        },
        'letting an application in': async () => {
          const redirect = 'http://127.0.0.1:1/callback'
          const terms = { name: 'A client', redirect_uris: [redirect], confidential_client: true }
          const { client_id } = await post<{ client_id: string }>('/user/applications/oauth2', terms)
          const ask = (query: string) =>
            at(`/login/oauth/authorize?client_id=${client_id}&response_type=code&redirect_uri=${encodeURIComponent(redirect)}${query}`)
          await signIn()
          await browser.open(ask('&scope=openid%20email%20write:repository&state=1'))
          await expectPage('A client')
          await browser.open(ask('').replace('callback', 'elsewhere'))
          await expectPage('Invalid request')
          await signOut()
        },
        'an account that another site tells of': async () => {
          const callback = `${forge.server.origin}/user/oauth2/itself/callback`
          const terms = { name: 'itself', redirect_uris: [callback], confidential_client: true }
          const { client_id, client_secret } = await post<Record<string, string>>('/user/applications/oauth2', terms)
          const oauth2 = { client_id, client_secret, discovery_url: at('/.well-known/openid-configuration') }
          await post('/admin/auths', { type: 'oauth2', name: 'itself', is_active: true, oauth2 })
          await signIn()
          await browser.open(`${forge.server.origin}/user/login`)
          await expectRepeatedPage('Sign in')
          await browser.evaluate("document.querySelector('a[href*=oauth2]').click()")
          await browser.until('document.querySelector(\'form[action="/login/oauth/grant"]\')')
          await browser.submit('form[action="/login/oauth/grant"]')
          await browser.until("location.pathname === '/user/link_account'")
          await expectPage('Your account')
          await browser.open(at('/'))
        },
        'a second factor, and what it was asked for once it is over': async () => {
          await browser.open(at('/user/settings/security/two_factor/enroll'))
          const secret = (await browser.evaluate<string>("document.querySelector('dd code').textContent")).replaceAll(' ', '')
          await browser.submit('form[action$="/enroll"]', { passcode: currentCode(secret) })
          await expectPage('Your recovery codes')
          await browser.open(at('/'))
          await signOut()
          await signIn('/user/settings')
          await expectRepeatedPage('Second step')
          await browser.submit('form[action="/user/two_factor"]', { passcode: '000000' })
          await expectPage('Second step')
        },
      }))
  })
})
