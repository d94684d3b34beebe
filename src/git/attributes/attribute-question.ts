import type { AttributeDirectory } from './attribute-directory.ts'
import { Effort } from './effort.ts'
import type { AttributeRule, AttributeState, AttributeValue } from './parse-attributes.ts'
import { type AskedPath, matchesPath, type PathPattern } from './path-pattern.ts'

/** A line that says something of what is asked, those of its states that do, last first. */
interface RelevantRule {
  pattern: PathPattern
  states: AttributeState[]
}

/** The macro that git itself defines. */
const builtIn: readonly [string, AttributeState[]] = [
  'binary',
  [
    { name: 'diff', value: false },
    { name: 'merge', value: false },
    { name: 'text', value: false },
  ],
]

const STEPS_PER_PATH = 50_000
const MOST_STEPS = 20_000_000
const isAscii = /^[\x00-\x7f]*$/

/**
 * Answers what some attributes are, path by path; lines that speak of others are never looked at. The last line that matches counts,
 * in the directory nearest to the path. Source: `collect_some_attrs` of git's `attr.c`.
 */
export class AttributeQuestion<Name extends string> {
  readonly #names: readonly Name[]
  readonly #macros: ReadonlyMap<string, AttributeState[]>
  readonly #relevant: ReadonlySet<string>
  readonly #directoryOf: (path: string) => AttributeDirectory
  readonly #rulesOf = new WeakMap<AttributeDirectory, RelevantRule[]>()
  readonly #effort = new Effort({ perPath: STEPS_PER_PATH, most: MOST_STEPS })
  #last: AttributeDirectory | undefined

  /** @param rootRules those that may define macros */
  constructor(names: readonly Name[], rootRules: readonly AttributeRule[], directoryOf: (path: string) => AttributeDirectory) {
    this.#names = names
    this.#macros = new Map([builtIn, ...rootRules.flatMap((rule) => ('macro' in rule ? [[rule.macro, rule.states] as const] : []))])
    this.#relevant = withMacros(names, this.#macros)
    this.#directoryOf = directoryOf
  }

  /**
   * @param path from the root of the tree, directories with a slash at the end; it need not be there. Text is taken as UTF-8.
   * @throws GitError `limit` when the patterns or attributes are beyond measure, `missing` or `corrupt` when a tree on the way is
   */
  ask(path: string | Uint8Array): Record<Name, AttributeValue> {
    const asked = takeApart(bytesText(path))
    this.#effort.nextPath()
    const values = new Map<string, AttributeValue>()
    let directory: AttributeDirectory | undefined = this.#directoryAt(asked)
    for (; directory !== undefined && values.size < this.#relevant.size; directory = directory.parent) this.#ask(directory, asked, values)
    return Object.fromEntries(this.#names.map((name) => [name, values.get(name)])) as Record<Name, AttributeValue>
  }

  #ask(directory: AttributeDirectory, asked: AskedPath, values: Map<string, AttributeValue>): void {
    for (const { pattern, states } of this.#relevantOf(directory)) {
      if (states.every(({ name }) => values.has(name))) continue
      if (matchesPath(pattern, asked, directory.base, this.#effort)) this.#set(states, values)
    }
  }

  /** Sets what is not set yet; a macro that comes to be true brings at once what it stands for. */
  #set(states: readonly AttributeState[], values: Map<string, AttributeValue>): void {
    // Macros may stand for macros, however many: no recursion.
    const waiting = [...states].reverse()
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      this.#effort.spend()
      const { name, value } = state
      if (values.has(name)) continue
      values.set(name, value)
      const meaning = value === true ? this.#macros.get(name) : undefined
      if (meaning !== undefined) waiting.push(...this.#relevantStates(meaning).reverse())
    }
  }

  #relevantOf(directory: AttributeDirectory): RelevantRule[] {
    let rules = this.#rulesOf.get(directory)
    if (rules === undefined) {
      const relevant = directory.rules.flatMap((rule) => ('pattern' in rule ? [{ pattern: rule.pattern, states: this.#relevantStates(rule.states) }] : []))
      rules = relevant.filter(({ states }) => states.length > 0).reverse()
      this.#rulesOf.set(directory, rules)
    }
    return rules
  }

  #relevantStates(states: readonly AttributeState[]): AttributeState[] {
    return states.filter(({ name }) => this.#relevant.has(name)).reverse()
  }

  /** Neighbours are asked about one after another. */
  #directoryAt({ path, name }: AskedPath): AttributeDirectory {
    const base = path.slice(0, Math.max(path.length - name.length - 1, 0))
    if (this.#last?.base !== base) this.#last = this.#directoryOf(base)
    return this.#last
  }
}

/** The names, and macros that lead to one of them. */
function withMacros(names: readonly string[], macros: ReadonlyMap<string, AttributeState[]>): Set<string> {
  const macrosWith = new Map<string, string[]>()
  for (const [macro, states] of macros) for (const { name } of states) macrosWith.getOrInsertComputed(name, () => []).push(macro)
  const found = new Set(names)
  // A set's iteration comes to what is added meanwhile.
  for (const name of found) for (const macro of macrosWith.get(name) ?? []) found.add(macro)
  return found
}

function takeApart(path: string): AskedPath {
  const isDirectory = path.endsWith('/')
  const bare = isDirectory ? path.slice(0, -1) : path
  return { path: bare, name: bare.slice(bare.lastIndexOf('/') + 1), isDirectory }
}

/** A byte in each character. */
function bytesText(path: string | Uint8Array): string {
  if (typeof path !== 'string') return Buffer.prototype.latin1Slice.call(path, 0, path.length)
  return isAscii.test(path) ? path : Buffer.from(path).toString('latin1')
}
