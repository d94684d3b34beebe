import type { Ident } from '../objects/ident.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { parseTag } from '../objects/tag.ts'
import type { ObjectReader } from '../store/types.ts'
import { readShortened } from './commit-details.ts'
import { shortenTag } from './shorten.ts'

/** What a tag ref tells about itself: an annotated tag's own words, or those of the commit that a plain one names. */
export interface TagDescription {
  /** Of the object that the ref holds. */
  type: ObjectType
  message: string
  /** Who tagged, or committed; absent for tags of other objects and of git's first year. */
  who?: Ident
}

/** @param among how many it is listed @throws GitError `missing` or `corrupt` when the object is */
export function describeTag(store: ObjectReader, oid: Oid, among = 1): TagDescription {
  const type = store.findHeader(oid)?.type ?? store.get(oid).type
  if (type === 'tag') {
    const { data } = store.get(oid, 'tag')
    const { message, tagger } = shortenTag(parseTag(data), data.length, among)
    return { type, message, ...(tagger ? { who: tagger } : {}) }
  }
  if (type !== 'commit') return { type, message: '' }
  const { message, committer } = readShortened(store, oid, among)
  return { type, message, who: committer }
}
