import { MAX_HTML } from './bounds.ts'

/** All texts of a page may take as long to render as a single one may. */
const PAGE_MS = 5000

/** What the texts of one page may come to together: each by itself can be as much as any browser shows, and a conversation has hundreds. */
export class PageBudget {
  #characters = MAX_HTML
  #milliseconds = PAGE_MS

  /** Whether there is time to render one more. */
  get hasTime(): boolean {
    return this.#milliseconds > 0
  }

  /** Takes what the work takes from the time that is left. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await work()
    } finally {
      this.#milliseconds -= performance.now() - began
    }
  }

  /** Takes the HTML from the room that is left. @returns whether it fits; what does not takes nothing from what does */
  fits(html: string): boolean {
    if (html.length > this.#characters) return false
    this.#characters -= html.length
    return true
  }
}
