import { commitLinks } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTag } from '../objects/tag.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'

/** A tag of a tag of a tag… is followed so far. */
const MAX_PEELS = 32

/**
 * Follows tags to what they tag, and a commit to its tree when that is asked for; undefined when that leads to something else.
 * @throws GitError `missing` or `corrupt` when an object on the way is: whoever asked has named something, and the store has lost it
 */
export function peel(store: ObjectReader, oid: Oid, type: 'commit' | 'tree'): Oid | undefined {
  let at = oid
  for (let steps = 0; steps < MAX_PEELS; steps++) {
    if (type === 'tree' && at === store.format.emptyTree) return at
    const header = getHeader(store, at)
    if (header.type === type) return at
    if (header.type === 'tag') at = parseTag(store.get(at, 'tag').data).object
    else if (header.type === 'commit') at = commitLinks(store.get(at, 'commit').data).tree
    else return undefined
  }
  return undefined
}
