import type { Oid } from '../objects/oid.ts'
import { parseTag, type Tag } from '../objects/tag.ts'
import type { ObjectReader } from '../store/types.ts'
import { shortenTag } from './shorten.ts'

/** An annotated tag, with texts of no more than tens of kilobytes: see `shortenTag`. */
export interface ToldTag extends Tag {
  /** What its signature signs: the tag without it. Absent when it is not signed. */
  payload?: Uint8Array
}

/** @throws GitError `missing`, or `corrupt` when it is no tag that can be read */
export function tellTag(store: ObjectReader, oid: Oid): ToldTag {
  const { data } = store.get(oid, 'tag')
  const whole = parseTag(data)
  const tag = shortenTag(whole, data.length)
  return tag.signature === undefined ? tag : { ...tag, payload: data.slice(0, data.length - Buffer.byteLength(tag.signature)) }
}
