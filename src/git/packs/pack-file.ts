import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import type { ObjectFormat, ObjectType } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { type Budget, ENTRY_COST } from '../store/budget.ts'
import { identityOfOpen } from '../store/file-identity.ts'
import type { GitObject, ObjectHeader } from '../store/types.ts'
import type { CacheShelf } from './base-cache.ts'
import { applyDelta, deltaSizes } from './delta.ts'
import { deltaPieces } from './delta-into.ts'
import type { DeltaScratch } from './delta-scratch.ts'
import { decodeEntryHeader, emptyEntryHeader, OFS_DELTA, type PackEntry, REF_DELTA, typeCode, typeName } from './entry.ts'
import { deflatedAtMost, inflatePieces, longestDeflated } from './inflate.ts'
import { inflateAt, inflateStart } from './inflate-entry.ts'
import type { OpenFiles } from './open-files.ts'
import { PackIndex } from './pack-index.ts'
import { PackWindows } from './pack-windows.ts'
import { readAll } from './read-all.ts'
import { newReadCache, type ReadCache } from './read-cache.ts'
import { StreamWindow } from './window.ts'

export interface PackFileOptions {
  /** Default: the pack's own path with `.idx` for `.pack`. */
  idxPath?: string
  format?: ObjectFormat
  limits?: GitLimits
  cache?: ReadCache
}

const HEADER_BYTES = 12
const MAGIC = 0x5041434b
/** Of objects that nothing read so far stands on, only those up to this length are kept. */
const MAX_KEPT_RESULT = 64 * 1024
/** While a chain of deltas is applied, intermediate results larger than this share two scratch buffers and are not cached. */
const SMALL_RESULT = 16 * 1024
/** One in so many of them is cached all the same, so that reading the objects of a long chain one by one does not start from its root each time. */
const KEPT_EVERY = 16

/** Inflating this much costs less than inflating only a part. */
const SMALL_DELTA = 1024
/** What the two sizes at the start of a delta take at most. */
const MAX_DELTA_SIZES = 20

/** Read at a time of an object that is had in pieces. */
const STREAM_BYTES = 256 * 1024

/** Closes the files of packs that were dropped without `close`, because someone might still have been reading. */
const leftOpen = new FinalizationRegistry<number>((fd) => closeSync(fd))

/**
 * A pack with its index, read piece by piece. It stays readable when the files are deleted. `close` frees the file;
 * reading after that opens it again, if it is still there.
 */
export class PackFile {
  readonly path: string
  readonly index: PackIndex
  /** Length of the file in bytes. */
  readonly size: number
  /** Where the last entry ends and the trailing checksum begins. */
  readonly dataEnd: number
  /** @internal for PackWindows and OpenFiles */
  readonly windowKey: number
  readonly #rawLength: number
  readonly #limits: GitLimits
  readonly #windows: PackWindows
  readonly #scratch: DeltaScratch
  readonly #files: OpenFiles
  readonly #shelf: CacheShelf
  readonly #header = emptyEntryHeader()
  readonly #entry: PackEntry = { type: 0, size: 0, dataAt: 0, baseAt: -1 }
  /** The delta that was inflated last to tell a size: whoever asks for that mostly reads the object next. */
  #sized: { dataAt: number; delta: Uint8Array } | undefined
  /** By position, 0 where it is not known. */
  #types: Uint8Array | undefined
  #fd = -1

  /** @throws GitError `missing` when a file is not there, `corrupt` when they are no pack and index, or not of one another */
  static open(path: string, options: PackFileOptions = {}): PackFile {
    const index = PackIndex.open(options.idxPath ?? path.replace(/\.pack$/, '.idx'), options.format ?? SHA1)
    const pack = new PackFile(path, index, options)
    try {
      pack.#checkEnds()
    } catch (error) {
      pack.close()
      throw error
    }
    return pack
  }

