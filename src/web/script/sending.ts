import { isPost } from './page.ts'

/** A form that was sent can be sent again after this, whatever became of the answer, in milliseconds. */
const PATIENCE = 30_000

const sending = new Set<HTMLFormElement>()

/** What is clicked twice is sent once. */
export function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || !isPost(form)) return
    if (sending.has(form)) event.preventDefault()
    else begin(form)
  })
  // Back, Stop: the page stays or is there again as it was left.
  addEventListener('pageshow', endAll)
  const { navigation } = globalThis as { navigation?: EventTarget }
  navigation?.addEventListener('navigateerror', endAll)
}

export function begin(form: HTMLFormElement): void {
  sending.add(form)
  form.setAttribute('aria-busy', 'true')
  setTimeout(() => end(form), PATIENCE)
}

export function end(form: HTMLFormElement): void {
  sending.delete(form)
  form.removeAttribute('aria-busy')
}

function endAll(): void {
  for (const form of sending) end(form)
}
