import type { Oid } from '../../objects/oid.ts'
import { oidAt } from '../../objects/oid.ts'

/** The columns, to hand to another thread. */
export interface TagColumns {
  count: number
  entries: Uint32Array
  oids: Uint8Array
}

/** What each tag of a pack points to: entry numbers and raw ids, in typed arrays. */
export class TagTargets {
  #columns: TagColumns
  readonly #rawLength: number

  constructor(rawLength: number) {
    this.#rawLength = rawLength
    this.#columns = { count: 0, entries: new Uint32Array(16), oids: new Uint8Array(16 * rawLength) }
  }

  /** A list of another thread's columns. */
  static of(columns: TagColumns, rawLength: number): TagTargets {
    const targets = new TagTargets(rawLength)
    targets.#columns = columns
    return targets
  }

  get columns(): TagColumns {
    return this.#columns
  }

  /** Notes that tag `entry` points to the id whose hexadecimal digits begin at `at`. */
  add(entry: number, bytes: Uint8Array, at: number): void {
    if (this.#columns.count === this.#columns.entries.length) this.#grow()
    const { count, entries, oids } = this.#columns
    entries[count] = entry
    const digits = Buffer.prototype.latin1Slice.call(bytes, at, at + 2 * this.#rawLength)
    oids.set(Buffer.from(digits, 'hex'), count * this.#rawLength)
    this.#columns.count++
  }

  /** Puts into `wanted`, by entry, what those of its tags that are listed here point to. */
  fill(wanted: Map<number, Oid | undefined>): void {
    const { count, entries, oids } = this.#columns
    for (let row = 0; row < count; row++) {
      if (wanted.has(entries[row] as number)) wanted.set(entries[row] as number, oidAt(oids, row * this.#rawLength, this.#rawLength))
    }
  }

  #grow(): void {
    const { count, entries, oids } = this.#columns
    const grown = { count, entries: new Uint32Array(count * 2), oids: new Uint8Array(count * 2 * this.#rawLength) }
    grown.entries.set(entries)
    grown.oids.set(oids)
    this.#columns = grown
  }
}
