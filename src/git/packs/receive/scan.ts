import { crc32 } from 'node:zlib'
import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../../errors.ts'
import type { GitLimits } from '../../limits.ts'
import type { Hasher, ObjectFormat } from '../../objects/oid.ts'
import { deltaSizes } from '../delta.ts'
import { BLOB, decodeEntryHeader, emptyEntryHeader, MAX_ENTRY_HEADER, OFS_DELTA, REF_DELTA, typeName } from '../entry.ts'
import { deflatedAtMost, type Inflated, inflateStream, inflateWhole, longestDeflated } from '../inflate.ts'
import { inflateInto } from '../inflate-into.ts'
import type { ByteSink } from '../window.ts'
import { StreamWindow } from '../window.ts'
import type { EntryColumns } from './entry-table.ts'
import { EntryTable, findEntryAt, NONE } from './entry-table.ts'
import { RefBaseList } from './ref-bases.ts'
import { nameEntry, refusal, refusedFor } from './refusal.ts'

export interface ScanOptions {
  format: ObjectFormat
  limits: GitLimits
  /** Gets every byte of the pack but its trailing checksum. */
  sink: ByteSink
  /** Gets each object that is not a delta, except blobs too large to be held whole. It is good during the call only. */
  onObject: (columns: EntryColumns, entry: number, type: number, data: Uint8Array) => void
  onEntry?: (done: number, total: number, bytes: number) => void
}

export interface ScannedPack {
  table: EntryTable
  refBases: RefBaseList
  deltas: number
  /** The trailing checksum. */
  checksum: Uint8Array
  /** Bytes of the whole pack. */
  bytes: number
}

/** Objects up to this size are inflated in one go, larger ones as a stream. */
const WHOLE_BYTES = 4 * 1024 * 1024
const FIRST_SCRATCH_BYTES = 64 * 1024
const HEADER_BYTES = 12
/** A delta's two sizes, at most. */
const DELTA_HEADER_BYTES = 20
/** Git takes a shorter delta, which can make nothing but an empty object, for a broken one. Source: `DELTA_SIZE_MIN` of its `delta.h`. */
const LEAST_DELTA_BYTES = 4

/**
 * Pass 1 over a pack, while its bytes arrive: takes the entries apart, inflates each, names the objects that are no deltas.
 * The source must end where the pack does. Source: `Documentation/gitformat-pack.txt`.
 * @throws GitError when the pack is malformed, cut off, or over a limit
 */
export async function scanPack(source: AsyncIterable<Uint8Array>, options: ScanOptions): Promise<ScannedPack> {
  const scanner = new PackScanner(source, options)
  try {
    return await scanner.scan()
  } finally {
    await scanner.cancel()
  }
}

class PackScanner {
  readonly #options: ScanOptions
  readonly #format: ObjectFormat
  readonly #limits: GitLimits
  readonly #window: StreamWindow
  #table: EntryTable
  readonly #refBases: RefBaseList
  readonly #header = emptyEntryHeader()
  readonly #sha: Hasher
  #scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES)
  #total = 0
  #deltas = 0
  #inflatedBytes = 0

  constructor(source: AsyncIterable<Uint8Array>, options: ScanOptions) {
    this.#options = options
    this.#format = options.format
    this.#limits = options.limits
    this.#sha = options.format.hasher()
    this.#table = new EntryTable(options.format.rawLength, 0)
    this.#refBases = new RefBaseList(options.format.rawLength)
    this.#window = new StreamWindow(source, (bytes) => this.#keep(bytes), options.limits.maxPackBytes)
  }

