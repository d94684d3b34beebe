import type { Oid } from '../../objects/oid.ts'
import { oidAt } from '../../objects/oid.ts'

/** "No entry" in the columns that name entries. */
export const NONE = -1

/** One row per pack entry, in the order they lie in the pack. All columns are shared memory, so a thread can be handed them. */
export interface EntryColumns {
  rawLength: number
  /** Where each entry begins; one more row than entries, the last being where the entries end. */
  offsets: Float64Array
  /** Bytes before the entry's zlib stream. */
  headerLengths: Uint8Array
  crcs: Uint32Array
  /** Inflated length of the object; of a delta, the length of what it makes. */
  sizes: Float64Array
  /** Entry type; a delta gets its object's type (1–4) once it is resolved. */
  types: Uint8Array
  /** A delta's base, `NONE` for others and for a REF_DELTA whose base is not known yet. */
  bases: Int32Array
  /** Raw ids, zeros until known. */
  oids: Uint8Array
}

/** What is reserved on the pack's word alone; memory that is not used is not taken. */
const MOST_RESERVED = 2 ** 20

/** The growing table of a pack's entries: its memory follows the entries that really arrived, not the number announced. */
export class EntryTable {
  count = 0
  #capacity: number
  #columns: EntryColumns

  constructor(rawLength: number, announced: number) {
    this.#capacity = Math.min(announced + 1, MOST_RESERVED)
    this.#columns = allocate(rawLength, this.#capacity)
  }

  get columns(): EntryColumns {
    return this.#columns
  }

  /** Adds a row and returns its number; id, CRC, size and base are for the caller to fill in. */
  add(offset: number, headerLength: number, type: number): number {
    if (this.count === this.#capacity) this.reserve(this.#capacity * 2)
    const entry = this.count++
    this.#columns.offsets[entry] = offset
    this.#columns.headerLengths[entry] = headerLength
    this.#columns.types[entry] = type
    this.#columns.bases[entry] = NONE
    return entry
  }

  /** Says where the last entry ends. */
  close(end: number): void {
    this.#columns.offsets[this.count] = end
  }

  /** Makes room for `capacity` rows; `columns` is another object afterwards. */
  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return
    const grown = allocate(this.#columns.rawLength, capacity)
    copyColumns(this.#columns, grown)
    this.#capacity = capacity
    this.#columns = grown
  }
}

export function oidOf(columns: EntryColumns, entry: number): Oid {
  return oidAt(columns.oids, entry * columns.rawLength, columns.rawLength)
}

/** The entry that begins at `offset` among the first `count`, or `NONE`. */
export function findEntryAt(columns: EntryColumns, count: number, offset: number): number {
  const offsets = columns.offsets
  let low = 0
  let high = count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = offsets[middle] as number
    if (found === offset) return middle
    if (found < offset) low = middle + 1
    else high = middle - 1
  }
  return NONE
}

/** The first entry in `order` (see `sortByOid`) with the raw id `oid`, or `NONE`. */
export function findEntryByOid(columns: EntryColumns, order: Uint32Array, oid: Uint8Array): number {
  const { oids, rawLength } = columns
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRaw(oids, (order[middle] as number) * rawLength, oid, 0, rawLength) < 0) low = middle + 1
    else high = middle
  }
  const isFound = low < order.length && compareRaw(oids, (order[low] as number) * rawLength, oid, 0, rawLength) === 0
  return isFound ? (order[low] as number) : NONE
}

/** Compares two raw ids. */
export function compareRaw(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): number {
  for (let i = 0; i < length; i++) {
    const difference = (a[aAt + i] as number) - (b[bAt + i] as number)
    if (difference !== 0) return difference
  }
  return 0
}

function allocate(rawLength: number, capacity: number): EntryColumns {
  return {
    rawLength,
    offsets: new Float64Array(new SharedArrayBuffer(8 * (capacity + 1))),
    headerLengths: new Uint8Array(new SharedArrayBuffer(capacity)),
    crcs: new Uint32Array(new SharedArrayBuffer(4 * capacity)),
    sizes: new Float64Array(new SharedArrayBuffer(8 * capacity)),
    types: new Uint8Array(new SharedArrayBuffer(capacity)),
    bases: new Int32Array(new SharedArrayBuffer(4 * capacity)),
    oids: new Uint8Array(new SharedArrayBuffer(rawLength * capacity)),
  }
}

function copyColumns(from: EntryColumns, to: EntryColumns): void {
  to.offsets.set(from.offsets)
  to.headerLengths.set(from.headerLengths)
  to.crcs.set(from.crcs)
  to.sizes.set(from.sizes)
  to.types.set(from.types)
  to.bases.set(from.bases)
  to.oids.set(from.oids)
}
