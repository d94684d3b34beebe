import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { runBinary } from '../binary.ts'
import { Chromium, chromiumPath } from './chromium.ts'
import { forgeForStories, type Member, story } from './forge.ts'

/** What pages do besides where scripts run, in a real browser. */

const PASSWORD = 'correct horse battery'
/** One pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

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
      await post('/repos/grace/engine/contents/lines.txt', { content: btoa('line\n'.repeat(99)), message: 'Add lines', branch: 'main' })
      browser = await Chromium.start(forge.directory, { hasBackForwardCache: true })
      await signIn()
    }, 60_000)
    afterAll(() => browser?.[Symbol.asyncDispose]())

    // Nothing is left of what an earlier test typed or set.
    beforeEach(async () => {
      await browser.send('Emulation.setScriptExecutionDisabled', { value: false })
      await browser.send('Emulation.setTimezoneOverride', { timezoneId: '' })
      await browser.send('Page.navigate', { url: 'about:blank' })
      await browser.send('Storage.clearDataForOrigin', { origin: at(''), storageTypes: 'local_storage' })
    })

    async function post(path: string, body: unknown): Promise<void> {
      const answer = await forge.api(`POST ${path}`, grace, body)
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    }

    async function signIn(): Promise<void> {
      await browser.open(at('/user/login'))
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
    }

    /** Waits until the page has kept what was typed. */
    const type = async (field: string, text: string) => {
      await browser.type(field, text)
      await browser.until(`Object.entries(localStorage).some(([key, value]) => key.startsWith('pf:draft:') && value.includes(${JSON.stringify(text)}))`)
    }

    test('words that are typed are there again after a reload, and gone once they are posted', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'my long thought')
      await browser.open(at('/grace/engine'))
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(comment)).toBe('my long thought')
      expect(await browser.evaluate<string>("document.querySelector('[data-draft]').innerText")).toContain('Your draft was restored.')
      await browser.submit('#write')
      expect(await typed(comment)).toBe('')
      await browser.open(at('/grace/engine/issues/1'))
      expect(await typed(comment)).toBe('')
      expect(await browser.evaluate<string>("document.querySelector('main').innerText")).toContain('my long thought')
    })

    test('words that another tab has sent are gone from this one, unless somebody goes on with them', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'in two tabs')
      const sentElsewhere = `(() => {
        const key = Object.keys(localStorage).find((one) => one.startsWith('pf:draft:grace:'))
        const oldValue = localStorage.getItem(key)
        localStorage.removeItem(key)
        dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null }))
      })()`
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, ' and on')
      await browser.evaluate(sentElsewhere)
      expect(await typed(comment)).toContain(' and on')
      await type(comment, ', and on')
      await browser.open(at('/grace/engine/issues/1'))
      await browser.evaluate(sentElsewhere)
      expect(await typed(comment)).toBe('')
    })

    test('words that are typed survive a session that has ended, and the way back is short', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'written for an hour')
      await browser.send('Network.clearBrowserCookies')
      await browser.submit('#write')
      expect(await browser.evaluate<string>('document.querySelector(\'form[action$="/user/login"]\').innerText')).toContain('saved in this browser')
      await browser.submit('form[action="/user/login"]', { user_name: 'grace', password: PASSWORD })
      expect(await browser.evaluate<string>('location.pathname')).toBe('/grace/engine/issues/1')
      expect(await typed(comment)).toBe('written for an hour')
      expect(await browser.text('#write [role=alert]')).toContain('so it is not saved. Submit it again.')
      await browser.submit('#write')
      expect(await browser.evaluate<string>("[...document.querySelectorAll('article')].at(-1).innerText")).toContain('written for an hour')
      expect(await typed(comment)).toBe('')
    })

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
    })

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
    })

    /** Gives a text files as a paste or a drop does. @param files an expression */
    const give = (field: string, event: 'paste' | 'drop', files: string) =>
      browser.evaluate(`(() => {
        const transfer = new DataTransfer()
        for (const file of ${files}) transfer.items.add(file)
        const text = document.querySelector(${JSON.stringify(field)})
        text.focus()
        const options = { bubbles: true, cancelable: true }
        text.dispatchEvent(${event === 'paste' ? "new ClipboardEvent('paste', { ...options, clipboardData: transfer })" : "new DragEvent('drop', { ...options, dataTransfer: transfer })"})
      })()`)
    const picture = `new File([Uint8Array.from(atob('${PICTURE}'), (one) => one.charCodeAt(0))], 'image.png', { type: 'image/png' })`

    test('pictures that are pasted stand in the issue where they were pasted', async () => {
      await browser.open(at('/grace/engine/issues/new'))
      const text = 'main form textarea'
      await browser.type('input[name=title]', 'With pictures')
      await browser.type(text, 'before')
      await give(text, 'paste', `[${picture}]`)
      await give(text, 'paste', `[${picture}]`)
      await browser.type(text, 'after')
      expect(await typed(text)).toBe('before\n![image.png](attachment:image.png)\n![image-2.png](attachment:image-2.png)\nafter')
      await browser.submit('main form[enctype]')
      const words = await browser.evaluate<string[]>(
        "[...document.querySelector('.text p').childNodes].map((one) => one.textContent.trim() || one.tagName || '')",
      )
      expect(words.filter((word) => !['', 'BR', null].includes(word))).toEqual([
        'before',
        expect.stringMatching(/IMG|A/),
        expect.stringMatching(/IMG|A/),
        'after',
      ])
      await browser.until("[...document.querySelectorAll('.text img')].filter((one) => one.naturalWidth === 1).length === 2")
    })

    test('large files are sent from the page, which stays as it is when they are refused', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await give(comment, 'drop', "[new File([new Uint8Array(600_000)], 'big.exe')]")
      await browser.type(comment, 'see this')
      await browser.evaluate("document.querySelector('#write button[value=comment]').click()")
      await browser.until("document.querySelector('#write [role=alert]')")
      expect(await browser.evaluate<string>("document.querySelector('#write [role=alert]').innerText")).toContain('big.exe')
      expect(await typed(comment)).toContain('see this')
      await browser.evaluate("document.querySelector('#write input[type=file]').value = ''")
      await browser.evaluate(`document.querySelector('${comment}').value = 'see this'`)
      await give(comment, 'drop', "[new File([new Uint8Array(600_000)], 'big.log')]")
      await browser.evaluate("globalThis.isLeft = false; document.querySelector('#write button[value=comment]').click()")
      await browser.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
      expect(await browser.evaluate<string>('location.pathname + location.hash')).toMatch(/^\/grace\/engine\/issues\/1#issuecomment-\d+$/)
      expect(await browser.evaluate<string>("[...document.querySelectorAll('article')].at(-1).innerHTML")).toContain('title="600,000 bytes"')
      expect(await typed(comment)).toBe('')
    })

    test('a form that leads to its own page is taken as well', async () => {
      await browser.open(at('/user/settings/avatar'))
      await browser.evaluate(`(async () => {
        const canvas = new OffscreenCanvas(400, 400), pixels = new ImageData(400, 400)
        crypto.getRandomValues(new Uint8Array(pixels.data.buffer, 0, 65536))
        for (let at = 65536; at < pixels.data.length; at += 65536) crypto.getRandomValues(new Uint8Array(pixels.data.buffer, at, Math.min(65536, pixels.data.length - at)))
        canvas.getContext('2d').putImageData(pixels, 0, 0)
        const transfer = new DataTransfer()
        transfer.items.add(new File([await canvas.convertToBlob()], 'noise.png', { type: 'image/png' }))
        globalThis.isLeft = false
        input = document.querySelector('main input[type=file]')
        input.files = transfer.files
        input.form.querySelector('button').click()
      })()`)
      await browser.until("globalThis.isLeft === undefined && document.readyState === 'complete' && location.pathname === '/user/settings/avatar'")
      expect(await browser.evaluate<boolean>("document.querySelector('main [role=alert]') === null")).toBe(true)
    })

    test('parts of a page that were left out come when they are seen', async () => {
      const files = Array.from({ length: 60 }, (_, i) => ({ operation: 'create', path: `many/file-${i}.txt`, content: btoa(`${i}\n`) }))
      await post('/repos/grace/engine/contents', { files, message: 'Add many', branch: 'main' })
      const { commit } = (await (await forge.api('GET /repos/grace/engine/branches/main', grace)).json()) as { commit: { id: string } }
      await browser.open(at(`/grace/engine/commit/${commit.id}`))
      expect(await browser.evaluate<boolean>("document.querySelector('[data-later] a[href]') !== null")).toBe(true)
      const hasAll = "document.querySelector('[data-later]') === null && document.querySelector('main').innerText.includes('file-59.txt')"
      await browser.until(`(document.querySelector('[data-later]')?.scrollIntoView(), ${hasAll})`)
    })

    test('a text is looked at without leaving it', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await browser.type(comment, 'a **strong** word')
      const look = "[...document.querySelectorAll('#write button')].find((one) => one.textContent === 'Preview')"
      await browser.evaluate(`${look}.click()`)
      await browser.until("document.querySelector('#write section strong')")
      expect(await typed(comment)).toBe('a **strong** word')
      await browser.evaluate(`${look}.click()`)
      expect(await browser.evaluate<boolean>("document.querySelector('#write section').hidden")).toBe(true)
      await browser.evaluate(`document.querySelector('${comment}').value = ''`)
      await browser.open(at('/grace/engine/releases/new'))
      await browser.type('textarea[name=body]', 'a *note*')
      await browser.evaluate("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Preview').click()")
      await browser.until("document.querySelector('main section em')")
      await browser.evaluate("document.querySelector('textarea[name=body]').value = ''")
    })

    const isOpen = (name: string) => browser.evaluate<boolean>(`document.querySelector('dialog[data-${name}][open]') !== null`)

    test('one box goes anywhere, by keys alone, and everybody can use it', async () => {
      await browser.open(at('/grace/engine'))
      await browser.press('/')
      await browser.until("document.querySelector('dialog[data-jump] [aria-selected=true]')")
      expect(await browser.evaluate<string>('document.activeElement.role')).toBe('combobox')
      await browser.send('Input.insertText', { text: '#1' })
      await browser.until("document.querySelector('dialog[data-jump] [aria-selected=true]')?.innerText.includes('It breaks')")
      const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
      await browser.evaluate(source)
      const run =
        "axe.run('dialog', { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + nodes.map((node) => node.html)))"
      expect(await browser.evaluate<string[]>(run)).toEqual([])
      await browser.press('ArrowDown')
      const second = "document.querySelectorAll('dialog [role=option]')[1]"
      expect(await browser.evaluate<string>(`${second}.ariaSelected`)).toBe('true')
      expect(await browser.evaluate<boolean>(`document.activeElement.getAttribute('aria-activedescendant') === ${second}.id`)).toBe(true)
      await browser.press('ArrowUp')
      await browser.evaluate('globalThis.isLeft = false')
      await browser.press('Enter')
      await browser.until("globalThis.isLeft === undefined && location.pathname === '/grace/engine/issues/1' && document.readyState === 'complete'")
      await browser.press('k', 2)
      expect(await isOpen('jump')).toBe(true)
      await browser.press('Escape')
      expect(await isOpen('jump')).toBe(false)
      await browser.type('header input[type=search]', 'eng')
      expect(await isOpen('jump')).toBe(true)
      await browser.send('Input.insertText', { text: 'ine' })
      expect(await typed('dialog[data-jump] input')).toBe('engine')
      await browser.until("document.querySelector('dialog[data-jump] [aria-selected=true]')?.innerText === 'grace/engine'")
    })

    test('keys go to places, and do nothing while something is typed or once they are switched off', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await browser.evaluate("document.querySelector('#write textarea').focus()")
      for (const key of ['/', '?', 'c']) await browser.press(key)
      expect([await typed(comment), await isOpen('jump'), await isOpen('keys')]).toEqual(['/?c', false, false])
      await browser.evaluate(`document.querySelector('${comment}').value = ''; document.activeElement.blur()`)
      await browser.press('?', 8)
      expect(await isOpen('keys')).toBe(true)
      expect(await browser.evaluate<string>("document.querySelector('dialog[open]').innerText")).toContain('Go to issues')
      await browser.evaluate("document.querySelector('dialog[open] input').click()")
      await browser.press('Escape')
      await browser.press('/')
      expect(await isOpen('jump')).toBe(false)
      await browser.press('k', 2)
      await browser.evaluate("[...document.querySelectorAll('dialog[open] button')].find((one) => one.textContent === 'Keyboard shortcuts').click()")
      await browser.evaluate("document.querySelector('dialog[open] input').click()")
      await browser.press('Escape')
      await browser.press('g')
      await browser.press('i')
      await browser.until("location.pathname === '/grace/engine/issues' && document.readyState === 'complete'")
      await browser.press('j')
      await browser.press('j')
      await browser.press('k')
      expect(await browser.evaluate<boolean>("document.activeElement === document.querySelector('main ul.list a')")).toBe(true)
      await browser.press('c')
      await browser.until("location.pathname === '/grace/engine/issues/new' && document.readyState === 'complete'")
      await browser.type('input[name=title]', 'By keys')
      await browser.type('main form textarea', 'all of it')
      await browser.press('Enter', 2)
      await browser.until("document.querySelector('main h2')?.innerText.includes('By keys')")
    })

    test('lines of a file are picked with the mouse, named in the address, and copied as a lasting link', async () => {
      const file = '/grace/engine/src/branch/main/lines.txt'
      await browser.open(at(file))
      const click = (line: number, shiftKey: boolean) =>
        browser.evaluate(
          `document.querySelector('a[href="#L${line}"]').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: ${shiftKey} }))`,
        )
      const picked = () => browser.evaluate<string[]>("[...document.querySelectorAll('[data-picked]')].map(({ id }) => id)")
      await click(5, false)
      await browser.until("location.hash === '#L5'")
      await click(3, true)
      expect([await browser.evaluate<string>('location.hash'), await picked()]).toEqual(['#L3-L5', ['L3', 'L4', 'L5']])
      await browser.open(at(`${file}?#L90-L92`))
      expect(await picked()).toEqual(['L90', 'L91', 'L92'])
      expect(await browser.evaluate<boolean>("document.querySelector('#L90').getBoundingClientRect().top < innerHeight")).toBe(true)
      // As over plain HTTP, where pages have no clipboard.
      await browser.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.addEventListener('copy', ({ target }) => (copied = target.value))",
      )
      await browser.evaluate("[...document.querySelectorAll('[data-lines] button')].find((one) => one.textContent === 'Copy permalink').click()")
      await browser.until('globalThis.copied')
      expect(await browser.evaluate<string>('copied')).toMatch(/\/src\/commit\/[0-9a-f]{40}\/lines\.txt#L90-L92$/)
      await browser.press('l')
      await browser.send('Input.insertText', { text: '7' })
      await browser.press('Enter')
      expect(await picked()).toEqual(['L7'])
      await browser.press('?', 8)
      expect(await browser.evaluate<string>("document.querySelector('dialog[open]').innerText")).toContain('Raw')
      await browser.press('Escape')
      await browser.press('y')
      await browser.until("location.pathname.includes('/src/commit/') && location.hash === '#L7' && document.readyState === 'complete'")
      await browser.press('b')
      await browser.until("location.pathname.includes('/blame/commit/') && document.querySelector('#L7')?.dataset.picked === ''")
    })

    test('a task is ticked in place, and shows what another has ticked meanwhile', async () => {
      await post('/repos/grace/engine/issues', { title: 'Tasks', body: '- [ ] one\n- [ ] two\n' })
      const found = (await (await forge.api('GET /repos/grace/engine/issues?q=Tasks', grace)).json()) as { number: number }[]
      const issue = `/repos/grace/engine/issues/${found[0]?.number}`
      await browser.open(at(`/grace/engine/issues/${found[0]?.number}`))
      await forge.api(`PATCH ${issue}`, grace, { body: '- [ ] one\n- [x] two\n' })
      await browser.evaluate("isHere = true; document.querySelector('.text [role=checkbox]').click()")
      await browser.until("[...document.querySelectorAll('.text [role=checkbox]')].every(({ ariaChecked }) => ariaChecked === 'true')")
      await browser.until("document.querySelector('.edit textarea').value.includes('[x] one')")
      expect(await browser.evaluate<boolean>('isHere')).toBe(true)
      expect(((await (await forge.api(`GET ${issue}`, grace)).json()) as { body: string }).body).toBe('- [x] one\n- [x] two\n')
      await browser.submit('.edit form', { body: '- [x] one\n- [x] two\n- [ ] three\n' })
      expect(await browser.evaluate<string>("document.querySelector('.text').innerText")).toContain('three')
    })

    test('files are found while their letters are typed, and the address says what was looked for', async () => {
      await browser.open(at('/grace/engine'))
      await browser.press('t')
      await browser.until("location.pathname === '/grace/engine/find/branch/main' && document.readyState === 'complete'")
      await browser.evaluate('isHere = true')
      await browser.type('main input[type=search]', 'lnstx')
      await browser.until("document.querySelector('form[data-live] ~ ul')?.innerText.trim() === 'lines.txt'")
      expect(await browser.evaluate<string>('String(isHere) + location.search')).toBe('true?q=lnstx')
    })

    test('an editor asks before it is left with what was not saved', async () => {
      const mayLeave = () => browser.evaluate<boolean>("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
      await browser.open(at('/grace/engine/_edit/main/lines.txt'))
      expect(await mayLeave()).toBe(true)
      await browser.type('textarea[name=content]', 'more')
      expect(await mayLeave()).toBe(false)
      await browser.submit('main form:has(textarea)')
      await browser.open(at('/grace/engine/_edit/main/lines.txt'))
      expect([await mayLeave(), await typed('textarea[name=content]')]).toEqual([true, expect.stringContaining('more')])
    })

    test('what was typed is not left to whoever uses the browser next', async () => {
      await browser.open(at('/grace/engine/issues/1'))
      await type(comment, 'for nobody else')
      await browser.submit('form[action="/user/logout"]')
      expect(await browser.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('for nobody else')
      await signIn()
    })

    test('times are told in the zone of the place', async () => {
      await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
      await browser.open(at('/grace/engine/issues/1'))
      const told = await browser.evaluate<string>("document.querySelector('time').title")
      expect(told).not.toContain('UTC')
      expect(told).toMatch(/\d:\d\d/)
    })

    test('without the script the box is a page, and tasks are ticked with a new one', async () => {
      await browser.send('Emulation.setScriptExecutionDisabled', { value: true })
      await browser.open(at('/-/jump'))
      await browser.submit('main form', { q: 'engine' })
      await browser.follow('grace/engine')
      expect(await browser.evaluate<string>('location.pathname')).toBe('/grace/engine')
      await post('/repos/grace/engine/issues', { title: 'Without', body: '- [ ] one\n' })
      const found = (await (await forge.api('GET /repos/grace/engine/issues?q=Without', grace)).json()) as { number: number }[]
      await browser.open(at(`/grace/engine/issues/${found[0]?.number}`))
      await browser.evaluate("globalThis.isLeft = false; document.querySelector('.text [role=checkbox]').click()")
      await browser.until("globalThis.isLeft === undefined && document.querySelector('.text [role=checkbox]')?.ariaChecked === 'true'")
    })

    // Nothing goes elsewhere, or against the rules of the pages.
    afterAll(() => {
      const hosts = new Set(browser.requests.filter((url) => !url.startsWith('data:')).map((url) => URL.parse(url)?.hostname))
      expect([...hosts]).toEqual(['localhost'])
      // What somebody else had changed meanwhile was refused, a file of a kind that is not taken, and what was written after the session's end.
      expect(browser.complaints.filter((complaint) => !/status of (?:401|409|422)/.test(complaint))).toEqual([])
    })
  })
})
