import { GitError } from '../../errors.ts'
import { type Oid, oidAt } from '../../objects/oid.ts'

/** What a link wants its target to be: a bit per object type code (1–4). */
export const WANTS_ANY = 0b11110
/** The target is a `.gitattributes` file somewhere: its content must be checked too. */
export const IS_ATTRIBUTES = 1
/** The target is a `.gitmodules` file somewhere: its content must be checked too. */
export const IS_MODULES = 1 << 5
/** The target is the new value of a ref. */
export const IS_TIP = 1 << 6
/** The target has been found. */
export const IS_FOUND = 1 << 7

/** The columns of a table; shared memory, so that handing them to another thread copies nothing. */
export interface LinkColumns {
  count: number
  capacity: number
  keys: Uint32Array
  flags: Uint8Array
  from: Uint32Array
  /** Random multipliers that choose the slots. */
  salt: Uint32Array
}

const FIRST_CAPACITY = 256
const WORDS = 5

/**
 * A set of raw ids with flags, open addressing in typed arrays: 25 bytes a slot. Ids come from strangers and need not be
 * hashes at all, so slots are chosen with random multipliers.
 */
export class LinkTable {
  /** Who links: the entry number that newly added links are noted with. */
  from = 0
  /** How many ids it takes. */
  maxLinks: number
  #columns: LinkColumns
  readonly #raw = new Uint8Array(WORDS * 4)
  readonly #rawView = new DataView(this.#raw.buffer)

  constructor(maxLinks: number) {
    this.maxLinks = maxLinks
    const salt = crypto.getRandomValues(new Uint32Array(WORDS)).map((n) => n | 1)
    this.#columns = allocate(FIRST_CAPACITY, salt)
  }

  /** A table of another thread's columns. */
  static of(columns: LinkColumns): LinkTable {
    const table = new LinkTable(columns.count)
    table.#columns = columns
    return table
  }

  get columns(): LinkColumns {
    return this.#columns
  }

  get capacity(): number {
    return this.#columns.capacity
  }

  /** Notes a link to the raw id at `at`. @throws GitError `limit` when there are too many */
  add(bytes: Uint8Array, at: number, flags: number): void {
    this.#put(wordAt(bytes, at), wordAt(bytes, at + 4), wordAt(bytes, at + 8), wordAt(bytes, at + 12), wordAt(bytes, at + 16), flags, this.from)
  }

  /** Notes a link to the id whose hexadecimal digits begin at `at`. */
  addHex(bytes: Uint8Array, at: number, flags: number): void {
    this.#put(hexWordAt(bytes, at), hexWordAt(bytes, at + 8), hexWordAt(bytes, at + 16), hexWordAt(bytes, at + 24), hexWordAt(bytes, at + 32), flags, this.from)
  }

  addOid(oid: Oid, flags: number): void {
    this.add(Buffer.from(oid, 'hex'), 0, flags)
  }

  /** The slot of the raw id at `at`, or -1. */
  find(bytes: Uint8Array, at: number): number {
    const slot = this.#slotOf(wordAt(bytes, at), wordAt(bytes, at + 4), wordAt(bytes, at + 8), wordAt(bytes, at + 12), wordAt(bytes, at + 16))
    return this.#columns.flags[slot] === 0 ? -1 : slot
  }

  /** 0 for a slot that is free. */
  flagsAt(slot: number): number {
    return this.#columns.flags[slot] as number
  }

  fromAt(slot: number): number {
    return this.#columns.from[slot] as number
  }

  markFound(slot: number): void {
    this.#columns.flags[slot] = (this.#columns.flags[slot] as number) | IS_FOUND
  }

  oidAt(slot: number): Oid {
    return oidAt(this.rawAt(slot), 0)
  }

  /** The raw id, good until the next is asked for. */
  rawAt(slot: number): Uint8Array {
    for (let i = 0; i < WORDS; i++) this.#rawView.setUint32(i * 4, this.#columns.keys[slot * WORDS + i] as number)
    return this.#raw
  }

  #put(a: number, b: number, c: number, d: number, e: number, flags: number, from: number): void {
    let slot = this.#slotOf(a, b, c, d, e)
    const columns = this.#columns
    if (columns.flags[slot] !== 0) {
      columns.flags[slot] = (columns.flags[slot] as number) | flags
      return
    }
    if (columns.count >= this.maxLinks) throw new GitError('limit', `Cannot accept pack: its objects refer to more than ${this.maxLinks} other objects`)
    if (columns.count * 5 >= columns.capacity * 3) {
      this.#rehash(columns, columns.capacity * 2)
      slot = this.#slotOf(a, b, c, d, e)
    }
    this.#fill(slot, a, b, c, d, e, flags, from)
  }

  #fill(slot: number, a: number, b: number, c: number, d: number, e: number, flags: number, from: number): void {
    const { keys } = this.#columns
    const at = slot * WORDS
    keys[at] = a
    keys[at + 1] = b
    keys[at + 2] = c
    keys[at + 3] = d
    keys[at + 4] = e
    this.#columns.flags[slot] = flags
    this.#columns.from[slot] = from
    this.#columns.count++
  }

  /** The slot that holds the id, or the free one where it would go. */
  #slotOf(a: number, b: number, c: number, d: number, e: number): number {
    const { keys, flags, capacity, salt } = this.#columns
    let mixed = Math.imul(a ^ (salt[0] as number), salt[1] as number)
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ b, salt[2] as number)
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ c, salt[3] as number)
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ d, salt[4] as number)
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ e, salt[1] as number)
    const mask = capacity - 1
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (flags[slot] !== 0) {
      const at = slot * WORDS
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d && keys[at + 4] === e) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #rehash(old: LinkColumns, capacity: number): void {
    this.#columns = allocate(capacity, old.salt)
    const { keys, flags, from } = old
    for (let slot = 0, at = 0; slot < old.capacity; slot++, at += WORDS) {
      if (flags[slot] === 0) continue
      const target = this.#slotOf(keys[at] as number, keys[at + 1] as number, keys[at + 2] as number, keys[at + 3] as number, keys[at + 4] as number)
      this.#fill(
        target,
        keys[at] as number,
        keys[at + 1] as number,
        keys[at + 2] as number,
        keys[at + 3] as number,
        keys[at + 4] as number,
        flags[slot] as number,
        from[slot] as number,
      )
    }
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0
}

function hexWordAt(bytes: Uint8Array, at: number): number {
  let word = 0
  for (let i = at; i < at + 8; i++) word = (word << 4) | (((bytes[i] as number) & 15) + ((bytes[i] as number) >> 6) * 9)
  return word >>> 0
}

function allocate(capacity: number, salt: Uint32Array): LinkColumns {
  return {
    count: 0,
    capacity,
    keys: new Uint32Array(new SharedArrayBuffer(capacity * WORDS * 4)),
    flags: new Uint8Array(new SharedArrayBuffer(capacity)),
    from: new Uint32Array(new SharedArrayBuffer(capacity * 4)),
    salt,
  }
}
