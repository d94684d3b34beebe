import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { currentCode, nextCode } from '../../src/people/second-factors/one-time-code.fixture.ts'
import { runBinary } from '../binary.ts'
import { tryGit } from '../git.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { forgeForStories, story } from './forge.ts'
import { steps } from './steps.ts'

const PASSWORD = 'correct horse battery'

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('a second factor in a browser', () => {
    const forge = forgeForStories()
    let browser: Chromium
    let secret = ''
    let token = ''
    const at = (path: string) => `http://localhost:${new URL(forge.server.origin).port}${path}`

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--access-token', '--quiet']
      token = (await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])).stdout.trim()
      browser = await Chromium.start(forge.directory)
      await browser.send('WebAuthn.enable')
      const authenticator = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
      await browser.send('WebAuthn.addVirtualAuthenticator', { options: { ...authenticator, automaticPresenceSimulation: true } })
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    const heading = () => browser.evaluate<string>("document.querySelector('h1').textContent")
    const signOut = () => browser.submit('form[action="/user/logout"]')
    const typePassword = async () => {
      await browser.open(at('/user/login?redirect_to=/user/settings/security'))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
    }

    test('is set up, signs in, and is taken away', () =>
      steps({
        'an app is set up, and recovery codes are shown': async () => {
          await typePassword()
          await browser.open(at('/user/settings/security/two_factor/enroll'))
          secret = (await browser.evaluate<string>("document.querySelector('dd code').textContent")).replaceAll(' ', '')
          expect(await browser.evaluate<number>("document.querySelector('svg.qr').getBoundingClientRect().width")).toBeGreaterThan(150)
          await browser.submit('form[action$="/enroll"]', { passcode: currentCode(secret) })
          expect(await browser.evaluate<string>("document.querySelector('pre').textContent")).toMatch(/^([a-z2-9]{4}(-[a-z2-9]{4}){3}\n?){10}$/)
        },
        'a passkey is added, and is there by its name': async () => {
          await browser.open(at('/user/settings/security'))
          await browser.submit('form[data-ceremony=create]', { name: 'The virtual one' })
          expect(await browser.evaluate<string>("document.querySelector('.list').textContent")).toContain('The virtual one')
        },
        'the password leads to the second step, and the key signs in': async () => {
          await signOut()
          await typePassword()
          expect(await heading()).toBe('Two-factor authentication')
          await browser.submit('form[data-ceremony=get]')
          expect(await heading()).toBe('Security')
        },
        'the passkey signs in without the password': async () => {
          await signOut()
          await browser.open(at('/user/login?redirect_to=/user/settings/security'))
          await browser.submit('form[data-ceremony=get]')
          expect(await heading()).toBe('Security')
        },
        'without JavaScript the code of the app signs in': async () => {
          await signOut()
          await browser.send('Emulation.setScriptExecutionDisabled', { value: true })
          await typePassword()
          expect(await browser.evaluate<boolean>("document.querySelector('form[data-ceremony]').checkVisibility()")).toBe(false)
          // The code that set the app up is used.
          await browser.submit('form[action="/user/two_factor"]', { passcode: nextCode(secret) })
          expect(await heading()).toBe('Security')
        },
        'git is told to bring a token, until an administrator has taken the factors away': async () => {
          await forge.api('POST /user/repos', { name: 'grace', token, authorization: '' }, { name: 'engine', private: true })
          const ask = async (secret: string) => {
            const origin = forge.server.origin.replace('://', `://grace:${encodeURIComponent(secret)}@`)
            const { exitCode, stderr } = await tryGit(['ls-remote', `${origin}/grace/engine.git`])
            return { isAnswered: exitCode === 0, stderr }
          }
          expect(await ask(PASSWORD)).toEqual({ isAnswered: false, stderr: expect.stringContaining('access token') })
          expect((await ask(token)).isAnswered).toBe(true)
          const taken = await runBinary(['admin', 'user', 'reset-mfa', '--data', forge.server.data, '--username', 'grace'])
          expect(taken.stdout).toContain('Disabled two-factor authentication for grace.')
          expect((await ask(PASSWORD)).isAnswered).toBe(true)
        },
        'at an address without a name the page says why it can use no key': async () => {
          await browser.send('Emulation.setScriptExecutionDisabled', { value: false })
          await browser.open(`${forge.server.origin}/user/login`)
          await browser.evaluate("document.querySelector('form[data-ceremony] button').click()")
          await browser.until("document.querySelector('form[data-ceremony] [role=alert]').textContent.includes('Use a host name')")
        },
        'and the browser had nothing to complain about': () => {
          expect(browser.complaints).toEqual([])
        },
      }))
  })
})
