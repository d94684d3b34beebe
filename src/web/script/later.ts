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
}

async function fill(element: HTMLElement): Promise<void> {
  element.setAttribute('aria-busy', 'true')
  const answer = await ask(element.dataset.later as string).catch(() => undefined)
  element.removeAttribute('aria-busy')
  const part = answer && partIn(answer, element.tagName === 'TR')
  if (!part) return
  onEnhance.run(part)
  element.replaceWith(part)
}
