import { closeSync, fstatSync, openSync } from 'node:fs'
import { GitError } from '../errors.ts'
import type { ObjectFormat } from '../objects/oid.ts'
import { search } from '../packs/offset-search.ts'
import type { PackFile } from '../packs/pack-file.ts'
import { readAll } from '../packs/read-all.ts'
import { bitmapPath } from './bitmap-path.ts'
import { Bitset } from './bitset.ts'
import { ewahEnd, flipEwah } from './ewah.ts'

/**
 * What selected commits of a pack reach, all of it in the same pack: one bit for each of its objects, in the order of their offsets.
 * Source: `Documentation/gitformat-bitmap.txt`, version 1.
 */
export const SIGNATURE = 0x4249544d
export const VERSION = 1
/** Nothing that is reached from a commit with a bitmap lies outside of the pack. */
export const FULL_DAG = 1
/** A bitmap may be told by how it differs from one of so many before it. */
const MAX_XOR_OFFSET = 160
const HEAD_BYTES = 12
/** Before the bits of each commit: its position in the pack's index, how far back the bitmap lies that it differs from, and flags. */
const ENTRY_HEAD_BYTES = 6
/** What a thread may well hold of a pack while it is open. Those of git's own history, 420,000 objects, take 2.5 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const TYPES = ['commit', 'tree', 'blob', 'tag'] as const

interface Known {
  /** By which a file that took its place is told. */
  date: number
  size: number
  bitmap: PackBitmap | undefined
}

/** By pack. A damaged one is looked at once. */
const known = new WeakMap<PackFile, Known>()

/**
 * The bitmaps beside a pack. Those that are damaged, of another pack, of a kind that is not read, or that the system does not let be read, are as good
 * as none: all that they tell a walk tells too.
 */
export function findPackBitmap(pack: PackFile, format: ObjectFormat): PackBitmap | undefined {
  try {
    return readPackBitmap(pack, format)
  } catch {
    return undefined
  }
}

function readPackBitmap(pack: PackFile, format: ObjectFormat): PackBitmap | undefined {
  const fd = openSync(bitmapPath(pack.path), 'r')
  try {
    const { mtimeMs: date, size } = fstatSync(fd)
    const before = known.get(pack)
    if (before?.date === date && before.size === size) return before.bitmap
    const bitmap = size > MAX_BYTES ? undefined : findSound(fd, size, pack, format)
    known.set(pack, { date, size, bitmap })
    return bitmap
  } finally {
    closeSync(fd)
  }
}

/** Has the bitmaps of a pack that proved wrong when they were read not used again. */
export function forgetPackBitmap(pack: PackFile): void {
  const before = known.get(pack)
  if (before) known.set(pack, { ...before, bitmap: undefined })
}

function findSound(fd: number, size: number, pack: PackFile, format: ObjectFormat): PackBitmap | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  try {
    return readAll(fd, bytes, size, 0) < size ? undefined : new PackBitmap(bytes, pack, format)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

export class PackBitmap {
  readonly pack: PackFile
  readonly #view: DataView
  readonly #types: number[] = []
  /** Where each entry begins, and by the position of its commit which it is. */
  readonly #entries: Uint32Array
  readonly #rows = new Map<number, number>()

  /** @throws GitError `corrupt` when the bytes are not the bitmaps of `pack` */
  constructor(bytes: Uint8Array, pack: PackFile, format: ObjectFormat) {
    this.pack = pack
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = bytes.length - format.rawLength
    const typesAt = HEAD_BYTES + format.rawLength
    if (end < typesAt) throw corrupt('it is truncated')
    this.#checkHead()
    if (Buffer.compare(bytes.subarray(HEAD_BYTES, typesAt), pack.index.packChecksum) !== 0) throw corrupt('it belongs to another pack')
    if (Buffer.compare(format.hasher().update(bytes.subarray(0, end)).digest(), bytes.subarray(end)) !== 0)
      throw corrupt('its checksum does not match its content')
    this.#entries = this.#readEntries(this.#readTypes(typesAt, end), end)
  }

  /** How many commits have a bitmap. */
  get count(): number {
    return this.#entries.length
  }

  /** The bit of the object at a position of the pack's index. */
  bitOf(position: number): number {
    const { index } = this.pack
    const order = index.offsetOrder()
    return search(index.count, (rank) => index.offsetAt(order[rank] as number), index.offsetAt(position))
  }

  /** All objects of a type. @throws GitError `corrupt` */
  ofType(type: (typeof TYPES)[number]): Bitset {
    const bits = new Bitset(this.pack.index.count)
    flipEwah(this.#view, this.#types[TYPES.indexOf(type)] as number, bits, this.pack.index.count)
    return bits
  }

  /** What the commit at a position of the pack's index reaches, itself included; undefined when it has no bitmap. @throws GitError `corrupt` */
  findReached(position: number): Bitset | undefined {
    const row = this.#rows.get(position)
    if (row === undefined) return undefined
    const bits = new Bitset(this.pack.index.count)
    // One differs from another, which differs from a third: all that is flipped on the way is flipped here.
    for (let at = row; ; ) {
      const entry = this.#entries[at] as number
      flipEwah(this.#view, entry + ENTRY_HEAD_BYTES, bits, this.pack.index.count)
      const back = this.#view.getUint8(entry + 4)
      if (back === 0) return bits
      at -= back
    }
  }

  #checkHead(): void {
    const [signature, version, flags] = [this.#view.getUint32(0), this.#view.getUint16(4), this.#view.getUint16(6)]
    if (signature !== SIGNATURE || version !== VERSION) throw corrupt('it is not in version 1 of the format')
    if ((flags & FULL_DAG) === 0) throw corrupt('it does not declare that the pack has all reachable objects')
  }

  /** Answers where they end. */
  #readTypes(at: number, end: number): number {
    for (const _ of TYPES) {
      this.#types.push(at)
      at = ewahEnd(this.#view, at, end)
    }
    return at
  }

  #readEntries(at: number, end: number): Uint32Array {
    const count = this.#view.getUint32(8)
    if (count > (end - at) / ENTRY_HEAD_BYTES) throw corrupt('it is truncated')
    const entries = new Uint32Array(count)
    for (let row = 0; row < count; row++) {
      const bitsAt = at + ENTRY_HEAD_BYTES
      const after = ewahEnd(this.#view, bitsAt, end)
      this.#checkEntry(at, row)
      this.#rows.set(this.#view.getUint32(at), row)
      entries[row] = at
      at = after
    }
    return entries
  }

  #checkEntry(at: number, row: number): void {
    const [position, back] = [this.#view.getUint32(at), this.#view.getUint8(at + 4)]
    if (position >= this.pack.index.count) throw corrupt('it refers to an object that is not in the pack')
    if (back > Math.min(row, MAX_XOR_OFFSET)) throw corrupt('a bitmap refers to a missing bitmap')
  }
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot read bitmaps: ${reason}`)
}
