import { TAGS } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { JudgedMove } from '#repositories/refs/index.ts'
import { matchesName } from './name-pattern.ts'
import { isListed, listTagProtections } from './store.ts'

/** Which of the patterns match the tags of one move, by their names. */
export interface MatchedTags {
  patterns: ReadonlySet<string>
  matching: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * A tag that a pattern protects is made, moved and deleted by whom one of its patterns lists, and by nobody else; owners are no
 * exception. Whichever way a tag changes, it is asked: it is registered with `RefHooks`.
 */
export const tagGuard = {
  judge: (_context: unknown, tx: Tx, { id }: { id: number }, move: JudgedMove) => protectTags(tx, id, move),
}

function protectTags(db: Db, repoId: number, { actorId, facts, askAgain }: JudgedMove) {
  const found = facts?.get(tagGuard) as MatchedTags | undefined
  const isMatch = (pattern: string, tag: string): boolean => {
    const matching = found?.matching.get(tag)
    if (!found || !matching) return matchesName(pattern, tag)
    return found.patterns.has(pattern) ? matching.has(pattern) : askAgain()
  }
  let known: { pattern: string; isAllowed: boolean }[] | undefined
  const rules = () => {
    known ??= listTagProtections(db, repoId).map((row) => ({ pattern: row.name_pattern, isAllowed: isListed(db, row.id, actorId) }))
    return known
  }
  const refusalOf = ({ name }: { name: string }) => {
    if (!name.startsWith(TAGS)) return undefined
    const tag = name.slice(TAGS.length)
    const matching = rules().filter(({ pattern }) => isMatch(pattern, tag))
    return matching.length === 0 || matching.some(({ isAllowed }) => isAllowed) ? undefined : `Tag ${tag} is protected`
  }
  return Object.assign(refusalOf, { basis: () => JSON.stringify(rules()) })
}
