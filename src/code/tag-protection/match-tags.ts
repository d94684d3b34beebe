import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { ComingMove } from '#repositories/refs/index.ts'
import { matchesName, stepsOf } from './name-pattern.ts'
import type { MatchedTags } from './protect-tags.ts'
import { listTagProtections } from './store.ts'

/** So many tags are held against the patterns in the transaction that moves them: with a hundred patterns, some milliseconds each. */
const FEW = 4
/** Of the matching of one push: some ten seconds, in turns with others. */
const MAX_STEPS = 1_000_000_000

/** Matches many tags while others go on; undefined where that is nothing. @throws Unprocessable when it is too much for one push */
export function findMatches({ db }: Pick<Context, 'db'>, { repoId, updates }: ComingMove): Promise<MatchedTags> | undefined {
  const patterns = listTagProtections(db, repoId).map(({ name_pattern: pattern }) => pattern)
  if (patterns.length === 0) return undefined
  const tags = updates.flatMap(({ name }) => (name.startsWith(TAGS) ? [name.slice(TAGS.length)] : []))
  return tags.length > FEW ? matchAll(patterns, tags) : undefined
}

async function matchAll(patterns: readonly string[], tags: readonly string[]): Promise<MatchedTags> {
  let perCharacter = 0
  for (const pattern of patterns) {
    if (isDue()) await breathe()
    perCharacter += stepsOf(pattern)
  }
  const characters = tags.reduce((sum, tag) => sum + tag.length, 0)
  if (characters * perCharacter > MAX_STEPS)
    throw new Unprocessable('Too many tags in one push to match against the tag protection patterns. Push fewer tags at a time.')
  const matching = new Map<string, Set<string>>()
  for (const tag of tags) {
    const found = new Set<string>()
    for (const pattern of patterns) {
      if (isDue()) await breathe()
      if (matchesName(pattern, tag)) found.add(pattern)
    }
    matching.set(tag, found)
  }
  return { patterns: new Set(patterns), matching }
}
