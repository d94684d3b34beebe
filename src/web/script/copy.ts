import { button, make, onEnhance, tell } from './page.ts'

const COPIED_MS = 1500

/** Buttons beside what people copy: code, addresses to clone from, and whatever says in `data-copy` what it is copied as. */
export function offerCopies(): void {
  onEnhance.add((root) => {
    for (const pre of root.querySelectorAll<HTMLElement>('main pre, .text pre')) {
      const box = make('div', { 'data-copy-box': true })
      pre.replaceWith(box)
      box.append(
        pre,
        copyButton(() => pre.textContent.replace(/\n$/, '')),
      )
    }
    for (const input of root.querySelectorAll<HTMLInputElement>('input.code[readonly]')) input.after(copyButton(() => input.value))
    for (const one of root.querySelectorAll<HTMLElement>('[data-copy]')) one.after(copyButton(() => one.dataset.copy || one.textContent))
  })
}

/** @param what what it stands beside, when it is more than can be seen */
export function copyButton(textOf: () => string, what = 'Copy'): HTMLButtonElement {
  const made = button(what, () => void copy(), { 'data-copy-button': true })
  async function copy(): Promise<void> {
    const isDone = await copyText(textOf())
    tell(isDone ? 'Copied.' : 'Copying failed: the browser denied access to the clipboard.')
    made.textContent = isDone ? 'Copied' : 'Copy failed'
    setTimeout(() => (made.textContent = what), COPIED_MS)
  }
  return made
}

/** Over plain HTTP browsers have no clipboard for pages, but copy what is selected. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true' })
  field.value = text
  // Within what is open, for nothing outside of a dialog can be selected.
  const place = focused?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return isDone
}
