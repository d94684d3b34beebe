import { ageInWords } from '../age.ts'
import { onEnhance } from './page.ts'

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

const REFRESH_MS = 30_000

/** Ages grow while a page is open, and who points at one reads the time of the place where they are. */
export function watchTimes(): void {
  const refresh = () => {
    if (document.visibilityState === 'visible') for (const time of document.querySelectorAll('time')) age(time)
  }
  onEnhance.add((root) => {
    for (const time of root.querySelectorAll('time')) localize(time)
  })
  setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  addEventListener('pageshow', refresh)
}

/** Those that say how long ago something was have the date itself beside it. */
function localize(time: HTMLTimeElement): void {
  const date = new Date(time.dateTime)
  if (!time.title.endsWith(' UTC') || Number.isNaN(date.getTime())) return
  time.dataset.age = ''
  time.title = local.format(date)
}

function age(time: HTMLTimeElement): void {
  if (time.dataset.age === undefined) return
  const text = ageInWords((Date.parse(time.dateTime) - Date.now()) / 1000)
  const shown = time.textContent.replace(/[^,]*$/, (old) => (old.startsWith(' ') ? ` ${text}` : text))
  if (time.textContent !== shown) time.textContent = shown
}
