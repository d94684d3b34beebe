import { ask } from './ask.ts'
import { onEnhance } from './page.ts'

/** People type on meanwhile, in milliseconds. */
const PAUSE = 150

/** What is searched for is found while it is typed: of the page that the form leads to, all that stands behind the form comes in place of what stands there. */
export function searchLive(): void {
  onEnhance.add((root) => {
    for (const form of root.querySelectorAll<HTMLFormElement>('form[data-live]')) watch(form)
  })
}

function watch(form: HTMLFormElement): void {
  let timer = 0
  let asked: AbortController | undefined
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      asked?.abort()
      asked = new AbortController()
      void find(form, asked.signal)
    }, PAUSE)
  })
}

async function find(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const url = new URL(form.getAttribute('action') ?? '', location.href)
  url.search = new URLSearchParams([...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)])).toString()
  const answer = await ask(url.href, { signal }).catch(() => undefined)
  const found = answer?.page?.querySelector('form[data-live]')
  if (!found || signal.aborted) return
  const part = document.createDocumentFragment()
  while (found.nextSibling) part.append(found.nextSibling)
  onEnhance.run(part)
  while (form.nextSibling) form.nextSibling.remove()
  form.after(part)
  // What a menu finds is no other page.
  if (!form.closest('[popover]')) history.replaceState(history.state, '', url)
}
