import { globMatcher, isGlob } from '#kernel/glob.ts'
import { sortRules } from './find-rule.ts'
import type { BranchRule } from './store.ts'

/** The rules of a repository, for who asks about many branches. */
export class RuleBook {
  /** In the order in which they are asked. */
  readonly rules: readonly BranchRule[]
  /** By the name in lower case, the place in that order. */
  readonly #exact = new Map<string, number>()
  readonly #globs: { place: number; matches: (branch: string) => boolean }[] = []
  /** By branch, the place of its rule; -1 when it has none. */
  readonly #known: Map<string, number>
  /** What says which branches each rule is about. */
  readonly #names: string

  /** @param earlier the rules as they were: what it found is true still when the names are the same */
  constructor(rules: readonly BranchRule[], earlier?: RuleBook) {
    this.rules = sortRules(rules)
    this.#names = JSON.stringify(this.rules.map(({ rule_name: name }) => name))
    this.#known = earlier !== undefined && earlier.#names === this.#names ? earlier.#known : new Map()
    for (const [place, { rule_name: name }] of this.rules.entries()) {
      const key = name.toLowerCase()
      if (isGlob(name)) this.#globs.push({ place, matches: globMatcher(name, '/') })
      else if (!this.#exact.has(key)) this.#exact.set(key, place)
    }
  }

  /** The rule that holds for a branch, without its `refs/heads/`. */
  of(branch: string): BranchRule | undefined {
    if (this.#globs.length === 0) return this.rules[this.#exact.get(branch.toLowerCase()) ?? -1]
    const place = this.#known.get(branch) ?? this.#placeFor(branch)
    this.#known.set(branch, place)
    return this.rules[place]
  }

  #placeFor(branch: string): number {
    const exact = this.#exact.get(branch.toLowerCase()) ?? Number.POSITIVE_INFINITY
    const glob = this.#globs.find(({ place, matches }) => place < exact && matches(branch))
    return glob?.place ?? (exact === Number.POSITIVE_INFINITY ? -1 : exact)
  }
}
