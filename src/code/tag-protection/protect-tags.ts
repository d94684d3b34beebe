import { TAGS } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { matchesName } from './name-pattern.ts'
import { isListed, listTagProtections } from './store.ts'

/**
 * A tag that a pattern protects is made, moved and deleted by whom one of its patterns lists, and by nobody else; owners are no
 * exception. Whichever way a tag changes, it is asked: it is one of the context's `refGuards`.
 */
export const tagGuard = {
  judge: (_context: unknown, tx: Tx, { id }: { id: number }, { actorId }: { actorId: number }) => protectTags(tx, id, actorId),
}

function protectTags(db: Db, repoId: number, actorId: number) {
  let known: { pattern: string; isAllowed: boolean }[] | undefined
  const rules = () => {
    known ??= listTagProtections(db, repoId).map((row) => ({ pattern: row.name_pattern, isAllowed: isListed(db, row.id, actorId) }))
    return known
  }
  const refusalOf = ({ name }: { name: string }) => {
    if (!name.startsWith(TAGS)) return undefined
    const tag = name.slice(TAGS.length)
    const matching = rules().filter(({ pattern }) => matchesName(pattern, tag))
    return matching.length === 0 || matching.some(({ isAllowed }) => isAllowed) ? undefined : `Tag ${tag} is protected`
  }
  return Object.assign(refusalOf, { basis: () => JSON.stringify(rules()) })
}
