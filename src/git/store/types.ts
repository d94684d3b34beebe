import { type ObjectFormat, type ObjectType, type Oid, oidAt } from '../objects/oid.ts'

/** Whether the object is there whose raw id lies in `bytes` at `at`. */
export type RawPresence = (bytes: Uint8Array, at: number) => boolean

export interface GitObject {
  type: ObjectType
  data: Uint8Array
}

export interface ObjectHeader {
  type: ObjectType
  /** Inflated length in bytes. */
  size: number
}

/** Which objects are there, without what is in them. */
export interface ObjectIndex {
  readonly format: ObjectFormat
  has(oid: Oid): boolean
  /** `has` as of now, for asking about very many objects that are likely absent: what others add afterwards does not count. */
  presence?(): RawPresence
  /** Type and size without inflating the whole object. */
  findHeader(oid: Oid): ObjectHeader | undefined
  /** The type alone of the object whose raw id lies in `bytes` at `at`, where that costs less. */
  findTypeRaw?(bytes: Uint8Array, at: number): ObjectType | undefined
  /** Ids that begin with `prefix` (4 or more hex digits), at most `limit` of them, sorted. */
  findByPrefix(prefix: string, limit: number): Oid[]
}

/** Synchronous on purpose: reads are positioned reads of small pieces; whatever walks many objects runs in a worker. */
export interface ObjectReader extends ObjectIndex {
  /**
   * The whole object, checked against the store's own limit on inflated size.
   * @throws GitError `limit` when larger than `maxBytes` (or the store's limit), `corrupt` when unreadable
   */
  find(oid: Oid, maxBytes?: number): GitObject | undefined
  /** Like `get`, in pieces, each good until the next is asked for: for what is too large to be held whole. */
  pieces?(oid: Oid): AsyncIterable<Uint8Array>
  /** Like `find`. @throws GitError `missing` when absent, `corrupt` when it is of another type than `type` */
  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject
}

export interface ObjectWriter {
  /** Stores an object durably (fsync before it is visible) unless it is there already; returns its id. */
  write(type: ObjectType, data: Uint8Array): Oid
}

export interface ObjectStore extends ObjectReader, ObjectWriter {
  close(): void
}

/** `presence`, or where the store has none, one look for each. */
export function presenceIn(store: ObjectIndex): RawPresence {
  return store.presence?.() ?? ((bytes, at) => store.has(oidAt(bytes, at, store.format.rawLength)))
}

/** `findTypeRaw`, or what the header says. */
export function typeIn(store: ObjectIndex, bytes: Uint8Array, at: number): ObjectType | undefined {
  return store.findTypeRaw ? store.findTypeRaw(bytes, at) : store.findHeader(oidAt(bytes, at, store.format.rawLength))?.type
}

/** The object in pieces, or in one where the store cannot do better. */
export async function* piecesOf(store: ObjectReader, oid: Oid): AsyncGenerator<Uint8Array> {
  if (store.pieces) yield* store.pieces(oid)
  else yield store.get(oid).data
}
