import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runBinary } from '../binary.ts'
import { soak } from '../soak.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { forgeForStories, story } from './forge.ts'
import { steps } from './steps.ts'

/** What the next person at a machine finds who only presses "Back". */

const PASSWORD = 'correct horse battery'
const SECRET = 'nobody else may read this'

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const cases: [name: string, host: string, hasScripts: boolean][] = [
    ['of one on this machine without scripts', 'localhost', false],
    ['of one on a LAN over plain HTTP', 'nas', true],
  ]
  story.each(soak(cases, [...cases, ['of a server on this machine', 'localhost', true]]))('after signing out %s', (_, host, hasScripts) => {
    const forge = forgeForStories()
    let browser: Chromium
    const at = (path: string) => `http://${host}:${new URL(forge.server.origin).port}${path}`

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--access-token', '--quiet']
      const made = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])
      const grace = { name: 'grace', token: made.stdout.trim(), authorization: '' }
      await forge.api('POST /user/repos', grace, { name: 'engine', private: true, auto_init: true, readme: 'Default' })
      await forge.api('POST /repos/grace/engine/issues', grace, { title: SECRET })
      browser = await Chromium.start(forge.directory, { hosts: ['MAP nas 127.0.0.1'], hasBackForwardCache: true })
      await browser.send('Emulation.setScriptExecutionDisabled', { value: !hasScripts })
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    async function signIn(): Promise<void> {
      await browser.open(at('/user/login'))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
      await browser.open(at('/grace/engine/issues/1'))
    }
    const shown = () => browser.evaluate<string>('document.body.innerText')
    const isThere = "document.readyState === 'complete' && !document.documentElement.hidden && location.pathname === '/grace/engine/issues/1'"

    test('“Back” shows pages only to whoever is signed in', () =>
      steps({
        'going back leads to no page of before': async () => {
          await signIn()
          expect(await shown()).toContain(SECRET)
          await browser.submit('form[action="/user/logout"]')
          await browser.evaluate('history.back()')
          await browser.until(`${isThere} && document.body.innerText.includes('Not found')`)
          expect(await shown()).not.toContain(SECRET)
        },
        'and whoever is signed in still finds it as it was': async () => {
          await signIn()
          await browser.open(at('/explore/repos'))
          browser.requests.length = 0
          await browser.evaluate('history.back()')
          await browser.until(isThere)
          expect([(await shown()).includes(SECRET), browser.requests]).toEqual([true, []])
        },
      }))
  })
})
