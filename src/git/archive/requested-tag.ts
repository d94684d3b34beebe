import { Effort } from '../attributes/effort.ts'
import { wildmatch } from '../attributes/wildmatch.ts'

/** The most matching steps for all patterns of one archive together. */
const MAX_STEPS = 100_000

/**
 * The tag whose name is in the address of an archive. Placeholders name no other ref: other refs come and go, and the archive's bytes would change
 * with them.
 */
export class RequestedTag {
  readonly #name: string
  readonly #effort = new Effort({ perPath: 0, most: MAX_STEPS })

  /** @param name without `refs/tags/` */
  constructor(name: string) {
    this.#name = name
  }

  /** `tag: v1.0`, which is `%D`. */
  get label(): string {
    return `tag: ${this.#name}`
  }

  /** `%(decorate)`. @param options `prefix=<text>` and the like, between commas */
  decorate(options: string): string {
    const { prefix = ' (', suffix = ')', tag = 'tag: ' } = Object.fromEntries(pairsOf(options).map(([name, value]) => [name, literal(value)]))
    return `${prefix}${tag}${this.#name}${suffix}`
  }

  /** `%(describe)`; empty when the patterns leave this tag out. @param options `match=<pattern>` and the like, between commas */
  describe(options: string): string {
    const pairs = pairsOf(options)
    const patterns = (option: string) => pairs.flatMap(([name, value]) => (name === option ? [value] : []))
    const matched = patterns('match')
    const isMeant = (matched.length === 0 || matched.some((one) => this.#matches(one))) && !patterns('exclude').some((one) => this.#matches(one))
    return isMeant ? this.#name : ''
  }

  /** A pattern that takes too many steps matches nothing. */
  #matches(pattern: string): boolean {
    const bytes = (text: string) => Buffer.from(text).toString('latin1')
    try {
      return wildmatch(bytes(pattern), bytes(this.#name), false, this.#effort)
    } catch {
      return false
    }
  }
}

function pairsOf(options: string): [name: string, value: string][] {
  return options.split(',').map((option) => {
    const [name = '', value = ''] = option.split(/=(.*)/s)
    return [name, value]
  })
}

/** Commas and parentheses in values are escaped, as in git: `%x2c`. */
function literal(value: string): string {
  return value.replace(/%(?:x([0-9a-fA-F]{2})|n|%)/g, (code, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : code === '%n' ? '\n' : '%',
  )
}
