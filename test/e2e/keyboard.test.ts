import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Chromium, chromiumPath } from './chromium.ts'
import { story } from './forge.ts'
import { steps } from './steps.ts'
import { forgeInBrowser, PASSWORD, type Person, scriptModes } from './web-forge.ts'

/** The main journey with the keyboard alone, from the sign-in to the merge: wherever it is, one sees where. */

/** So many times Tab is pressed on the way to something. */
const MOST_STOPS = 150

interface Stop {
  name: string
  tag: string
  isSeen: boolean
}

/** What the keyboard is at: its name as it is told to those who cannot see it, and whether it is in sight, marked, and under nothing else. */
const focused = `(() => {
  const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect()
  if (one === document.body) return { name: '', tag: one.tagName, isSeen: true }
  const label = one.labels?.[0]?.innerText.trim() ?? ''
  const name = one.ariaLabel ?? (label || one.innerText?.trim() || one.value || one.title || one.tagName)
  const isMarked = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  const isInside = box.width > 0 && box.bottom > 0 && box.top < innerHeight
  const top = document.elementFromPoint(box.x + Math.min(box.width, 8) / 2, Math.min(Math.max(box.y + Math.min(box.height, 8) / 2, 1), innerHeight - 1))
  return { name, tag: one.tagName, isSeen: isMarked && isInside && (one.contains(top) || top?.contains(one) === true) }
})()`

describe.skipIf(chromiumPath === undefined)('chromium', () => {
  const web = forgeInBrowser()
  afterAll(() => web.expectSilence())

  story.each(scriptModes('without scripts'))('with the keyboard alone, %s', (_, hasScripts) => {
    const owner = hasScripts ? 'grace' : 'hedy'
    const base = `/${owner}/engine`
    const api = `/repos${base}`
    let one: Person
    let page: Chromium

    beforeAll(async () => {
      one = await web.person(owner, { hasScripts })
      page = one.page
      await page.send('Emulation.setFocusEmulationEnabled', { enabled: true })
      await web.call('POST /user/repos', one, { name: 'engine', auto_init: true, default_branch: 'main' })
      await web.call(`POST ${api}/contents/a.txt`, one, { content: btoa('one\ntwo\n'), message: 'Add a', branch: 'main', new_branch: 'topic' })
      await page.submit('form[action="/user/logout"]')
    }, 60_000)

    /** Presses Tab until the keyboard is at what is called so. */
    async function reach(name: string, tag?: string): Promise<void> {
      const passed: string[] = []
      for (let i = 0; i < MOST_STOPS; i++) {
        await page.press('Tab')
        const stop = await page.evaluate<Stop>(focused)
        if (stop.name !== 'BODY' && !stop.isSeen)
          throw new Error(`One does not see where the keyboard is: ${stop.name}, on ${await page.evaluate('location.href')}`)
        // A count may stand below.
        const [called = ''] = stop.name.split('\n')
        passed.push(called)
        if (called === name && (tag ?? stop.tag) === stop.tag) return
      }
      throw new Error(`Cannot reach ${name} on ${await page.evaluate('location.href')}, only ${[...new Set(passed)].join(' | ')}`)
    }

    /** Presses what is called so, which leads to another page. */
    async function follow(name: string, tag?: string): Promise<void> {
      await reach(name, tag)
      await page.evaluate('globalThis.isLeft = false')
      await page.press('Enter')
      await page.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
    }

    async function fill(name: string, text: string): Promise<void> {
      await reach(name)
      await page.send('Input.insertText', { text })
    }

    test('from the sign-in to the merge', () =>
      steps({
        'one signs in, goes to a repository, and opens an issue': async () => {
          await page.open(web.at('/user/login'))
          await fill('User name or e-mail address', owner)
          await fill('Password', PASSWORD)
          await follow('Sign in')
          await follow(`${owner}/engine`)
          await follow('Issues')
          await follow('New issue')
          await fill('Title', 'It breaks')
          await fill('Description', 'here')
          await follow('Create issue')
          expect(await page.text('h2')).toContain('It breaks')
        },
        comments: async () => {
          await fill('Add a comment', 'Mended soon')
          await follow('Comment')
          expect(await page.text()).toContain('Mended soon')
        },
        'opens a pull request, says something of a line, and merges it': async () => {
          await follow('Pull requests')
          await follow('New pull request')
          await fill('Compare', 'topic')
          await follow('Compare branches')
          await follow('Create pull request')
          await follow('Files changed')
          await reach('1')
          await page.press('Enter')
          await page.until("document.activeElement.closest('.note form') !== null")
          await page.send('Input.insertText', { text: 'Why one?' })
          await reach('Start a review')
          await page.press('Enter')
          await page.until("document.querySelector('.note article') !== null")
          await fill('Review summary', 'Fine')
          await follow('Comment')
          expect(await page.text()).toContain('Why one?')
          await follow('Conversation')
          // What it is folded into is called the same.
          await follow('Create a merge commit', 'BUTTON')
          expect(await page.text('.state')).toBe('Merged')
        },
      }))
  })
})
