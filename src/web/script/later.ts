import { ask, partIn } from './ask.ts'
import { onEnhance } from './page.ts'

/** Parts of a page that the server left out are fetched once they come into sight; until then, and where that fails, a link leads to them. */
export function fetchLater(): void {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        seen.unobserve(target)
        void fill(target as HTMLElement)
      }
    },
    { rootMargin: '400px' },
  )
  onEnhance.add((root) => {
    for (const element of root.querySelectorAll('[data-later]')) seen.observe(element)
  })
  document.addEventListener('click', unfold)
}

/** A row of a table whose link has `data-part` is replaced by the rows at that address once the link is followed. */
function unfold(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('tr a[data-part]') : null
  const row = link?.closest('tr')
  if (!link || !row || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  void fill(row, link.dataset.part).then((isThere) => {
    if (!isThere) location.assign(link.href)
  })
}

async function fill(element: HTMLElement, address = element.dataset.later as string): Promise<boolean> {
  element.setAttribute('aria-busy', 'true')
  const answer = await ask(address).catch(() => undefined)
  element.removeAttribute('aria-busy')
  const part = answer && partIn(answer, element.tagName === 'TR')
  if (!part) return false
  onEnhance.run(part)
  element.replaceWith(part)
  return true
}
