import { closeSync, fstatSync, openSync } from 'node:fs'
import { GitError } from '../errors.ts'
import { mapFile } from '../mapped-files.ts'
import type { ObjectFormat, Oid } from '../objects/oid.ts'
import { oidAt, rawOid } from '../objects/oid.ts'
import { orderByOffset } from './offset-order.ts'
import { readAll } from './read-all.ts'

/** Source: `Documentation/gitformat-pack.txt`, "pack-*.idx files": magic `\377tOc`, version, 256 counts, ids, CRCs, offsets, long offsets, two checksums. */
const MAGIC = 0xff744f63
const FANOUT_AT = 8
const IDS_AT = FANOUT_AT + 256 * 4
/** Set in a short offset that is really a row of the table of long ones. */
const LONG = 0x80000000

export interface PositionRange {
  from: number
  /** One behind the last. */
  to: number
}

/** The checksum of a larger one is left to the doctor: this takes some 9 ms. */
const MAX_SUMMED_BYTES = 16 * 1024 * 1024

/**
 * A pack's index, version 2. Objects are named by their position in it (0 to `count` - 1, in the order of their ids).
 * A damaged one would give another object for the one that was asked for, or none: it is not opened. Nothing else that an index says is trusted
 * beyond what keeps lookups inside its bytes: a wrong offset is the pack's to refuse.
 */
export class PackIndex {
  readonly path: string
  readonly count: number
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #rawLength: number
  readonly #crcsAt: number
  readonly #offsetsAt: number
  readonly #longsAt: number
  readonly #longs: number
  #order: Uint32Array | undefined

  /** @throws GitError `missing` when there is no such file, `corrupt` when it is no index, is one of another version, or contradicts itself */
  static open(path: string, format: ObjectFormat): PackIndex {
    const index = new PackIndex(path, fileBytes(path), format)
    index.#checkSum(format)
    return index
  }

