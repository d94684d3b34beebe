import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runBinary } from '../binary.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { forgeForStories, type Member, story } from './forge.ts'

/** What pages do besides where scripts run, in a real browser. */

const PASSWORD = 'correct horse battery'

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  story('with our script', () => {
    const forge = forgeForStories()
    let browser: Chromium
    let grace: Member
    const at = (path: string) => `http://localhost:${new URL(forge.server.origin).port}${path}`
    const typed = (field: string) => browser.evaluate<string>(`document.querySelector(${JSON.stringify(field)}).value`)
    const comment = '#write textarea'

    beforeAll(async () => {
      const person = ['--username', 'grace', '--email', 'grace@example.org', '--password', PASSWORD, '--access-token', '--quiet']
      const made = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...person])
      grace = { name: 'grace', token: made.stdout.trim(), authorization: '' }
      await post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
      await post('/repos/grace/engine/issues', { title: 'It breaks', body: 'first' })
      browser = await Chromium.start(forge.directory)
      await signIn()
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    async function post(path: string, body: unknown): Promise<void> {
      const answer = await forge.api(`POST ${path}`, grace, body)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    }

    async function signIn(): Promise<void> {
      await browser.open(at('/user/login'))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
    }

    /** Long enough for what is typed to be kept. */
    const type = async (field: string, text: string) => {
      await browser.type(field, text)
      await Bun.sleep(400)
    }

    test('words that are typed are there again after a reload, and gone once they are posted', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'my long thought')
      await browser.open(at('/grace/engine'))
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(comment)).toBe('my long thought')
      expect(await browser.evaluate<string>("document.querySelector('[data-draft]').innerText")).toContain('What you typed is back.')
      await browser.submit('#write')
      expect(await typed(comment)).toBe('')
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(comment)).toBe('')
      expect(await browser.evaluate<string>("document.querySelector('main').innerText")).toContain('my long thought')
    }, 60_000)

    test('words that are typed survive a session that has ended, and the way back is short', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'written for an hour')
      await browser.send('Network.clearBrowserCookies')
      await browser.submit('#write')
      expect(await browser.evaluate<string>('document.querySelector(\'form[action$="/user/login"]\').innerText')).toContain('kept in this browser')
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
      expect(await browser.evaluate<string>('location.pathname')).toBe('/grace/engine/issues/1')
      expect(await typed(comment)).toBe('written for an hour')
      await browser.evaluate("document.querySelector('[data-draft] button').click()")
      expect(await typed(comment)).toBe('')
    }, 60_000)

    test('an edit begun on an older text does not undo what another wrote meanwhile', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      const text = '#issue-1 .edit textarea'
      await browser.evaluate("document.querySelector('#issue-1 .edit').open = true")
      await type(text, 'mine ')
      const changed = await forge.api('PATCH /repos/grace/engine/issues/1', grace, { body: 'another wrote this' })
      expect(changed.status).toBe(201)
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(text)).toContain('mine')
      await browser.submit('#issue-1 .edit form')
      expect(await (await forge.api('GET /repos/grace/engine/issues/1', grace)).json()).toMatchObject({ body: 'another wrote this' })
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(text)).toContain('mine')
      await browser.evaluate("document.querySelector('[data-draft] button').click()")
      expect(await typed(text)).toBe('another wrote this')
    }, 60_000)

    test('a form that is sent twice by two clicks is taken once, and can be sent again after going back', async () => {
      await browser.open(at('/grace/engine/issues/new'))
      await browser.type('input[name=title]', 'Once')
      await browser.evaluate(`
        globalThis.isLeft = false
        button = document.querySelector('main form[enctype] button[type=submit]')
        button.click()
        button.click()`)
      await browser.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
      const found = (await (await forge.api('GET /repos/grace/engine/issues?q=Once', grace)).json()) as unknown[]
      expect(found).toHaveLength(1)
      await browser.evaluate('history.back()')
      await browser.until("location.pathname === '/grace/engine/issues/new'")
      await browser.submit('main form[enctype]', { title: 'Twice' })
      expect(await browser.evaluate<string>("document.querySelector('main h2').innerText")).toContain('Twice')
    }, 60_000)

    test('what was typed is not left to whoever uses the browser next', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'for nobody else')
      await browser.submit('form.account')
      expect(await browser.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('for nobody else')
      await signIn()
    }, 60_000)

    test('times are told in the zone of the place', async () => {
      await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
      await browser.open(at('/grace/engine/issues/1'))
      const told = await browser.evaluate<string>("document.querySelector('time').title")
      expect(told).not.toContain('UTC')
      expect(told).toMatch(/\d:\d\d/)
    }, 60_000)

    test('and nothing went elsewhere, or against the rules of the pages', () => {
      const hosts = new Set(browser.requests.filter((url) => !url.startsWith('data:')).map((url) => URL.parse(url)?.hostname))
      expect([...hosts]).toEqual(['localhost'])
      // What somebody else had changed meanwhile was refused.
      expect(browser.complaints.filter((complaint) => !/status of 409/.test(complaint))).toEqual([])
    })
  })
})
