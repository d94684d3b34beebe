import { compareRaw, NONE } from './entry-table.ts'

/**
 * The REF_DELTA entries that wait for a base known only by id, grouped by that id. Shared memory: whichever thread comes upon the
 * base claims the group, so each delta is resolved once.
 */
export interface RefGroups {
  count: number
  rawLength: number
  /** Raw base ids, sorted, one a group. */
  oids: Uint8Array
  /** The first entry of each group; the others follow by `nextSibling`. */
  heads: Int32Array
  /** 1 once a group's base has been found. */
  claims: Int32Array
}

/** Collects the REF_DELTA entries while a pack is read. */
export class RefBaseList {
  #count = 0
  readonly #rawLength: number
  #entries = new Int32Array(16)
  #oids: Uint8Array

  constructor(rawLength: number) {
    this.#rawLength = rawLength
    this.#oids = new Uint8Array(16 * rawLength)
  }

  add(entry: number, bytes: Uint8Array, at: number): void {
    if (this.#count === this.#entries.length) this.#grow()
    this.#entries[this.#count] = entry
    for (let i = 0; i < this.#rawLength; i++) this.#oids[this.#count * this.#rawLength + i] = bytes[at + i] as number
    this.#count++
  }

  get length(): number {
    return this.#count
  }

  /** Groups the entries by base and chains each group's entries, in the pack's order, in `nextSibling`. */
  group(nextSibling: Int32Array): RefGroups {
    const length = this.#rawLength
    const compare = (a: number, b: number): number => compareRaw(this.#oids, a * length, this.#oids, b * length, length) || a - b
    const order = new Uint32Array(this.#count).map((_, i) => i).sort(compare)
    const groups = allocate(this.#count, length)
    for (const row of order) {
      const previous = groups.count - 1
      const isNew = previous < 0 || compareRaw(groups.oids, previous * length, this.#oids, row * length, length) !== 0
      if (isNew) this.#open(groups, row)
      else nextSibling[this.#lastEntry] = this.#entries[row] as number
      this.#lastEntry = this.#entries[row] as number
    }
    return groups
  }

  #lastEntry = NONE

  #open(groups: RefGroups, row: number): void {
    groups.heads[groups.count] = this.#entries[row] as number
    groups.oids.set(this.#oids.subarray(row * this.#rawLength, (row + 1) * this.#rawLength), groups.count * this.#rawLength)
    groups.count++
  }

  #grow(): void {
    const entries = new Int32Array(this.#entries.length * 2)
    entries.set(this.#entries)
    this.#entries = entries
    const oids = new Uint8Array(this.#oids.length * 2)
    oids.set(this.#oids)
    this.#oids = oids
  }
}

/** The group that waits for the raw id at `at`, or `NONE`. */
export function findGroup(groups: RefGroups, bytes: Uint8Array, at: number): number {
  let low = 0
  let high = groups.count - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const order = compareRaw(groups.oids, middle * groups.rawLength, bytes, at, groups.rawLength)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return NONE
}

/** True for the one caller that may resolve the group. */
export function claimGroup(groups: RefGroups, group: number): boolean {
  return Atomics.compareExchange(groups.claims, group, 0, 1) === 0
}

function allocate(count: number, rawLength: number): RefGroups {
  return {
    count: 0,
    rawLength,
    oids: new Uint8Array(new SharedArrayBuffer(count * rawLength)),
    heads: new Int32Array(new SharedArrayBuffer(count * 4)),
    claims: new Int32Array(new SharedArrayBuffer(count * 4)),
  }
}
