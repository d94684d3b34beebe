import { readFileSync } from 'node:fs'
import type { Chromium } from './chromium.ts'

/** Success criteria of WCAG 2.2 AA, as axe-core tags its rules. */
const CRITERIA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOURS: Record<string, string>[] = [{ 'prefers-color-scheme': 'dark' }, { 'forced-colors': 'active' }]

/** Puts axe-core into every page that the browser opens from now on. */
export async function loadAxe(browser: Chromium): Promise<void> {
  const source = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')
  await browser.send('Page.addScriptToEvaluateOnNewDocument', { source })
}

/** What is wrong with the page that is open, in light, dark and forced colours, and on a narrow screen. */
export async function faultsOfPage(browser: Chromium): Promise<string[]> {
  await browser.media({ 'prefers-color-scheme': 'light' })
  const found = await violations(browser, CRITERIA)
  for (const features of COLOURS) {
    await browser.media(features)
    found.push(...(await violations(browser, ['color-contrast', 'link-in-text-block'])).map((one) => `${Object.keys(features)[0]}: ${one}`))
  }
  return [...found, ...(await overflow(browser))]
}

async function violations(browser: Chromium, runOnly: readonly string[]): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], selectors: false })
  return browser.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? '')).join(' | ')))`)
}

/** What reaches beyond a screen of 320 pixels, and names of files of which nearly nothing is left there. */
async function overflow(browser: Chromium): Promise<string[]> {
  await browser.send('Emulation.setDeviceMetricsOverride', { width: 320, height: 640, deviceScaleFactor: 1, mobile: false })
  const width = await browser.evaluate<number>('document.documentElement.scrollWidth')
  const wide = `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > 321).slice(0, 5).map((one) => one.outerHTML.slice(0, 120))`
  const culprits = await browser.evaluate<string[]>(wide)
  const cut = `[...document.querySelectorAll('.tree td.name')].filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth < 100).map((one) => one.innerText)`
  const squeezed = (await browser.evaluate<string[]>(cut)).map((name) => `hardly anything is seen of ${name.trim()} on a screen of 320`)
  await browser.send('Emulation.clearDeviceMetricsOverride')
  return [...squeezed, ...(width > 320 ? [`${width} pixels wide on a screen of 320: ${culprits.join(' | ')}`] : [])]
}
