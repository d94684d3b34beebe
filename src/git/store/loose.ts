import { closeSync, existsSync, fchmodSync, fstatSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, utimesSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import { isOid, oidAt } from '../objects/oid.ts'
import { deflatedAtMost, inflatePieces, inflateWhole } from '../packs/inflate.ts'
import { inflateStart } from '../packs/inflate-entry.ts'
import { readAll } from '../packs/read-all.ts'
import { StreamWindow } from '../packs/window.ts'
import { zlib } from '../zlib.ts'
import { type Budget, ENTRY_COST } from './budget.ts'
import { makeFolders } from './make-folders.ts'
import { syncDirectory } from './sync-directory.ts'
import type { GitObject, ObjectHeader, RawPresence } from './types.ts'

/** What is read of a file at first: most objects whole, and the header of any. */
const FIRST_BYTES = 4096
/** What is read at a time of one that is had in pieces. */
const STREAM_BYTES = 256 * 1024
/** `commit 18446744073709551615\0` and some room. */
const MAX_HEADER = 32
/** As git's `core.looseCompression`: loose objects are packed soon. */
const LEVEL = 1
/** So many files are looked for one by one before it pays to list the folders. */
const FEW_ASKED = 32
const isFolder = /^[0-9a-f]{2}$/

interface LooseStart extends ObjectHeader {
  /** Length of the header, its NUL included. */
  length: number
}

/** The loose objects of one `objects` directory: a zlib stream of `<type> <size>\0<data>` each. Source: `Documentation/gitformat-loose.txt`. */
export class LooseObjects {
  readonly #directory: string
  readonly #format: ObjectFormat

  constructor(directory: string, format: ObjectFormat) {
    this.#directory = directory
    this.#format = format
  }

  has(oid: Oid): boolean {
    return existsSync(this.pathOf(oid))
  }

  /** See `ObjectReader.presence`. */
  presence(): RawPresence {
    let asked = 0
    let folders: ReadonlySet<number> | undefined
    return (bytes, at) => {
      if (asked++ >= FEW_ASKED) folders ??= new Set(this.#folders().map((name) => Number.parseInt(name, 16)))
      return folders?.has(bytes[at] as number) !== false && this.has(oidAt(bytes, at, this.#format.rawLength))
    }
  }

  #folders(): string[] {
    return namesIn(this.#directory).filter((name) => isFolder.test(name))
  }

  pathOf(oid: Oid): string {
    return `${this.#directory}/${oid.slice(0, 2)}/${oid.slice(2)}`
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    return this.#withFile(oid, (fd) => {
      const { type, size } = startOf(readBytes(fd, FIRST_BYTES), oid)
      return { type, size }
    })
  }

  /** @throws GitError `limit` when it is larger than `maxBytes` or what is left of `budget`, `corrupt` when it cannot be read */
  find(oid: Oid, maxBytes: number, budget?: Budget): GitObject | undefined {
    return this.#withFile(oid, (fd) => {
      const first = readBytes(fd, FIRST_BYTES)
      const { type, size, length } = startOf(first, oid)
      if (size > maxBytes) throw new GitError('limit', `Cannot read object ${oid}: its ${size} bytes are over the limit of ${maxBytes}`)
      budget?.take(ENTRY_COST + size)
      const bytes = first.length < FIRST_BYTES ? first : readBytes(fd, fileLength(fd, length + size, oid))
      const whole = inflateWhole(bytes, length + size)
      if (whole === undefined || whole.used < bytes.length) throw corrupt(oid, whole ? 'bytes follow its end' : 'it is truncated')
      return { type, data: whole.data.subarray(length) }
    })
  }

  /**
   * The data in pieces, each good until the next is asked for: for what is too large to be held whole. The file is open from now on, until the
   * last piece or whoever asked gives up: the first has to be asked for. Undefined when it is not here.
   */
  pieces(oid: Oid): AsyncGenerator<Uint8Array> | undefined {
    const fd = openIfThere(this.pathOf(oid))
    return fd === undefined ? undefined : piecesIn(fd, oid)
  }

  /** Stores an object: on disk before it is visible, in a file that nobody may write to. */
  write(oid: Oid, type: ObjectType, data: Uint8Array): void {
    const folder = join(this.#directory, oid.slice(0, 2))
    this.#makeFolder(folder)
    const temporary = join(folder, `tmp_obj_${crypto.randomUUID()}`)
    try {
      writeDurably(temporary, zlib().deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]), { level: LEVEL }))
      renameSync(temporary, this.pathOf(oid))
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    syncDirectory(folder)
  }

  /** Makes an object as young as a new one, so that upkeep, which spares the young, spares it. Answers false when it is not here. */
  freshen(oid: Oid): boolean {
    return touchFile(this.pathOf(oid))
  }

  /** All ids, folder by folder, in no particular order within one. */
  *oids(): IterableIterator<Oid> {
    for (const folder of this.#folders()) yield* this.#oidsIn(folder)
  }

  /** Ids that begin with `prefix` (2 digits or more). */
  withPrefix(prefix: string): Oid[] {
    return [...this.#oidsIn(prefix.slice(0, 2))].filter((oid) => oid.startsWith(prefix))
  }

  *#oidsIn(folder: string): IterableIterator<Oid> {
    for (const name of namesIn(join(this.#directory, folder))) {
      const oid = folder + name
      if (oid.length === this.#format.hexLength && isOid(oid)) yield oid
    }
  }

  #withFile<T>(oid: Oid, read: (fd: number) => T): T | undefined {
    const fd = openIfThere(this.pathOf(oid))
    if (fd === undefined) return undefined
    try {
      return read(fd)
    } finally {
      closeSync(fd)
    }
  }

  #makeFolder(folder: string): void {
    if (existsSync(folder)) return
    makeFolders(this.#directory, folder)
    syncDirectory(this.#directory)
  }
}

/** Sets a file's time to now. Answers false when there is none. */
export function touchFile(path: string): boolean {
  const now = new Date()
  try {
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    fchmodSync(fd, 0o444 & ~process.umask())
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function startOf(bytes: Uint8Array, oid: Oid): LooseStart {
  const start = inflateStart(bytes, 0, bytes.length, MAX_HEADER)
  const end = start.subarray(0, MAX_HEADER).indexOf(0)
  const header = /^(commit|tree|blob|tag) (0|[1-9][0-9]{0,15})$/.exec(Buffer.prototype.latin1Slice.call(start, 0, Math.max(end, 0)))
  if (header === null) throw corrupt(oid, 'it does not start with a type and a size')
  return { type: header[1] as ObjectType, size: Number(header[2]), length: end + 1 }
}

/** The file's length, unless it is far beyond what `inflated` bytes need. */
function fileLength(fd: number, inflated: number, oid: Oid): number {
  const { size } = fstatSync(fd)
  if (size > deflatedAtMost(inflated) + FIRST_BYTES) throw corrupt(oid, 'bytes follow its end')
  return size
}

function readBytes(fd: number, most: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(most)
  return bytes.subarray(0, readAll(fd, bytes, most, 0))
}

/** Closes the file in the end. @throws GitError `corrupt` */
async function* piecesIn(fd: number, oid: Oid): AsyncGenerator<Uint8Array> {
  try {
    const { size, length } = startOf(readBytes(fd, FIRST_BYTES), oid)
    const window = new StreamWindow(bytesIn(fd), () => {}, Number.POSITIVE_INFINITY)
    let header = length
    for await (const piece of inflatePieces(window, length + size)) {
      const data = piece.subarray(Math.min(header, piece.length))
      header -= piece.length - data.length
      if (data.length > 0) yield data
    }
    if (window.available > 0) throw corrupt(oid, 'bytes follow its end')
  } finally {
    closeSync(fd)
  }
}

async function* bytesIn(fd: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(STREAM_BYTES)
  for (let at = 0; ; ) {
    const got = readAll(fd, bytes, bytes.length, at)
    if (got === 0) return
    yield bytes.subarray(0, got)
    at += got
  }
}

function openIfThere(path: string): number | undefined {
  // A throw for a missing file costs far more than the question.
  if (!existsSync(path)) return undefined
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The names in a directory, sorted; none when there is no such directory. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function corrupt(oid: Oid, reason: string): GitError {
  return new GitError('corrupt', `Cannot read loose object ${oid}: ${reason}`)
}
