import { dropDraft, dropOwn, keepDraft, onForgotten, prune, readDraft } from './draft-store.ts'
import { actionOf, button, isPost, make, onEnhance } from './page.ts'

// No lost word: what is typed into a form with a text is kept in the browser until the server has taken it, so that it is there again
// after a crash, a reload, a session that ended meanwhile, or an answer that never came.

type Field = HTMLTextAreaElement | HTMLInputElement

/** By these the server tells that a text was changed meanwhile. */
const versionNames = ['content_version', 'sha', 'last_commit', 'version', 'made_from']
const secret = /pass|secret|token|code|otp|key|credential/i
const SENT = 'pf:sent'

/** Fields by the address they are sent to, with what else tells them apart. */
const keys = new WeakMap<Field, string>()
/** Fields whose last words are not kept yet, or cannot be. */
const unkept = new Set<Field>()
const sentForms = new Set<HTMLFormElement>()
/** Fields that show what was kept, and in which nobody has typed since. */
const restored = new Set<Field>()
let timer = 0

export function watchDrafts(): void {
  settle()
  prune()
  onEnhance.add((root) => {
    for (const form of root.querySelectorAll('form')) if (isKept(form)) restore(form)
  })
  document.addEventListener('input', ({ target }) => {
    if (!keys.has(target as Field)) return
    restored.delete(target as Field)
    unkept.add(target as Field)
    clearTimeout(timer)
    timer = window.setTimeout(keepAll, 250)
  })
  document.addEventListener('submit', (event) => !event.defaultPrevented && send(event.target as HTMLFormElement))
  addEventListener('pagehide', keepAll)
  document.addEventListener('visibilitychange', keepAll)
  addEventListener('beforeunload', (event) => {
    keepAll()
    if (mustAsk()) event.preventDefault()
  })
  addEventListener('pageshow', ({ persisted }) => persisted && comeBack())
  onForgotten((key) => {
    for (const field of restored) if (keys.get(field) === key) takeBack(field)
  })
}

/** What another tab has sent by now is not there to be sent twice. */
function takeBack(field: Field): void {
  restored.delete(field)
  field.value = field.defaultValue
  field.form?.querySelector('[data-draft]')?.remove()
}

/** Forms with a text in them, and no password. */
function isKept(form: HTMLFormElement): boolean {
  return isPost(form) && form.dataset.drafts !== 'off' && form.querySelector('textarea') !== null && !form.querySelector('input[type=password]')
}

function fieldsOf(form: HTMLFormElement): Field[] {
  const fields = form.querySelectorAll<Field>('textarea[name], input[name]:is([type=text], :not([type]))')
  return [...fields].filter((field) => !secret.test(field.name) && field.autocomplete !== 'off' && !field.readOnly)
}

/** Several forms on a page may lead to one address, each for another line. */
function keyOf(form: HTMLFormElement, field: Field): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].filter(({ name }) => !versionNames.includes(name))
  const told = new URLSearchParams(hidden.map(({ name, value }): [string, string] => [name, value])).toString()
  return [actionOf(form), told.slice(0, 500), field.name].join(' ')
}

function restore(form: HTMLFormElement): void {
  for (const field of fieldsOf(form)) {
    const key = keyOf(form, field)
    keys.set(field, key)
    const draft = readDraft(key)
    // The browser itself may have put words back; what the server shows again after a failure is newer than what was kept.
    if (!draft || draft.text === field.defaultValue || field.value !== field.defaultValue || isShownAgain(form)) continue
    field.value = draft.text
    restored.add(field)
    if (draft.before !== field.defaultValue) putBackVersions(form, draft.versions)
    show(form, field, draft.before !== field.defaultValue)
  }
}

function isShownAgain(form: HTMLFormElement): boolean {
  return form.querySelector('[role=alert]:not([hidden])') !== null
}

function versionsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')].filter(({ name }) => versionNames.includes(name))
}

/** What was typed over an older text is sent as such, so the server says that it has changed, and nobody else's words are undone. */
function putBackVersions(form: HTMLFormElement, versions: Record<string, string>): void {
  for (const input of versionsOf(form)) input.value = versions[input.name] ?? input.value
}

