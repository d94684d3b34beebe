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

  constructor(rules: readonly BranchRule[]) {
    this.rules = sortRules(rules)
    for (const [place, { rule_name: name }] of this.rules.entries()) {
      const key = name.toLowerCase()
      if (isGlob(name)) this.#globs.push({ place, matches: globMatcher(name, '/') })
      else if (!this.#exact.has(key)) this.#exact.set(key, place)
    }
  }

  /** The rule that holds for a branch, without its `refs/heads/`. */
  of(branch: string): BranchRule | undefined {
    const exact = this.#exact.size === 0 ? undefined : this.#exact.get(branch.toLowerCase())
    const glob = this.#globs.find(({ place, matches }) => (exact === undefined || place < exact) && matches(branch))
    const place = glob?.place ?? exact
    return place === undefined ? undefined : this.rules[place]
  }
}
