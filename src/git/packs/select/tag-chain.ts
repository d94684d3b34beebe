import { GitError } from '../../errors.ts'
import type { ObjectType, Oid } from '../../objects/oid.ts'
import { isOid } from '../../objects/oid.ts'
import type { ObjectSpace } from './object-space.ts'

/** Tags that may stand one on another. */
const MAX_TAGS = 1024
const OBJECT = 'object '
/** With an id of SHA-1. */
const FIRST_LINE = OBJECT.length + 40

export interface PeeledObject {
  oid: Oid
  number: number
  type: Exclude<ObjectType, 'tag'>
}

/**
 * Follows tags from `oid` to what they finally name, giving each tag on the way to `visit`.
 * @throws GitError `missing` when an object is not there, `corrupt` when a tag cannot be read, `limit` on a chain without end
 */
export function peelTo(space: ObjectSpace, oid: Oid, visit: (tag: number) => void): PeeledObject {
  let at = oid
  for (let i = 0; i < MAX_TAGS; i++) {
    const number = space.get(at)
    const { type } = space.header(number)
    if (type !== 'tag') return { oid: at, number, type }
    visit(number)
    at = targetOf(space.readAs('tag', number), at)
  }
  throw new GitError('limit', `Cannot follow tag ${oid}: more than ${MAX_TAGS} tags are nested`)
}

function targetOf(tag: Uint8Array, oid: Oid): Oid {
  const line = Buffer.prototype.latin1Slice.call(tag, 0, Math.min(tag.length, FIRST_LINE))
  const target = line.slice(OBJECT.length)
  if (!line.startsWith(OBJECT) || !isOid(target)) throw new GitError('corrupt', `Cannot read tag ${oid}: its first line has no object ID`)
  return target
}