  private constructor(path: string, index: PackIndex, options: PackFileOptions) {
    const cache = options.cache ?? newReadCache((options.limits ?? defaultLimits).deltaCacheBytes)
    this.path = path
    this.index = index
    this.#limits = options.limits ?? defaultLimits
    this.#rawLength = (options.format ?? SHA1).rawLength
    this.#windows = cache.windows
    this.#scratch = cache.scratch
    this.#files = cache.files
    this.windowKey = cache.windows.nextKey()
    this.#shelf = cache.bases.shelf()
    this.size = fstatSync(this.#open()).size
    this.dataEnd = this.size - this.#rawLength
  }

  /** Which file it is read from, and as of when. */
  identity(): string {
    return identityOfOpen(this.#open())
  }

  /** Reads `length` bytes from `offset` on into the start of `into` (or a buffer of its own) and returns it. @throws GitError `corrupt` when the file ends before */
  readAt(offset: number, length: number, into: Uint8Array = Buffer.allocUnsafeSlow(length)): Uint8Array {
    if (this.#readSome(offset, length, into) < length) throw this.#corrupt(`it ends before offset ${offset + length}`)
    return into
  }

  /** The entry at `offset`, in `into` when given. @throws GitError `corrupt` when there is none, or the base is not in this pack */
  entryHeaderAt(offset: number, into: PackEntry = { type: 0, size: 0, dataAt: 0, baseAt: -1 }): PackEntry {
    if (offset < HEADER_BYTES || offset >= this.dataEnd) throw this.#corrupt(`it has no entry at offset ${offset}`)
    const windows = this.#windows
    const header = this.#header
    windows.seek(this, offset)
    // The window may be filled less than full: what was decoded from behind its end does not count.
    const isWhole = decodeEntryHeader(windows.bytes, windows.at, this.#rawLength, header) && header.dataAt < this.#dataEndIn(offset)
    if (!isWhole) throw this.#corrupt(`the entry at offset ${offset} is truncated`)
    into.type = header.type
    into.size = header.size
    into.dataAt = offset + header.dataAt - windows.at
    into.baseAt = -1
    if (header.type === OFS_DELTA) into.baseAt = this.#earlier(offset, header.baseDistance)
    else if (header.type === REF_DELTA) into.baseAt = this.#offsetOfBase(offset, windows.bytes, header.baseOidAt)
    return into
  }

  /** The object at a position of the index; see `readEntry`. */
  read(position: number, maxBytes?: number, budget?: Budget): GitObject {
    return this.readEntry(this.index.offsetAt(position), maxBytes, budget)
  }

  /**
   * The object whose entry begins at `offset`. The data may be shared with other readers: do not write to it, do not transfer it.
   * @param budget pays for all that is inflated on the way
   * @throws GitError `corrupt`, or `limit` when it (or a base it stands on) is larger than allowed, or more than `budget` has left
   */
  readEntry(offset: number, maxBytes: number = this.#limits.maxObjectBytes, budget?: Budget): GitObject {
    const known = this.#shelf.find(offset)
    if (known !== undefined) {
      budget?.take(known.data.length)
      this.#checkSize(known.data.length, maxBytes)
      return known
    }
    if (maxBytes < this.#limits.maxObjectBytes) this.#checkSize(this.#sizeAt(offset), maxBytes)
    return this.#resolve(offset, budget)
  }

  /**
   * The object whose entry begins at `offset`, for what is too large to be held whole: in pieces, each good until the next is asked for.
   * What it is made from, if that is much, is held.
   * @throws GitError `corrupt`, `limit`
   */
  async *pieces(offset: number): AsyncGenerator<Uint8Array> {
    const entry = this.entryHeaderAt(offset)
    if (entry.baseAt < 0) {
      yield* inflatePieces(new StreamWindow(this.#stream(entry.dataAt), () => {}, this.size), entry.size)
      return
    }
    const base = this.#resolve(entry.baseAt, undefined, true).data
    const delta = this.#inflate(entry)
    const { base: wanted, result, bodyAt } = deltaSizes(delta)
    if (wanted !== base.length) throw this.#corrupt(`the delta at offset ${offset} expects a base of ${wanted} bytes, but its base has ${base.length}`)
    this.#checkSize(result, this.#limits.maxObjectBytes)
    yield* deltaPieces(base, 0, base.length, delta, bodyAt, result)
  }

  /** To the file's end: the inflater tells that it has all only when it is given more. */
  async *#stream(from: number): AsyncGenerator<Uint8Array> {
    for (let at = from; at < this.size; at += STREAM_BYTES) yield this.readAt(at, Math.min(STREAM_BYTES, this.size - at))
  }

  /** Type and size of the object whose entry begins at `offset`, inflating no more than the start of a delta. @throws GitError `corrupt` */
  headerOf(offset: number): ObjectHeader {
    const entry = this.entryHeaderAt(offset, this.#entry)
    const size = entry.baseAt < 0 ? entry.size : this.#resultSize(entry)
    return { type: typeName(this.#typeOf(entry, offset)), size }
  }

  /** The type of the object at a position of the index, inflating nothing: trees link to the same again and again, and it is known then. @throws GitError `corrupt` */
  typeAt(position: number): ObjectType {
    this.#types ??= new Uint8Array(this.index.count)
    const offset = this.index.offsetAt(position)
    const type = this.#types[position] || this.#typeOf(this.entryHeaderAt(offset, this.#entry), offset)
    this.#types[position] = type
    return typeName(type)
  }

  /** Goes down from the entry at `offset` to what is no delta. */
  #typeOf(entry: PackEntry, offset: number): number {
    for (let depth = 0; entry.baseAt >= 0; depth++) {
      this.#checkDepth(depth, offset)
      const known = this.#shelf.find(entry.baseAt)
      if (known !== undefined) return typeCode(known.type)
      this.entryHeaderAt(entry.baseAt, entry)
    }
    return entry.type
  }

  /** Keeps the file open: it can be read to its end though upkeep takes it away meanwhile. Each time `letGo` must follow. @throws GitError `missing` */
  hold(): void {
    this.#open()
    this.#files.hold(this)
  }

  letGo(): void {
    this.#files.letGo(this)
  }

  /** Forgets pieces of it: what proved damaged may be mended in its place by the next time that it is read. */
  forgetPieces(): void {
    this.#windows.release(this)
  }

  /** Frees the file and what is cached of it. */
  close(): void {
    this.#shelf.clear()
    this.#sized = undefined
    this.#windows.release(this)
    if (this.#fd >= 0) this.#closeFile()
  }

  /** @internal for OpenFiles: frees the file alone. One that its name leads to no more could not be opened again, and stays. */
  rest(): void {
    if (this.#fd >= 0 && this.#isInPlace()) this.#closeFile()
  }

  #closeFile(): void {
    leftOpen.unregister(this)
    closeSync(this.#fd)
    this.#fd = -1
  }

  /** @internal for PackWindows */
  readonly fill = (offset: number, into: Uint8Array): number => this.#readSome(offset, into.length, into)

  /** Goes down the chain to a whole or known object, then applies its deltas on the way up: no recursion, whatever the depth. @param isBase whether another is about to be made from it */
  #resolve(offset: number, budget: Budget | undefined, isBase = false): GitObject {
    const deltas: number[] = []
    let at = offset
    let object = this.#shelf.find(at)
    while (object === undefined) {
      budget?.take(ENTRY_COST)
      const entry = this.entryHeaderAt(at, this.#entry)
      if (entry.baseAt < 0) {
        budget?.take(entry.size)
        object = { type: typeName(entry.type), data: this.#inflate(entry) }
        this.#keep(at, object, isBase || deltas.length > 0)
      } else {
        this.#checkDepth(deltas.length, offset)
        deltas.push(at)
        at = entry.baseAt
        object = this.#shelf.find(at)
      }
    }
    for (let i = deltas.length - 1; i >= 0; i--) {
      const entry = this.entryHeaderAt(deltas[i] as number, this.#entry)
      budget?.take(entry.size)
      const delta = this.#deltaOf(entry)
      const { result } = deltaSizes(delta)
      budget?.take(result)
      const isPassing = i % KEPT_EVERY > 0 && result > SMALL_RESULT
      const data = applyDelta(object.data, delta, this.#limits.maxObjectBytes, isPassing ? this.#scratch.roomFor : undefined)
      object = { type: object.type, data }
      if (!isPassing) this.#keep(deltas[i] as number, object, isBase || i > 0)
    }
    return object
  }

  /** Commits, mostly whole and short, are read once by walks over histories: these would fill the cache with them. */
  #keep(offset: number, object: GitObject, isBase: boolean): void {
    if (isBase || (object.type !== 'commit' && object.data.length <= MAX_KEPT_RESULT)) this.#shelf.add(offset, object)
  }

  #deltaOf(entry: PackEntry): Uint8Array {
    return this.#sized?.dataAt === entry.dataAt ? this.#sized.delta : this.#inflate(entry)
  }

  #inflate(entry: PackEntry): Uint8Array {
    this.#checkSize(entry.size, this.#limits.maxObjectBytes)
    if (deflatedAtMost(entry.size) <= PackWindows.maxLength) {
      this.#windows.seek(this, entry.dataAt)
      const data = inflateAt(this.#windows.bytes, this.#windows.at, this.#dataEndIn(entry.dataAt), entry.size)
      if (data !== undefined) return data
    }
    return this.inflateLong(entry)
  }

  /** Where in the window just found (for `offset`) the pack's entries end. */
  #dataEndIn(offset: number): number {
    return Math.min(this.#windows.end, this.#windows.at + this.dataEnd - offset)
  }

  /**
   * The `size` inflated bytes of the zlib stream at `dataAt`, by reads of its own: of as much as a sane deflater may have needed, then of as much as
   * is taken in. @throws GitError `corrupt`
   */
  inflateLong({ dataAt, size }: Pick<PackEntry, 'dataAt' | 'size'>): Uint8Array {
    for (const length of [deflatedAtMost(size), longestDeflated(size)]) {
      const bytes = this.readAt(dataAt, Math.min(length, this.dataEnd - dataAt))
      const data = inflateAt(bytes, 0, bytes.length, size)
      if (data !== undefined) return data
    }
    throw this.#corrupt(`the zlib stream at offset ${dataAt} does not end`)
  }

  #sizeAt(offset: number): number {
    const entry = this.entryHeaderAt(offset, this.#entry)
    return entry.baseAt < 0 ? entry.size : this.#resultSize(entry)
  }

  #resultSize(entry: PackEntry): number {
    if (entry.size <= SMALL_DELTA) {
      const delta = this.#inflate(entry)
      this.#sized = { dataAt: entry.dataAt, delta }
      return deltaSizes(delta).result
    }
    this.#windows.seek(this, entry.dataAt)
    return deltaSizes(inflateStart(this.#windows.bytes, this.#windows.at, this.#dataEndIn(entry.dataAt), MAX_DELTA_SIZES)).result
  }

  #earlier(offset: number, distance: number): number {
    if (distance === 0 || offset - distance < HEADER_BYTES) throw this.#corrupt(`the base of the delta at offset ${offset} lies outside the pack`)
    return offset - distance
  }

  #offsetOfBase(offset: number, bytes: Uint8Array, at: number): number {
    const position = this.index.findRaw(bytes, at)
    if (position < 0) throw this.#corrupt(`the base of the delta at offset ${offset} is not in it`)
    return this.index.offsetAt(position)
  }

  #checkDepth(depth: number, offset: number): void {
    if (depth >= this.#limits.maxDeltaDepth) throw this.#corrupt(`the delta at offset ${offset} depends on more than ${this.#limits.maxDeltaDepth} others`)
  }

  #checkSize(size: number, maxBytes: number): void {
    if (size > maxBytes) throw new GitError('limit', `Cannot read object: its ${size} bytes are over the limit of ${maxBytes}`)
  }

  /** Magic, version and count as they should be, and the checksum at the end the one that the index knows. */
  #checkEnds(): void {
    if (this.dataEnd < HEADER_BYTES) throw this.#corrupt(`${this.size} bytes are too few`)
    const head = Buffer.from(this.readAt(0, HEADER_BYTES))
    const version = head.readUInt32BE(4)
    if (head.readUInt32BE(0) !== MAGIC) throw this.#corrupt('it does not start with "PACK"')
    if (version !== 2 && version !== 3) throw this.#corrupt(`it has version ${version}, expected 2 or 3`)
    const count = head.readUInt32BE(8)
    if (count !== this.index.count) throw this.#corrupt(`it has ${count} objects, its index ${this.index.count}`)
    if (Buffer.compare(this.index.packChecksum, this.readAt(this.dataEnd, this.#rawLength)) !== 0) throw this.#corrupt('its index belongs to another pack')
  }

  #readSome(offset: number, length: number, into: Uint8Array): number {
    const fd = this.#open()
    this.#files.note(this)
    return readAll(fd, into, length, offset)
  }

  #open(): number {
    if (this.#fd >= 0) return this.#fd
    try {
      this.#fd = openSync(this.path, 'r')
    } catch (error) {
      throw new GitError('missing', `Cannot open ${this.#name}: ${error instanceof Error && 'code' in error ? error.code : 'unknown error'}`, { cause: error })
    }
    leftOpen.register(this, this.#fd, this)
    return this.#fd
  }

  /** Whether the open file is the one that lies at `path`: a fork may have it under a name of its own still. */
  #isInPlace(): boolean {
    const [open, named] = [fstatSync(this.#fd), statSync(this.path, { throwIfNoEntry: false })]
    return named?.ino === open.ino && named.dev === open.dev
  }

  get #name(): string {
    return this.path.slice(Math.max(this.path.lastIndexOf('/'), this.path.lastIndexOf('\\')) + 1)
  }

  #corrupt(reason: string): GitError {
    return new GitError('corrupt', `Cannot read ${this.#name}: ${reason}`)
  }
}