  constructor(path: string, bytes: Uint8Array, format: ObjectFormat) {
    this.path = path
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#rawLength = format.rawLength
    this.#checkHead()
    this.count = this.#checkFanout()
    this.#crcsAt = IDS_AT + this.count * format.rawLength
    this.#offsetsAt = this.#crcsAt + this.count * 4
    this.#longsAt = this.#offsetsAt + this.count * 4
    this.#longs = (bytes.length - 2 * format.rawLength - this.#longsAt) / 8
    if (!Number.isInteger(this.#longs) || this.#longs < 0 || this.#longs > this.count)
      throw this.#corrupt(`${bytes.length} bytes do not match ${this.count} objects`)
  }

  /** The checksum its pack must end with; a view. */
  get packChecksum(): Uint8Array {
    return this.#bytes.subarray(this.#bytes.length - 2 * this.#rawLength, this.#bytes.length - this.#rawLength)
  }

  oidAt(position: number): Oid {
    return oidAt(this.#bytes, this.#idAt(position), this.#rawLength)
  }

  /** The raw id at `position`, as a view of the index: read only. */
  rawAt(position: number): Uint8Array {
    const at = this.#idAt(position)
    return this.#bytes.subarray(at, at + this.#rawLength)
  }

  /** Whether the object at `position` has the raw id that lies in `bytes` at `at`. */
  isAt(position: number, bytes: Uint8Array, at: number): boolean {
    return this.#compare(position, bytes, at) === 0
  }

  /** @throws GitError `corrupt` when the index has no such offset */
  offsetAt(position: number): number {
    const short = this.#view.getUint32(this.#offsetsAt + this.#checked(position) * 4)
    return short < LONG ? short : this.#longOffset(short - LONG)
  }

  /** CRC-32 of the entry as it lies in the pack, header included. */
  crcAt(position: number): number {
    return this.#view.getUint32(this.#crcsAt + this.#checked(position) * 4)
  }

  /** The position of `oid`, or -1. */
  find(oid: Oid): number {
    return oid.length === this.#rawLength * 2 ? this.findRaw(rawOid(oid), 0) : -1
  }

  /** The position of the raw id that lies in `bytes` at `at`, or -1. */
  findRaw(bytes: Uint8Array, at: number): number {
    const first = bytes[at] as number
    const key = ((first << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0
    let from = first === 0 ? 0 : this.#fanout(first - 1)
    let to = this.#fanout(first)
    while (from < to) {
      const middle = (from + to) >>> 1
      const word = this.#view.getUint32(IDS_AT + middle * this.#rawLength)
      const order = word !== key ? word - key : this.#compare(middle, bytes, at)
      if (order === 0) return middle
      if (order < 0) from = middle + 1
      else to = middle
    }
    return -1
  }

  /** Positions of the ids that begin with `prefix` (lower-case hexadecimal, not longer than an id). */
  prefixRange(prefix: string): PositionRange {
    const digits = this.#rawLength * 2
    const low = Buffer.from(prefix.padEnd(digits, '0'), 'hex')
    const high = Buffer.from(prefix.padEnd(digits, 'f'), 'hex')
    const from = this.#lowerBound(low)
    const last = this.#lowerBound(high)
    return { from, to: last < this.count && this.isAt(last, high, 0) ? last + 1 : last }
  }

  /** All positions in the order of their offsets in the pack; worked out once, 4 bytes an object. */
  offsetOrder(): Uint32Array {
    this.#order ??= orderByOffset(this.count, (position) => this.offsetAt(position))
    return this.#order
  }

  /** The first position whose id is not below `id`. */
  #lowerBound(id: Uint8Array): number {
    let from = 0
    let to = this.count
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#compare(middle, id, 0) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  #compare(position: number, bytes: Uint8Array, at: number): number {
    const own = IDS_AT + position * this.#rawLength
    for (let i = 0; i < this.#rawLength; i++) {
      const difference = (this.#bytes[own + i] as number) - (bytes[at + i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }

  #idAt(position: number): number {
    return IDS_AT + this.#checked(position) * this.#rawLength
  }

  #fanout(byte: number): number {
    return this.#view.getUint32(FANOUT_AT + byte * 4)
  }

  #longOffset(row: number): number {
    if (row >= this.#longs) throw this.#corrupt(`it has no long offset ${row}`)
    const offset = this.#view.getUint32(this.#longsAt + row * 8) * 2 ** 32 + this.#view.getUint32(this.#longsAt + row * 8 + 4)
    if (offset > Number.MAX_SAFE_INTEGER) throw this.#corrupt('an offset does not fit in 53 bits')
    return offset
  }

  #checked(position: number): number {
    if (position >= 0 && position < this.count) return position
    throw new RangeError(`Cannot read position ${position} of a pack index of ${this.count} objects`)
  }

  #checkHead(): void {
    if (this.#bytes.length < IDS_AT + 2 * this.#rawLength) throw this.#corrupt(`${this.#bytes.length} bytes are too few`)
    if (this.#view.getUint32(0) !== MAGIC) throw this.#corrupt('it is not in version 2 of the format. Run `git index-pack` to convert it')
    const version = this.#view.getUint32(4)
    if (version !== 2) throw this.#corrupt(`it has version ${version}, expected 2`)
  }

  /** Answers how many objects there are. */
  #checkFanout(): number {
    let before = 0
    for (let byte = 0; byte < 256; byte++) {
      const count = this.#fanout(byte)
      if (count < before) throw this.#corrupt('its fan-out table is not in order')
      before = count
    }
    return before
  }

  #checkSum(format: ObjectFormat): void {
    const end = this.#bytes.length - this.#rawLength
    if (end > MAX_SUMMED_BYTES) return
    const sum = format.hasher().update(this.#bytes.subarray(0, end)).digest()
    if (Buffer.compare(sum, this.#bytes.subarray(end)) !== 0) throw this.#corrupt('its checksum does not match its content')
  }

  #corrupt(reason: string): GitError {
    return new GitError('corrupt', `Cannot read pack index ${baseName(this.path)}: ${reason}`)
  }
}

/** A file's bytes: mapped where that works, else read. */
function fileBytes(path: string): Uint8Array {
  const fd = openToRead(path)
  try {
    const { size } = fstatSync(fd)
    return (size > 0 ? findMapping(path, size) : undefined) ?? readWhole(fd, size)
  } finally {
    closeSync(fd)
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new GitError('missing', `Cannot open ${baseName(path)}: ${error instanceof Error && 'code' in error ? error.code : 'unknown error'}`, {
      cause: error,
    })
  }
}

/** Bun maps files only where it may write to them (and not on Windows): an index of mode 0444 is mapped for nobody but root. */
function findMapping(path: string, size: number): Uint8Array | undefined {
  try {
    const bytes = mapFile(path)
    return bytes.length === size ? bytes : undefined
  } catch {
    return undefined
  }
}

function readWhole(fd: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(size)
  return bytes.subarray(0, readAll(fd, bytes, size, 0))
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
