import { anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import { fieldsSent, type Sent } from '#kernel/bodies/sent-form.ts'
import { pathOf } from '#kernel/http.ts'
import { MADE_FROM } from './edit-form.tsx'
import { escapeHtml } from './html.ts'
import { addTyped, PresentValues, type Words } from './typed.tsx'
import { unescapeHtml } from './unescape-html.ts'
import { readUnread } from './unread-form.ts'
import { Visit } from './visit.ts'

/** Inputs whose value nobody typed, or nobody but who typed it may see. */
const leftAlone = new Set(['hidden', 'password', 'file', 'submit', 'button', 'image', 'reset'])

/** What was filled into a form that is refused with this status, whether or not its body was read before. */
export async function sentInVain(context: Context, request: Request, status: number): Promise<Sent | undefined> {
  return request.method === 'POST' && status >= 400 ? ((await fieldsSent(request)) ?? readUnread(context, request)) : undefined
}

/**
 * The answer to a form; where that is a page that tells of a refusal, with all that was typed: in the form again, if the page has it, whatever the page
 * itself puts there, else to be taken along.
 */
export async function keepTyped(context: Context, request: Request, answer: Response): Promise<Response> {
  const sent = answer.headers.get('content-type')?.startsWith('text/html') ? await sentInVain(context, request, answer.status) : undefined
  if (sent === undefined) return answer
  const page = await answer.text()
  const action = new Visit(context, anonymous, request).below(pathOf(request.url))
  const { status, headers } = answer
  headers.delete('content-length')
  return new Response(addTyped(fillInAgain(page, action, sent) ?? page, sent), { status, headers })
}

/**
 * A page with what was sent filled into its form again. Undefined when the page has no such form.
 * @param why it was not taken, to be said above it, where the page does not
 * @param now what stands there now, where that is why
 */
export function fillInAgain(page: string, action: string, sent: Sent, why?: string, now?: readonly Words[]): string | undefined {
  const form = findForm(page, action, sent)
  return form === undefined ? undefined : new FormFiller(form, sent, why, now).fill(page)
}

/** Which of a page's forms was sent: of several to the same address, as in a list, the one that most of what was sent fits. */
export function findForm(page: string, action: string, sent: Sent): number | undefined {
  let count = -1
  let isSentTo = false
  const scores = new Map<number, number>()
  const compare = (field: HTMLRewriterTypes.Element) => {
    const values = sent.get(field.getAttribute('name') ?? '')
    if (!isSentTo || values === undefined) return
    const isHidden = field.getAttribute('type') === 'hidden'
    const isSame = isHidden && values.includes(unescapeHtml(field.getAttribute('value') ?? ''))
    // What nobody could type may have been another then; what one could is where it was typed.
    scores.set(count, (scores.get(count) ?? 0) + (isSame ? 100 : isHidden ? 1 : 2))
  }
  new HTMLRewriter()
    .on('form', {
      element(form) {
        count++
        isSentTo = unescapeHtml(form.getAttribute('action') ?? '') === action
        if (isSentTo) scores.set(count, 0)
      },
    })
    .on('form input, form textarea, form select', { element: compare })
    .transform(page)
  const best = Math.max(...scores.values())
  return [...scores].find(([, score]) => score === best)?.[0]
}

/** Returns the path of the page of this server that a form was submitted from. */
export function pageBehind({ headers }: Request, visit: Visit): string | undefined {
  const referrer = headers.get('referer')
  return referrer?.startsWith(visit.root) ? `/${referrer.slice(visit.root.length)}` : undefined
}

class FormFiller {
  readonly #form: number
  readonly #sent: Sent
  readonly #why: string | undefined
  readonly #now: readonly Words[] | undefined
  #count = -1
  #select = ''

  /** @param form which of the page's, from 0 */
  constructor(form: number, sent: Sent, why: string | undefined, now: readonly Words[] | undefined) {
    this.#form = form
    this.#sent = sent
    this.#why = why
    this.#now = now
  }

  fill(page: string): string {
    return new HTMLRewriter()
      .on('form', { element: (form) => this.#begin(form) })
      .on('form input', { element: (input) => this.#fillInput(input) })
      .on('form textarea', { element: (area) => this.#fillArea(area) })
      .on('form select', { element: (select) => this.#enterSelect(select) })
      .on('form select option', { element: (option) => this.#choose(option) })
      .transform(page)
  }

  #begin(form: HTMLRewriterTypes.Element): void {
    this.#count++
    if (!this.#isOurs) return
    if (this.#now) form.prepend(PresentValues({ words: this.#now }).text, { html: true })
    if (this.#why !== undefined) form.prepend(`<p class="error" role="alert">${escapeHtml(this.#why)}</p>`, { html: true })
  }

  get #isOurs(): boolean {
    return this.#count === this.#form
  }

  #fillInput(input: HTMLRewriterTypes.Element): void {
    const name = input.getAttribute('name')
    const type = input.getAttribute('type') ?? 'text'
    // A corrected form is still compared with the values that its sender saw first.
    const madeFrom = name === MADE_FROM ? this.#sent.get(name)?.[0] : undefined
    if (this.#isOurs && madeFrom !== undefined) input.setAttribute('value', escapeHtml(madeFrom))
    if (!this.#isOurs || name === null || leftAlone.has(type) || input.getAttribute('autocomplete') === 'one-time-code') return
    const values = this.#sent.get(name) ?? []
    if (type === 'checkbox' || type === 'radio') mark(input, 'checked', values.includes(unescapeHtml(input.getAttribute('value') ?? 'on')))
    else if (values[0] !== undefined) input.setAttribute('value', escapeHtml(values[0]))
  }

  #fillArea(area: HTMLRewriterTypes.Element): void {
    const value = this.#isOurs ? this.#sent.get(area.getAttribute('name') ?? '')?.[0] : undefined
    // Browsers leave out the first line break.
    if (value !== undefined) area.setInnerContent(`\n${escapeHtml(value)}`, { html: true })
  }

  #enterSelect(select: HTMLRewriterTypes.Element): void {
    this.#select = select.getAttribute('name') ?? ''
  }

  #choose(option: HTMLRewriterTypes.Element): void {
    const values = this.#isOurs ? this.#sent.get(this.#select) : undefined
    if (values) mark(option, 'selected', values.includes(unescapeHtml(option.getAttribute('value') ?? '')))
  }
}

function mark(element: HTMLRewriterTypes.Element, attribute: string, isOn: boolean): void {
  if (!isOn) element.removeAttribute(attribute)
  else if (!element.hasAttribute(attribute)) element.setAttribute(attribute, '')
}
