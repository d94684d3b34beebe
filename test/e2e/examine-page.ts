import { readFileSync } from 'node:fs'
import { isSoak } from '../soak.ts'
import type { Chromium } from './chromium.ts'

/** Success criteria of WCAG 2.2 AA, as axe-core tags its rules. */
const CRITERIA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
const OTHER_SCHEMES: Record<string, string>[] = [{ 'prefers-color-scheme': 'dark' }, { 'forced-colors': 'active' }]

/** Puts axe-core into every page that the browser opens from now on. */
export async function loadAxe(browser: Chromium): Promise<void> {
  const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
  await browser.send('Page.addScriptToEvaluateOnNewDocument', { source })
}

/**
 * Examines one page after another in light, dark and forced colors, and on a narrow screen. All pages share a style sheet: dark and
 * forced colors are judged on the first page where a text looks like that, and on each page by `npm run soak`.
 */
export class Examiner {
  /** What text looks like in each scheme, of the pages so far. */
  readonly #looks = OTHER_SCHEMES.map(() => new Set<string>())

  /** Returns what is wrong with the page that is open. */
  async faultsOf(browser: Chromium): Promise<string[]> {
    await browser.media({ 'prefers-color-scheme': 'light' })
    const found = await violations(browser, CRITERIA)
    for (const [i, features] of OTHER_SCHEMES.entries()) {
      await browser.media(features)
      const faults = isSoak ? await violations(browser, COLOR_RULES) : await this.#faultsOfNewLooks(browser, this.#looks[i] as Set<string>)
      found.push(...faults.map((one) => `${Object.keys(features)[0]}: ${one}`))
    }
    return [...found, ...(await overflow(browser))]
  }

  async #faultsOfNewLooks(browser: Chromium, seen: Set<string>): Promise<string[]> {
    const looks = await browser.evaluate<string[]>(`(${findLooks})()`)
    const fresh = looks.filter((look) => !seen.has(look))
    if (fresh.length === 0) return []
    for (const look of fresh) seen.add(look)
    return violations(browser, COLOR_RULES, `{ include: ${JSON.stringify(fresh)}.flatMap((look) => elementsByLook.get(look)) }`)
  }
}

/**
 * Runs in the page. Groups the elements that have text of their own by all that decides the contrast of this text: its color, size
 * and weight, the backgrounds behind it, and how a link differs from the text around it.
 */
const findLooks = `() => {
  globalThis.elementsByLook = new Map()
  const backgrounds = new Map()
  const backgroundOf = (element) => {
    if (element === null) return ''
    if (!backgrounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element)
      const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1' && filter === 'none'
      const behind = backgroundOf(element.parentElement)
      backgrounds.set(element, isClear ? behind : [backgroundColor, backgroundImage, opacity, filter, 'on', behind].join(' '))
    }
    return backgrounds.get(element)
  }
  const hasText = (element) => element.matches('input, select, textarea') || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasText(element) || !element.checkVisibility()) continue
    const { color, fontSize, fontWeight, textShadow, textDecorationLine, position } = getComputedStyle(element)
    const link = element.closest('a[href]')
    const around = link === null ? '' : getComputedStyle(link.parentElement).color
    const look = [element.localName, color, fontSize, fontWeight, textShadow, textDecorationLine, position, around, backgroundOf(element)].join(' | ')
    if (!elementsByLook.has(look)) elementsByLook.set(look, [])
    elementsByLook.get(look).push(element)
  }
  return [...elementsByLook.keys()]
}`

async function violations(browser: Chromium, runOnly: readonly string[], context = 'document'): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], selectors: false })
  return browser.evaluate<string[]>(`axe.run(${context}, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | ')))`)
}

/** What reaches beyond a screen of 320 pixels, and names of files of which nearly nothing is left there. */
async function overflow(browser: Chromium): Promise<string[]> {
  await browser.send('Emulation.setDeviceMetricsOverride', { width: 320, height: 640, deviceScaleFactor: 1, mobile: false })
  const [width, culprits, cut] = await browser.evaluate<[number, string[], string[]]>(`[
    document.documentElement.scrollWidth,
    [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > 321).slice(0, 5).map((one) => one.outerHTML.slice(0, 120)),
    [...document.querySelectorAll('.tree td.name')].filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth < 100).map((one) => one.innerText),
  ]`)
  await browser.send('Emulation.clearDeviceMetricsOverride')
  const squeezed = cut.map((name) => `hardly anything is seen of ${name.trim()} on a screen of 320`)
  return [...squeezed, ...(width > 320 ? [`${width} pixels wide on a screen of 320: ${culprits.join(' | ')}`] : [])]
}
