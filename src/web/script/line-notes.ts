import { type Answer, ask, isSignIn, partIn, reasonIn } from './ask.ts'
import { forgetForm } from './drafts.ts'
import { actionOf, make, onEnhance, tell } from './page.ts'
import { begin, end } from './sending.ts'

/** Opens the form for a line comment below its line, and replaces the form by the comment once it is sent. */
export function writeInPlace(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(`${FORM_LINK}, ${NOTE} a[data-leave]`) : null
    const line = link && (link.matches(FORM_LINK) ? link : lineLinkOf(link.closest<HTMLElement>(NOTE)))
    if (!link || !line) return
    event.preventDefault()
    void (link === line ? open(line) : close(line))
  })
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const line = lineLinkOf(form.closest<HTMLElement>(NOTE))
    if (event.defaultPrevented || !line || !/\/(?:line|replies|resolve)$/.test(actionOf(form))) return
    event.preventDefault()
    if (!form.hasAttribute('aria-busy')) void send(form, event.submitter, line)
  })
}

/** Line numbers that open the form for a comment. */
const FORM_LINK = 'td.n > a[href$="#write"]'
const NOTE = 'tr.note[data-line]'

const lineOf = (link: HTMLAnchorElement) => new URL(link.href).searchParams.get('line') ?? ''

/** Returns the line number link above a row of comments. */
function lineLinkOf(note: HTMLElement | null): HTMLAnchorElement | undefined {
  let row = note?.previousElementSibling
  while (row?.matches(NOTE)) row = row.previousElementSibling
  return [...(row?.querySelectorAll<HTMLAnchorElement>(FORM_LINK) ?? [])].find((link) => lineOf(link) === note?.dataset.line)
}

/** Returns the row of comments below a line, if there is one. */
function noteOf(link: HTMLAnchorElement): HTMLElement | undefined {
  let row = link.closest('tr')?.nextElementSibling
  while (row?.matches(NOTE) && (row as HTMLElement).dataset.line !== lineOf(link)) row = row.nextElementSibling
  return row?.matches(NOTE) ? (row as HTMLElement) : undefined
}

async function open(link: HTMLAnchorElement): Promise<void> {
  const field = () => noteOf(link)?.querySelector<HTMLElement>('form[action$="/line"] textarea')
  if (!field() && !(await renew(link, 'line'))) return location.assign(link.href)
  field()?.focus()
}

async function close(link: HTMLAnchorElement): Promise<void> {
  if (!(await renew(link, 'said'))) return location.assign(link.href)
  link.focus({ preventScroll: true })
}

/** Loads the row below a line again. @param fragment `line` with the form, `said` without */
async function renew(link: HTMLAnchorElement, fragment: 'line' | 'said'): Promise<boolean> {
  const address = new URL(link.href)
  address.searchParams.set('fragment', fragment)
  address.hash = ''
  const answer = await ask(address.href).catch(() => undefined)
  const part = answer && partIn(answer, true)
  if (!part) return false
  // Several forms can be open at the same time.
  part.querySelector('#write')?.removeAttribute('id')
  onEnhance.run(part)
  noteOf(link)?.remove()
  link.closest('tr')?.after(part)
  return true
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, link: HTMLAnchorElement): Promise<void> {
  const body = new FormData(form, submitter)
  form.querySelector('[data-trouble]')?.remove()
  begin(form)
  try {
    const answer = await ask(actionOf(form), { body })
    if (answer.status >= 400 || isSignIn(answer)) throw new Error(reasonIn(answer))
    forgetForm(form)
    await close(link)
    bringReviewUpToDate(answer)
    tell('Submitted.')
  } catch (error) {
    form.prepend(make('p', { 'data-trouble': true, class: 'error', role: 'alert' }, (error as Error).message))
  } finally {
    end(form)
  }
}

/** Updates the review form, which shows the number of pending comments, unless somebody is filling it in. */
function bringReviewUpToDate({ page }: Answer): void {
  const [old, now] = [document, page].map((one) => one?.querySelector('#review'))
  const text = old?.querySelector('textarea')
  if (!old || !now || (text && text.value !== text.defaultValue)) return
  onEnhance.run(now)
  old.replaceWith(now)
}
