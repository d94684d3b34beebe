import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { runBinary } from '../binary.ts'
import { git } from '../git.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { commitFiles, forgeForStories, newWorkingCopy, story } from './forge.ts'
import { steps } from './steps.ts'

/** What two people do from the first sign-in to the merge, with nothing but a browser and git; once with scripts, and once without. */

const PASSWORD = 'correct horse battery'
/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const forge = forgeForStories()
  let firstPage: Chromium
  beforeAll(async () => {
    firstPage = await Chromium.start(forge.directory)
  }, 60_000)
  afterAll(() => firstPage?.[Symbol.asyncDispose]())

  // The main path: `npm test` goes it in both modes too.
  story.each([
    ['with scripts', 'grace', true],
    ['without scripts', 'hedy', false],
  ])('a repository in a browser %s', (_, owner, hasScripts) => {
    const reviewer = `${owner}-too`
    let browser: Chromium
    const at = (path: string) => `http://localhost:${new URL(forge.server.origin).port}${path}`
    const text = (selector: string) => browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`)
    const path = () => browser.evaluate<string>('location.pathname')

    beforeAll(async () => {
      for (const name of [owner, reviewer]) {
        const person = ['--username', name, '--email', `${name}@example.org`, '--password', PASSWORD, '--quiet']
        expect((await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])).exitCode).toBe(0)
      }
      browser = await firstPage.somebodyElse()
      await browser.send('Emulation.setScriptExecutionDisabled', { value: !hasScripts })
    }, 60_000)

    async function signIn(name: string): Promise<void> {
      await browser.open(at('/user/login'))
      await browser.submit('form[action="/user/login"]', { user_name: name, password: PASSWORD })
    }

    test('from the first sign-in to the merge', () =>
      steps({
        'one signs in, makes a repository and is told how to push': async () => {
          await signIn(owner)
          expect(await text('h2')).toBe('Needs your attention')
          await browser.open(at('/repo/create'))
          await browser.submit('form[action="/repo/create"]', { name: 'engine', description: 'It runs' })
          expect(await text('main')).toContain(`git remote add origin ${at(`/${owner}/engine.git`).replace('://', `://${owner}@`)}`)
        },
        'pushes, and reads what was pushed': async () => {
          const copy = await newWorkingCopy(join(forge.directory, owner))
          const remote = at(`/${owner}/engine.git`).replace('://', `://${owner}:${encodeURIComponent(PASSWORD)}@`)
          await commitFiles(copy, 'Begin', { 'README.md': '# The engine\n\nIt **runs**.\n', 'a.ts': 'const a = 1\n' })
          await git(['push', '--quiet', remote, 'main'], { cwd: copy })
          await git(['checkout', '--quiet', '-b', 'topic'], { cwd: copy })
          await commitFiles(copy, 'Take two', { 'a.ts': 'const a = 2\n' })
          await git(['push', '--quiet', remote, 'topic'], { cwd: copy })
          await browser.open(at(`/${owner}/engine`))
          expect(await text('.readme article > :first-child')).toBe('The engine')
          await browser.follow('a.ts')
          expect(await text('#L1')).toContain('const a = 1')
        },
        'opens an issue with a picture, which is shown': async () => {
          const picture = join(forge.directory, `${owner}.png`)
          await Bun.write(picture, PICTURE)
          await browser.open(at(`/${owner}/engine/issues/new`))
          await browser.attach('input[type=file]', picture)
          await browser.submit('main form[enctype]', { title: 'It breaks', body: '**here**' })
          expect([await path(), await text('.text strong')]).toEqual([`/${owner}/engine/issues/1`, 'here'])
          await browser.follow(`${owner}.png`)
          expect(await browser.evaluate<number>("document.querySelector('img').naturalWidth")).toBe(1)
        },
        'opens a pull request, on a line of which another asks something and approves': async () => {
          await browser.open(at(`/${owner}/engine/compare/main...topic`))
          await browser.submit('details form', { title: 'Take two', body: 'Closes #1' })
          expect(await path()).toBe(`/${owner}/engine/pulls/2`)
          await browser.submit('form[action="/user/logout"]')
          await signIn(reviewer)
          await browser.open(at(`/${owner}/engine/pulls/2/files`))
          await browser.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 600, deviceScaleFactor: 1, mobile: false })
          const below = "document.documentElement.scrollHeight - scrollY - document.querySelector('.diff-file').getBoundingClientRect().bottom"
          expect(await browser.evaluate<number>(below)).toBeLessThan(200)
          await browser.send('Emulation.clearDeviceMetricsOverride')
          await browser.evaluate("document.querySelector('tr.add td.n a').click()")
          await browser.until("document.activeElement.id === 'write' || document.querySelector('.note textarea')")
          await browser.chooseInPlace('Start a review', { body: 'Why **two**?' }, { of: '.note' })
          await browser.submit('form[action$="/reviews"]', { body: 'Good' })
          await browser.open(at(`/${owner}/engine/pulls/2`))
          expect(await text('main')).toContain('Why two?')
          expect(await text('main')).toContain('approved')
        },
        'and merges it, which closes the issue and shows in the graph': async () => {
          await browser.submit('form[action="/user/logout"]')
          await signIn(owner)
          await browser.open(at(`/${owner}/engine/pulls/2`))
          await browser.submit('form[action$="/merge"]')
          expect(await text('.state')).toBe('Merged')
          await browser.open(at(`/${owner}/engine/issues/1`))
          expect(await text('.state')).toBe('Closed')
          await browser.open(at(`/${owner}/engine/graph`))
          expect(await browser.evaluate<number>("document.querySelectorAll('.lanes .lane-1').length")).toBeGreaterThan(0)
          expect(await text('.log')).toContain('merge')
        },
        'and nothing went elsewhere, or against the rules of the pages': () => {
          const hosts = new Set(browser.requests.filter((url) => !url.startsWith('data:')).map((url) => URL.parse(url)?.hostname))
          expect([[...hosts], browser.complaints]).toEqual([['localhost'], []])
        },
      }))
  })
})