function show(form: HTMLFormElement, field: Field, isChanged: boolean): void {
  for (let around = field.closest('details'); around; around = around.parentElement?.closest('details') ?? null) around.open = true
  form.querySelector('[data-draft]')?.remove()
  const files = /\]\(attachment:/.test(field.value) ? ' Attach your files again.' : ''
  const said = isChanged ? 'Your draft was restored. The text has changed since you started writing.' : 'Your draft was restored.'
  const discard = button('Discard draft', () => {
    for (const one of fieldsOf(form)) dropDraft(keyOf(form, one))
    form.reset()
    for (const input of versionsOf(form)) input.value = input.defaultValue
    note.remove()
  })
  const note = make('p', { 'data-draft': true, role: 'status' }, `${said}${files} `, discard)
  form.prepend(note)
}

function keepAll(): void {
  clearTimeout(timer)
  for (const field of unkept) if (keep(field)) unkept.delete(field)
}

function keep(field: Field): boolean {
  const { form } = field
  const key = keys.get(field)
  if (!form || key === undefined) return true
  if (field.value === '' || (field.value === field.defaultValue && !isShownAgain(form))) {
    dropDraft(key)
    return true
  }
  const before = readDraft(key)
  const versions = Object.fromEntries(versionsOf(form).map(({ name, value }) => [name, value]))
  return keepDraft(key, { text: field.value, before: before?.before ?? field.defaultValue, versions, at: Date.now() })
}

/** Editors ask, and so does what the browser has no room to keep. */
function mustAsk(): boolean {
  if ([...unkept].some(({ form }) => form && !sentForms.has(form))) return true
  return [...document.forms].some((form) => {
    if (sentForms.has(form) || !isKept(form)) return false
    const isEditor = form.querySelector('textarea[name=content], textarea[data-editor]') !== null
    return isEditor && fieldsOf(form).some((field) => field.value !== field.defaultValue)
  })
}

/** What is sent, and from where: the page that comes next tells whether it was taken. */
function send(form: HTMLFormElement): void {
  if (isPost(form) && actionOf(form).endsWith('/user/logout')) return dropOwn()
  if (!isKept(form)) return
  for (const field of fieldsOf(form)) keep(field)
  sentForms.add(form)
  const texts = Object.fromEntries(fieldsOf(form).map((field) => [keyOf(form, field), field.value]))
  try {
    sessionStorage.setItem(SENT, JSON.stringify({ from: pageAddress(location.href), texts }))
  } catch {
    // Then it is kept for longer than it need be.
  }
}

function pageAddress(url: string): string {
  return url.replace(/#.*$/, '')
}

/** What the server took leads elsewhere; what it did not is shown again, or ends with a page that says why. */
function settle(): void {
  const sent = takeSent()
  if (!sent) return
  const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & { responseStatus?: number })[]
  const isNext = document.referrer === sent.from && entry?.type !== 'back_forward'
  const signIn = document.querySelector('form[action$="/user/login"]')
  if (signIn && isNext) {
    signIn.prepend(make('p', { role: 'status' }, 'Your text is saved in this browser. The form will show it again after you sign in.'))
  } else if (isNext && entry && entry.redirectCount > 0 && (entry.responseStatus ?? 200) < 400) {
    forget(sent.texts)
  }
}

function takeSent(): { from: string; texts: Record<string, string> } | undefined {
  try {
    const text = sessionStorage.getItem(SENT)
    sessionStorage.removeItem(SENT)
    return JSON.parse(text ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Words typed meanwhile in another tab stay. */
function forget(texts: Record<string, string>): void {
  for (const [key, text] of Object.entries(texts)) if (readDraft(key)?.text === text) dropDraft(key)
}

/** For what was sent by script: the server has taken the form as it is. */
export function forgetForm(form: HTMLFormElement): void {
  takeSent()
  for (const field of fieldsOf(form)) {
    keep(field)
    unkept.delete(field)
  }
  forget(Object.fromEntries(fieldsOf(form).map((field) => [keyOf(form, field), field.value])))
  // Browsers put words back into a page that is loaded again.
  form.reset()
}

/** The page is shown again as it was left: what was taken since is not there to be sent twice. */
function comeBack(): void {
  for (const form of sentForms) {
    const isTaken = fieldsOf(form).every((field) => field.value === field.defaultValue || readDraft(keyOf(form, field)) === undefined)
    if (isTaken) form.reset()
  }
  sentForms.clear()
}
