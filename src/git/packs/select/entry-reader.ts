import { GitError } from '../../errors.ts'
import type { EntryHeader } from '../entry.ts'
import { decodeEntryHeader, emptyEntryHeader } from '../entry.ts'
import { inflateAt } from '../inflate-entry.ts'
import type { PackFile } from '../pack-file.ts'

/** Most commits, trees and deltas are shorter than this, and come with one read. */
const READ_BYTES = 1024

/** Reads single entries as they lie: whole objects, and deltas without what they stand on. */
export class EntryReader {
  readonly header: EntryHeader = emptyEntryHeader()
  readonly bytes = Buffer.allocUnsafeSlow(READ_BYTES)
  #pack: PackFile | undefined
  #offset = 0
  #length = 0

  /** Reads the header of the entry at `offset` into `header`. @throws GitError `corrupt` */
  open(pack: PackFile, offset: number): EntryHeader {
    if (this.#pack === pack && this.#offset === offset) return this.header
    this.#pack = undefined
    this.#offset = offset
    this.#length = Math.max(0, Math.min(READ_BYTES, pack.dataEnd - offset))
    pack.readAt(offset, this.#length, this.bytes)
    if (!decodeEntryHeader(this.bytes.subarray(0, this.#length), 0, 20, this.header)) {
      throw new GitError('corrupt', `Cannot read pack entry: the pack ends in its header at byte ${offset}`)
    }
    this.#pack = pack
    return this.header
  }

  /** Inflates the entry opened last. @throws GitError `corrupt`, `limit` when it is longer than `maxBytes` */
  inflate(maxBytes: number): Uint8Array {
    if (this.#pack === undefined) throw new Error('Cannot read pack entry: no entry is open')
    const { dataAt, size } = this.header
    if (size > maxBytes) throw new GitError('limit', `Cannot read pack entry: its ${size} bytes are over the limit of ${maxBytes}`)
    return inflateAt(this.bytes, dataAt, this.#length, size) ?? this.#pack.inflateLong({ dataAt: this.#offset + dataAt, size })
  }
}
