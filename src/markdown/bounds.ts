import type { MarkdownIt, StateCore } from 'markdown-it'

/** A page longer than this no browser shows, and no honest text becomes. */
export const MAX_HTML = 8 * 1024 * 1024
/** What short texts may refer to besides their own length, as in cmark. */
const FREE_REFERENCES = 100_000

/** The text is refused: its HTML would be larger than `MAX_HTML`. */
export class TooMuchHtml extends Error {
  constructor() {
    super(`its HTML is longer than ${MAX_HTML} characters`)
  }
}

/**
 * Lets `[a]` stand for what is defined once only until all of them together come to as much as the text itself is long; further
 * ones stay as they are written. A few bytes would otherwise be thousands, any number of times. Source: cmark's `max_ref_size`.
 */
export function boundReferences(engine: MarkdownIt): void {
  engine.core.ruler.after('block', 'bound_references', (state: StateCore) => {
    const defined = state.env.references
    if (!defined) return
    let left = Math.max(FREE_REFERENCES, state.src.length)
    state.env.references = new Proxy(defined, {
      get(target, label: string) {
        const reference = target[label]
        if (reference === undefined) return undefined
        left -= escapedLength(reference.href) + escapedLength(reference.title)
        return left < 0 ? undefined : reference
      },
    })
  })
}

/** As long as it gets in HTML: `&` and quotes become five or six characters. */
function escapedLength(text: string): number {
  return text.length + 5 * (text.match(/[&"<>]/g)?.length ?? 0)
}

/** Counts what is added to a page beyond its text. */
export class HtmlBudget {
  #left = MAX_HTML

  /** @throws TooMuchHtml */
  spend(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw new TooMuchHtml()
  }
}
