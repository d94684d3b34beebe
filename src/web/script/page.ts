/** What is done to the whole page, and again to each part that comes into it later. */
class Enhancements {
  readonly #all: ((root: ParentNode) => void)[] = []

  add(enhance: (root: ParentNode) => void): void {
    this.#all.push(enhance)
  }

  run(root: ParentNode): void {
    for (const enhance of this.#all) attempt(() => enhance(root))
  }
}

/** What one part cannot do, in a browser that is older than it expects, keeps no other from doing its own. */
export function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    reportError(error)
  }
}

export const onEnhance = new Enhancements()

/** Where the server's root is, with the slash at its end. */
export const base = document.body.dataset.base ?? '/'

/** Who is signed in; empty for visitors. */
export const viewer = document.body.dataset.viewer ?? ''

/** What the browser keeps of ours; absent where it is told to keep nothing. */
export function storage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** An address of ours, below the root. */
export function at(path: string): string {
  return base + path
}

type Attributes = Record<string, string | boolean | undefined>

/** An element. Texts stay texts: markup is never made of them. */
export function make<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children)
  return element
}

/** A button that sends nothing. */
export function button(text: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', act)
  return made
}

const told = make('p', { class: 'unseen', role: 'status' })

/** Says something to who hears the page. */
export function tell(text: string): void {
  if (!told.isConnected) document.body.append(told)
  told.textContent = ''
  // The same words twice are told twice only when they were away.
  setTimeout(() => (told.textContent = text), 50)
}

/** What a page says that a form did is heard too: readers are silent about what stands in a page from its start. */
export function tellDone(): void {
  const done = document.querySelector('.told > [role=status]')
  if (done) tell(done.textContent)
}

/** Where a form leads; `form.action` would be a field of that name. */
export function actionOf(form: HTMLFormElement): string {
  return new URL(form.getAttribute('action') ?? location.href, location.href).pathname
}

export function isPost(form: HTMLFormElement): boolean {
  return form.getAttribute('method')?.toLowerCase() === 'post'
}

/** The repository that the page is of, `owner/name`; empty for other pages. */
export function repoHere(): string {
  const code = document.querySelector('nav[aria-label="Repository"] a')?.getAttribute('href')
  return code?.startsWith(base) ? decodeURIComponent(code.slice(base.length)) : ''
}
