import { GitError } from '../errors.ts'
import type { ObjectType } from '../objects/oid.ts'

/** Entry types of a pack. Source: `Documentation/gitformat-pack.txt`. */
export const COMMIT = 1
export const TREE = 2
export const BLOB = 3
export const TAG = 4
export const OFS_DELTA = 6
export const REF_DELTA = 7

const names: Record<number, ObjectType> = { [COMMIT]: 'commit', [TREE]: 'tree', [BLOB]: 'blob', [TAG]: 'tag' }
const codes: Record<ObjectType, number> = { commit: COMMIT, tree: TREE, blob: BLOB, tag: TAG }

/** The object type of an entry type 1–4. */
export function typeName(code: number): ObjectType {
  const name = names[code]
  if (name === undefined) throw new GitError('corrupt', `Cannot read pack entry type ${code}: expected 1 to 4`)
  return name
}

export function typeCode(type: ObjectType): number {
  return codes[type]
}

export interface EntryHeader {
  /** 1–4, 6 or 7. */
  type: number
  /** Inflated length of what follows: the object, or the delta. */
  size: number
  /** Where the zlib stream (or, for REF_DELTA, nothing but it) starts, in the buffer given. */
  dataAt: number
  /** OFS_DELTA: how far before this entry its base begins. */
  baseDistance: number
  /** REF_DELTA: where the raw base id lies in the buffer given, else -1. */
  baseOidAt: number
}

/** An entry as it lies in the pack; offsets count from the start of the file. */
export interface PackEntry {
  /** 1–4, 6 or 7. */
  type: number
  /** Inflated length of the object, or of the delta. */
  size: number
  /** Where the zlib stream begins. */
  dataAt: number
  /** Where a delta's base begins, -1 for a whole object. */
  baseAt: number
}

/** The longest an entry header gets: 10 bytes of size, then 10 of distance or 32 of id. */
export const MAX_ENTRY_HEADER = 42

/**
 * Reads the header at `at` into `into` and returns true, or returns false when `bytes` ends before the header does.
 * @throws GitError `corrupt` on an unknown type or a number beyond 2^53
 */
export function decodeEntryHeader(bytes: Uint8Array, at: number, rawLength: number, into: EntryHeader): boolean {
  const end = bytes.length
  if (at >= end) return false
  let byte = bytes[at++] as number
  const type = (byte >> 4) & 7
  let size = byte & 15
  let scale = 16
  while (byte & 0x80) {
    if (at >= end) return false
    byte = bytes[at++] as number
    size += (byte & 0x7f) * scale
    scale *= 128
    if (size > Number.MAX_SAFE_INTEGER) throw new GitError('corrupt', 'Cannot read pack entry: its size does not fit in 53 bits')
  }
  into.type = type
  into.size = size
  into.baseDistance = 0
  into.baseOidAt = -1
  if (type === OFS_DELTA) {
    if (at >= end) return false
    byte = bytes[at++] as number
    let distance = byte & 0x7f
    while (byte & 0x80) {
      if (at >= end) return false
      byte = bytes[at++] as number
      distance = (distance + 1) * 128 + (byte & 0x7f)
      if (distance > Number.MAX_SAFE_INTEGER) throw new GitError('corrupt', 'Cannot read pack entry: its base distance does not fit in 53 bits')
    }
    into.baseDistance = distance
  } else if (type === REF_DELTA) {
    if (at + rawLength > end) return false
    into.baseOidAt = at
    at += rawLength
  } else if (type < COMMIT || type > TAG) {
    throw new GitError('corrupt', `Cannot read pack entry: type ${type} is unknown`)
  }
  into.dataAt = at
  return true
}

export function emptyEntryHeader(): EntryHeader {
  return { type: 0, size: 0, dataAt: 0, baseDistance: 0, baseOidAt: -1 }
}

/** Writes type and size at `at`; returns where the next byte goes. */
export function encodeEntryHeader(type: number, size: number, out: Uint8Array, at: number): number {
  let byte = (type << 4) | (size % 16)
  let rest = Math.floor(size / 16)
  while (rest > 0) {
    out[at++] = byte | 0x80
    byte = rest % 128
    rest = Math.floor(rest / 128)
  }
  out[at++] = byte
  return at
}

/** Writes an OFS_DELTA distance at `at`; returns where the next byte goes. */
export function encodeBaseDistance(distance: number, out: Uint8Array, at: number): number {
  const bytes = [distance % 128]
  let rest = Math.floor(distance / 128)
  while (rest > 0) {
    rest -= 1
    bytes.push(0x80 | (rest % 128))
    rest = Math.floor(rest / 128)
  }
  for (let i = bytes.length - 1; i >= 0; i--) out[at++] = bytes[i] as number
  return at
}
