import type { MarkdownIt, StateBlock, StateCore, StateInline, Token } from 'markdown-it'

/** A page longer than this no browser shows, and no honest text becomes. */
export const MAX_HTML = 8 * 1024 * 1024
/** What short texts may refer to besides their own length, as in cmark. */
const FREE_REFERENCES = 100_000

/**
 * What a text is taken apart into takes some four hundred bytes of memory a piece, a hundred megabytes for so many. A page of Markdown has one for
 * ten or twenty characters; cells of tables and bare signs of emphasis make four for two.
 */
const MAX_PIECES = 250_000
/** What was known of each line is put aside for as long as a quotation is read, in each of those that the line is in: thirty bytes a time. */
const MAX_QUOTED_LINES = 1_000_000

/** The text is refused: it would come to more than anybody reads. */
export class TooMuch extends Error {}

/** Its HTML would be larger than `MAX_HTML`. */
export class TooMuchHtml extends TooMuch {
  constructor() {
    super(`its HTML is longer than ${MAX_HTML} characters`)
  }
}

/** Has the engine refuse texts of more than `MAX_PIECES`, or of more quotations in quotations than anybody writes. @returns what begins the next text */
export function boundPieces(engine: MarkdownIt): () => void {
  let left = MAX_PIECES
  let quoted = MAX_QUOTED_LINES
  const count = () => {
    if (--left < 0) throw new TooMuch(`it has more than ${MAX_PIECES} words, table cells, links and symbols`)
  }
  const { block, core, inline } = engine
  core.State = class extends core.State {
    constructor(...given: ConstructorParameters<typeof core.State>) {
      super(...given)
      // What becomes links and pictures once all is taken apart.
      this.Token = class extends this.Token {
        constructor(...piece: ConstructorParameters<typeof Token>) {
          count()
          super(...piece)
        }
      }
    }
  }
  const { tokenize } = block
  block.tokenize = (state, from, to) => {
    if (state.parentType === 'blockquote' && (quoted -= to - from) < 0) throw new TooMuch(`it has more than ${MAX_QUOTED_LINES} quoted lines`)
    tokenize.call(block, state, from, to)
  }
  block.State = class extends block.State {
    override push(...piece: Parameters<StateBlock['push']>): Token {
      count()
      return super.push(...piece)
    }
  }
  inline.State = class extends inline.State {
    override push(...piece: Parameters<StateInline['push']>): Token {
      count()
      return super.push(...piece)
    }

    override pushPending(): Token {
      count()
      return super.pushPending()
    }
  }
  return () => {
    left = MAX_PIECES
    quoted = MAX_QUOTED_LINES
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
    // Measured once each: an address of half the text that the other half refers to would be read over and over.
    const lengths = new Map<string, number>()
    state.env.references = new Proxy(defined, {
      get(target, label: string) {
        const reference = target[label]
        if (reference === undefined || left < 0) return undefined
        const length = lengths.get(label) ?? escapedLength(reference.href) + escapedLength(reference.title)
        lengths.set(label, length)
        left -= length
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
