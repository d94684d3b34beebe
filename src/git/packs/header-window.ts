import { GitError } from '../errors.ts'
import type { EntryHeader } from './entry.ts'
import { decodeEntryHeader, emptyEntryHeader, MAX_ENTRY_HEADER } from './entry.ts'
import type { PackFile } from './pack-file.ts'

const WINDOW = 16 * 1024
/** Ids in packs are those of SHA-1. */
const RAW_LENGTH = 20

/** Reads entry headers; those that lie near one another cost one read. */
export class HeaderWindow {
  readonly bytes = Buffer.allocUnsafeSlow(WINDOW)
  readonly header = emptyEntryHeader()
  readonly #pack: PackFile
  #from = 0
  #length = 0

  constructor(pack: PackFile) {
    this.#pack = pack
  }

  /** Where the bytes after the header begin, in the pack. */
  get dataAt(): number {
    return this.#from + this.header.dataAt
  }

  /** The header at `offset`; good until the next call. @throws GitError `corrupt` */
  at(offset: number): EntryHeader {
    if (offset < this.#from || offset + MAX_ENTRY_HEADER > this.#from + this.#length) this.#load(offset)
    if (decodeEntryHeader(this.bytes, offset - this.#from, RAW_LENGTH, this.header) && this.header.dataAt < this.#length) return this.header
    throw new GitError('corrupt', `Cannot read pack entry: the pack ends in its header at byte ${offset}`)
  }

  #load(offset: number): void {
    this.#from = offset
    this.#length = Math.max(0, Math.min(WINDOW, this.#pack.dataEnd - offset))
    this.#pack.readAt(offset, this.#length, this.bytes)
  }
}
