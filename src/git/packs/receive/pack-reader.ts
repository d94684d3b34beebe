import { closeSync, ftruncateSync, openSync, unlinkSync } from 'node:fs'
import { GitError } from '../../errors.ts'
import { decodeEntryHeader, emptyEntryHeader } from '../entry.ts'
import { inflatePieces, inflateWhole } from '../inflate.ts'
import { inflateInto } from '../inflate-into.ts'
import { readAll } from '../read-all.ts'
import { StreamWindow } from '../window.ts'
import { writeAll } from '../write-all.ts'
import type { EntryColumns } from './entry-table.ts'

/** Of what is read into the same memory again and again, the first and the most. */
const FIRST_SCRATCH_BYTES = 16 * 1024
const SCRATCH_BYTES = 256 * 1024
/**
 * What the collector is let wait for: it goes by the size of what is alive, here tables and caches of a hundred megabytes, and would let
 * as much again of inflated deltas pile up before it begins by itself.
 */
const MOST_DROPPED_BYTES = 32 * 1024 * 1024

/** Reads entries that pass 1 has accepted, by positioned reads of just their bytes. */
export class PackReader {
  readonly #path: string
  readonly #fd: number
  /** For what is set aside: a file without a name, of which nothing is left after a crash. */
  #aside: number | undefined
  /** Bytes handed out since the last collection, of which few are still in use. */
  #dropped = 0
  #scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES)
  #inflated = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES)
  readonly #header = emptyEntryHeader()

  constructor(path: string) {
    this.#path = path
    this.#fd = openSync(path, 'r')
  }

  /** The object of `entry`, which is no delta. */
  readWhole(columns: EntryColumns, entry: number): Uint8Array {
    const inflated = this.#inflate(columns, entry, (size) => Buffer.allocUnsafeSlow(size + 1))
    this.#dropped += inflated.length
    if (this.#dropped > MOST_DROPPED_BYTES) {
      this.#dropped = 0
      Bun.gc(true)
    }
    return inflated
  }

  /** The same in pieces, each good until the next is asked for: for what is too large to be held whole. */
  pieces(columns: EntryColumns, entry: number): AsyncGenerator<Uint8Array> {
    const start = (columns.offsets[entry] as number) + (columns.headerLengths[entry] as number)
    return inflatePieces(new StreamWindow(this.#readOn(start), () => {}, Number.POSITIVE_INFINITY), columns.sizes[entry] as number)
  }

  async *#readOn(start: number): AsyncGenerator<Uint8Array> {
    for (let at = start; ; ) {
      const bytes = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
      const got = readAll(this.#fd, bytes, bytes.length, at)
      if (got === 0) return
      yield bytes.subarray(0, got)
      at += got
    }
  }

  /** The inflated content of `entry`, the object or the delta; good until the next is read. */
  read(columns: EntryColumns, entry: number): Uint8Array {
    return this.#inflate(columns, entry, this.#roomForInflated)
  }

  #inflate(columns: EntryColumns, entry: number, roomFor: (size: number) => Uint8Array): Uint8Array {
    const start = columns.offsets[entry] as number
    const length = (columns.offsets[entry + 1] as number) - start
    const bytes = this.#roomFor(length)
    if (readAll(this.#fd, bytes, length, start) < length || !decodeEntryHeader(bytes, 0, columns.rawLength, this.#header))
      throw new GitError('corrupt', 'Cannot read pack entry: the file ends early')
    const { size, dataAt } = this.#header
    const room = roomFor(size)
    if (inflateInto(bytes, dataAt, length, room, 0, size) > 0) return room.subarray(0, size)
    const inflated = inflateWhole(bytes.subarray(dataAt, length), size)
    if (inflated === undefined) throw new GitError('corrupt', 'Cannot read pack entry: its zlib stream does not end')
    return inflated.data
  }

  /** Most packs are of small entries alone. */
  #roomFor(length: number): Buffer {
    if (length > SCRATCH_BYTES) return Buffer.allocUnsafeSlow(length)
    if (length > this.#scratch.length) this.#scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
    return this.#scratch
  }

  readonly #roomForInflated = (size: number): Uint8Array => {
    if (size >= SCRATCH_BYTES) return Buffer.allocUnsafeSlow(size + 1)
    if (size >= this.#inflated.length) this.#inflated = Buffer.allocUnsafeSlow(SCRATCH_BYTES)
    return this.#inflated
  }

  /** Keeps bytes on disk while others need the memory, in place of those before. Returns whether there is room for them. */
  setAside(bytes: Uint8Array): boolean {
    try {
      this.#aside ??= openNameless(`${this.#path}.${crypto.randomUUID()}`)
      writeAll(this.#aside, bytes, 0)
      return true
    } catch {
      // What did fit would keep a full disk full.
      if (this.#aside !== undefined) ftruncateSync(this.#aside)
      return false
    }
  }

  /** Fills `into` with what was set aside. */
  takeBack(into: Uint8Array): void {
    const fd = this.#aside as number
    if (readAll(fd, into, into.length, 0) < into.length) throw new GitError('corrupt', 'Cannot read pack entry: the temporary data ends early')
    ftruncateSync(fd)
  }

  close(): void {
    if (this.#aside !== undefined) closeSync(this.#aside)
    closeSync(this.#fd)
  }
}

function openNameless(path: string): number {
  const fd = openSync(path, 'wx+')
  unlinkSync(path)
  return fd
}