  async scan(): Promise<ScannedPack> {
    await this.#readPackHeader()
    while (this.#table.count < this.#total) {
      try {
        await this.#readEntry()
      } catch (error) {
        throw refusedFor(error, nameEntry(this.#table.count, this.#window.offset))
      }
    }
    this.#table.close(this.#window.offset)
    const checksum = await this.#readTrailer()
    return { table: this.#table, refBases: this.#refBases, deltas: this.#deltas, checksum, bytes: this.#window.offset }
  }

  cancel(): Promise<void> {
    return this.#window.cancel()
  }

  async #keep(bytes: Uint8Array): Promise<void> {
    this.#sha.update(bytes)
    await this.#options.sink(bytes)
  }

  async #readPackHeader(): Promise<void> {
    const window = this.#window
    await window.fill(HEADER_BYTES)
    if (window.available < HEADER_BYTES) throw refusal('corrupt', 'it is truncated in its header')
    const header = Buffer.from(window.view.subarray(0, HEADER_BYTES))
    if (header.toString('latin1', 0, 4) !== 'PACK') throw refusal('corrupt', 'it does not start with "PACK"')
    const version = header.readUInt32BE(4)
    if (version !== 2 && version !== 3) throw refusal('corrupt', `its version ${version} is not supported: expected 2 or 3`)
    this.#total = header.readUInt32BE(8)
    if (this.#total > this.#limits.maxPackObjects) throw refusal('limit', `its ${this.#total} objects are over the limit of ${this.#limits.maxPackObjects}`)
    window.at = HEADER_BYTES
    this.#table = new EntryTable(this.#format.rawLength, this.#total)
  }

  /** Reads the entries that the window holds whole, then fills it for the next. */
  async #readEntry(): Promise<void> {
    let wanted = this.#readBuffered()
    while (wanted === 0 && this.#table.count < this.#total) {
      this.#options.onEntry?.(this.#table.count, this.#total, this.#window.offset)
      await breathe()
      wanted = this.#readBuffered()
    }
    if (wanted < 0) await this.#readStreamed()
    else if (wanted > 0) await this.#window.fill(wanted)
    this.#options.onEntry?.(this.#table.count, this.#total, this.#window.offset)
  }

  /**
   * Reads entries until the window needs more bytes (their number is returned), one must be streamed (-1), or it is time to breathe
   * or done (0).
   */
  #readBuffered(): number {
    const window = this.#window
    while (this.#table.count < this.#total) {
      if ((this.#table.count & 31) === 0 && isDue()) return 0
      const wanted = this.#readOne(window)
      if (wanted !== 0) return wanted
    }
    return 0
  }

  /** 0: an entry was read; else as `#readBuffered`. */
  #readOne(window: StreamWindow): number {
    const header = this.#header
    if (!decodeEntryHeader(window.view, window.at, this.#format.rawLength, header)) {
      if (window.ended) throw new GitError('corrupt', 'Cannot read pack entry: the pack is truncated')
      return Math.max(MAX_ENTRY_HEADER, window.available + 1)
    }
    this.#refuseSize(header.type, header.size)
    if (header.size > WHOLE_BYTES) return -1
    const headerLength = header.dataAt - window.at
    const wanted = headerLength + deflatedAtMost(header.size)
    if (window.available < wanted && !window.ended) return wanted
    const inflated = this.#inflate(window.view, header.dataAt, header.size)
    if (inflated === undefined) return -1
    refuseLong(inflated.used, header.size)
    const entry = this.#addEntry(headerLength)
    const end = header.dataAt + inflated.used
    this.#table.columns.crcs[entry] = crc32(window.view.subarray(window.at, end))
    if (header.type < OFS_DELTA) this.#finishObject(entry, inflated.data)
    else this.#finishDelta(entry, inflated.data)
    window.at = end
    return 0
  }

  /** What it gives is good until the next is asked for. @throws GitError as `inflateWhole` */
  #inflate(view: Uint8Array, at: number, size: number): Inflated | undefined {
    if (this.#scratch.length <= size) this.#scratch = Buffer.allocUnsafeSlow(Math.min(WHOLE_BYTES, 2 * size) + 1)
    const used = inflateInto(view, at, view.length, this.#scratch, 0, size)
    return used > 0 ? { data: this.#scratch.subarray(0, size), used } : inflateWhole(view.subarray(at), size)
  }

  /** Reads the entry at the window's position as a stream; only blobs' content is not kept. */
  async #readStreamed(): Promise<void> {
    const window = this.#window
    const { type, size } = this.#header
    const start = window.at
    const entry = this.#addEntry(this.#header.dataAt - start)
    let crc = crc32(window.view.subarray(start, this.#header.dataAt))
    let used = 0
    window.at = this.#header.dataAt
    const receiver = type === BLOB ? new HashReceiver(this.#format, size) : new HeadReceiver(type < OFS_DELTA ? size : Math.min(size, DELTA_HEADER_BYTES))
    await inflateStream(
      window,
      size,
      (bytes) => {
        crc = crc32(bytes, crc)
        used += bytes.length
        refuseLong(used, size)
      },
      (data) => receiver.add(data),
    )
    this.#table.columns.crcs[entry] = crc
    if (receiver instanceof HashReceiver) this.#nameBlob(entry, size, receiver.digest())
    else if (type < OFS_DELTA) this.#finishObject(entry, receiver.head)
    else this.#finishDelta(entry, receiver.head)
  }

  #refuseSize(type: number, size: number): void {
    if (size > this.#limits.maxObjectBytes)
      throw new GitError('limit', `Cannot read pack entry: its ${size} bytes are over the limit of ${this.#limits.maxObjectBytes}`)
    const isParsed = type < OFS_DELTA && type !== BLOB
    if (isParsed && size > this.#limits.maxParsedBytes) {
      throw new GitError('limit', `Cannot read pack entry: its ${size} bytes are over the limit of ${this.#limits.maxParsedBytes} for a ${typeName(type)}`)
    }
  }

  /** Adds a row for the entry whose header was just read. */
  #addEntry(headerLength: number): number {
    const { type, baseDistance, baseOidAt } = this.#header
    const offset = this.#window.offset
    const base = type === OFS_DELTA ? this.#findBase(offset, baseDistance) : NONE
    const entry = this.#table.add(offset, headerLength, type)
    this.#table.columns.bases[entry] = base
    if (type === REF_DELTA) this.#refBases.add(entry, this.#window.view, baseOidAt)
    return entry
  }

  #findBase(offset: number, distance: number): number {
    const base = findEntryAt(this.#table.columns, this.#table.count, offset - distance)
    if (base === NONE)
      throw new GitError('corrupt', `Cannot read pack entry: its delta base should start ${distance} bytes before it, but no entry starts there`)
    return base
  }

  #finishObject(entry: number, data: Uint8Array): void {
    const { columns } = this.#table
    const type = columns.types[entry] as number
    this.#setSize(entry, data.length)
    this.#format.hashInto(typeName(type), data, columns.oids, entry * columns.rawLength)
    this.#options.onObject(columns, entry, type, data)
  }

  #nameBlob(entry: number, size: number, oid: Uint8Array): void {
    this.#setSize(entry, size)
    this.#table.columns.oids.set(oid, entry * this.#format.rawLength)
  }

  /** Takes the result's size from the delta's head, so that a bomb is refused before anything is allocated for it. */
  #finishDelta(entry: number, head: Uint8Array): void {
    this.#deltas++
    const { result } = deltaSizes(head)
    if (head.length < LEAST_DELTA_BYTES) {
      throw new GitError('corrupt', `Cannot read pack entry: its delta has ${head.length} bytes, git needs at least ${LEAST_DELTA_BYTES}`)
    }
    if (result > this.#limits.maxObjectBytes) {
      throw new GitError('limit', `Cannot read pack entry: the result of its delta has ${result} bytes, over the limit of ${this.#limits.maxObjectBytes}`)
    }
    this.#setSize(entry, result)
  }

  #setSize(entry: number, size: number): void {
    this.#table.columns.sizes[entry] = size
    this.#inflatedBytes += size
    const { maxInflatedBytes, maxExpansion, maxObjectBytes } = this.#limits
    if (this.#inflatedBytes > maxInflatedBytes) throw refusal('limit', `the total size of its objects is over the limit of ${maxInflatedBytes} bytes`)
    if (this.#inflatedBytes > 2 * maxObjectBytes && this.#inflatedBytes > 2 * maxObjectBytes + maxExpansion * this.#window.offset) {
      throw refusal('limit', `its objects have more than ${maxExpansion} times the size of the pack`)
    }
  }

  async #readTrailer(): Promise<Uint8Array> {
    const window = this.#window
    const length = this.#format.rawLength
    await window.fill(length + 1)
    if (window.available < length) throw refusal('corrupt', 'it is truncated before its checksum')
    if (window.available > length) throw refusal('corrupt', `it has extra data after its ${this.#total} objects and checksum`)
    const checksum = Uint8Array.from(window.view.subarray(0, length))
    // The last fill has handed on all that lies before the checksum.
    if (!Buffer.from(this.#sha.digest()).equals(checksum)) throw refusal('corrupt', 'its checksum does not match its content')
    window.at = length
    return checksum
  }
}

/** @throws GitError `limit` for a zlib stream that readers would not read to its end */
function refuseLong(used: number, size: number): void {
  if (used <= longestDeflated(size)) return
  throw new GitError('limit', `Cannot read pack entry: its zlib stream is longer than the ${longestDeflated(size)} bytes that ${size} bytes may take`)
}

/** Names a blob that goes by in pieces. */
class HashReceiver {
  readonly #hasher: Hasher

  constructor(format: ObjectFormat, size: number) {
    this.#hasher = format.hasher().update(`blob ${size}\0`)
  }

  add(data: Uint8Array): void {
    this.#hasher.update(data)
  }

  digest(): Uint8Array {
    return this.#hasher.digest()
  }
}

/** Keeps the first bytes of what goes by in pieces. */
class HeadReceiver {
  readonly head: Uint8Array
  #length = 0

  constructor(length: number) {
    this.head = new Uint8Array(length)
  }

  add(data: Uint8Array): void {
    const rest = this.head.length - this.#length
    if (rest > 0) this.head.set(data.subarray(0, rest), this.#length)
    this.#length += data.length
  }
}
