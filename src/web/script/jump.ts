import { ask, partIn } from './ask.ts'
import { showKeys } from './key-help.ts'
import { at, button, make, repoHere } from './page.ts'

/** People type on meanwhile, in milliseconds. */
const PAUSE = 120

let box: JumpBox | undefined

/** One box to go anywhere: a combobox over what the server finds, https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function openJump(typed = ''): void {
  box ??= new JumpBox()
  box.open(typed)
}

/** The field at the top of pages is a way into it. */
export function takeOverSearch(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-jump]')) {
    const field = form.querySelector<HTMLInputElement>('input[type=search]')
    field?.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      openJump(field.value)
    })
    // Who comes by keyboard can pass by, or type.
    field?.addEventListener('input', () => {
      openJump(field.value)
      field.value = ''
    })
  }
}

class JumpBox {
  readonly #input = make('input', {
    type: 'text',
    inputmode: 'search',
    enterkeyhint: 'go',
    role: 'combobox',
    'aria-label': 'Go to a repository, user, page or owner/repository#12',
    'aria-expanded': 'false',
    'aria-controls': 'jump-list',
    'aria-autocomplete': 'list',
    placeholder: 'Name, page or owner/repository#12',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    maxlength: '200',
  })
  readonly #list = make('div', { role: 'listbox', id: 'jump-list', 'aria-label': 'Results' })
  readonly #dialog: HTMLDialogElement
  #timer = 0
  #asked: AbortController | undefined

  constructor() {
    const foot = make(
      'p',
      { class: 'faint' },
      '↑ ↓ to select, Enter to open, Escape to close ',
      button('Keyboard shortcuts', () => {
        this.#dialog.close()
        showKeys()
      }),
    )
    this.#dialog = make('dialog', { 'data-jump': true, 'aria-label': 'Go to' }, this.#input, this.#list, foot)
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => this.#find(), PAUSE)
    })
    this.#input.addEventListener('keydown', (event) => this.#press(event))
    this.#dialog.addEventListener('click', ({ target }) => target === this.#dialog && this.#dialog.close())
    document.body.append(this.#dialog)
  }

  open(typed: string): void {
    if (!this.#dialog.open) this.#dialog.showModal()
    this.#input.value = typed
    this.#input.focus()
    void this.#find()
  }

  async #find(): Promise<void> {
    this.#asked?.abort()
    const asked = new AbortController()
    this.#asked = asked
    const query = new URLSearchParams({ fragment: 'options', q: this.#input.value, in: repoHere() })
    const answer = await ask(`${at('-/jump')}?${query}`, { signal: asked.signal }).catch(() => undefined)
    if (asked.signal.aborted) return
    const part = answer && partIn(answer)
    this.#list.replaceChildren(part ?? make('p', {}, 'The server did not respond.'))
    this.#input.setAttribute('aria-expanded', String(this.#options.length > 0))
    this.#choose(0)
  }

  get #options(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  }

  get #chosen(): number {
    return this.#options.findIndex((option) => option.ariaSelected === 'true')
  }

  #choose(index: number): void {
    const options = this.#options
    const chosen = options[(index + options.length) % options.length]
    for (const option of options) option.ariaSelected = String(option === chosen)
    if (!chosen) return this.#input.removeAttribute('aria-activedescendant')
    this.#input.setAttribute('aria-activedescendant', chosen.id)
    chosen.scrollIntoView({ block: 'nearest' })
  }

  #press(event: KeyboardEvent): void {
    const { key } = event
    if (key === 'ArrowDown') this.#choose(this.#chosen + 1)
    else if (key === 'ArrowUp') this.#choose(this.#chosen - 1)
    else if (key === 'Enter') this.#follow(event)
    else return
    event.preventDefault()
  }

  /** With ctrl in a tab of its own, as links do. */
  #follow({ ctrlKey, metaKey }: KeyboardEvent): void {
    const chosen = this.#options[this.#chosen]
    if (!chosen) return
    if (ctrlKey || metaKey) window.open(chosen.href)
    else location.assign(chosen.href)
    this.#dialog.close()
  }
}
