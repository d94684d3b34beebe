import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import { mapFile } from '../mapped-files.ts'
import { type ObjectFormat, type Oid, oidAt } from '../objects/oid.ts'
import { ChangedPathFilters, FILTER_HEADER_BYTES, HASH_VERSION, HASHES } from './changed-paths.ts'

/** git's commit-graph file, version 1. Source: `Documentation/gitformat-commit-graph.txt`. */
export const SIGNATURE = 0x43475048
export const CHUNK_OIDF = 0x4f494446
export const CHUNK_OIDL = 0x4f49444c
export const CHUNK_CDAT = 0x43444154
export const CHUNK_GDA2 = 0x47444132
export const CHUNK_GDO2 = 0x47444f32
export const CHUNK_EDGE = 0x45444745
export const CHUNK_BIDX = 0x42494458
export const CHUNK_BDAT = 0x42444154
export const HEADER_BYTES = 8
export const CHUNK_ROW_BYTES = 12
export const NO_PARENT = 0x70000000
/** In a second parent: the rest is an index into EDGE. In EDGE: the last parent. In GDA2: an index into GDO2. */
export const HIGH_BIT = 0x80000000
const LOW_BITS = 0x7fffffff

export const hashVersions: Record<ObjectFormat['name'], number> = { sha1: 1, sha256: 2 }

/** Where the graph of the repository at `gitDir` lies. */
export function commitGraphPath(gitDir: string): string {
  return join(gitDir, 'objects', 'info', 'commit-graph')
}

/**
 * The graph at `path`, or undefined when there is none. Chains (`commit-graphs/`) are not read: git itself prefers
 * the single file, and a walk without a graph gives the same answers, later.
 * @throws GitError `corrupt`
 */
export function findCommitGraph(path: string, format: ObjectFormat): CommitGraph | undefined {
  const bytes = findBytes(path)
  return bytes === undefined ? undefined : new CommitGraph(bytes, format)
}

/** The same, but a damaged graph, or one of a version that we do not read, is as good as none: all that it tells the store tells too. */
export function findSoundCommitGraph(path: string, format: ObjectFormat): CommitGraph | undefined {
  try {
    return findCommitGraph(path, format)
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** A map where the system has them: a graph is only ever replaced by rename, so it cannot shrink beneath us. */
function findBytes(path: string): Uint8Array | undefined {
  try {
    return process.platform === 'win32' ? readFileSync(path) : mapFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return readFileSync(path)
  }
}

/**
 * The commits of a repository in rows sorted by id, each with tree, parents (as row numbers), date and generation.
 * Closed under parents. The structure and the checksum are checked on opening, the row numbers when they are read,
 * so a damaged file gives an error and never a wrong turn outside of it.
 */
export class CommitGraph {
  readonly count: number
  readonly format: ObjectFormat
  /** Whether `generation` gives corrected commit dates (generation data v2) or topological levels. */
  readonly hasCorrectedDates: boolean
  /** False for files of git before 2.19, which left the levels at 0. */
  readonly hasGenerations: boolean
  /** Which commits may have changed a path, if the file tells and in a way that we know. */
  readonly filters: ChangedPathFilters | undefined
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #raw: number
  readonly #fanout: number
  readonly #oids: number
  readonly #rows: number
  readonly #rowBytes: number
  readonly #offsets: number
  readonly #bigOffsets: Span
  readonly #edges: Span

  /** @throws GitError `corrupt` */
  constructor(bytes: Uint8Array, format: ObjectFormat) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.format = format
    this.#raw = format.rawLength
    this.#rowBytes = format.rawLength + 16
    checkEnds(bytes, this.#view, format)
    const chunks = readChunks(this.#view, format.rawLength)
    this.#fanout = need(chunks, CHUNK_OIDF, 1024).at
    this.count = this.#view.getUint32(this.#fanout + 255 * 4)
    this.#oids = need(chunks, CHUNK_OIDL, this.count * this.#raw).at
    this.#rows = need(chunks, CHUNK_CDAT, this.count * this.#rowBytes).at
    this.hasCorrectedDates = chunks.has(CHUNK_GDA2)
    this.#offsets = this.hasCorrectedDates ? need(chunks, CHUNK_GDA2, this.count * 4).at : 0
    this.#bigOffsets = chunks.get(CHUNK_GDO2) ?? { at: 0, bytes: 0 }
    this.#edges = chunks.get(CHUNK_EDGE) ?? { at: 0, bytes: 0 }
    this.filters = this.#findFilters(chunks)
    this.#checkFanout()
    this.hasGenerations = this.count > 0 && this.level(0) > 0
  }

  /** The row of `oid`, or -1. */
  find(oid: Oid): number {
    const first = Number.parseInt(oid.slice(0, 2), 16)
    let low = first === 0 ? 0 : this.#u32(this.#fanout + (first - 1) * 4)
    let high = this.#u32(this.#fanout + first * 4)
    const word = Number.parseInt(oid.slice(0, 8), 16)
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#u32(this.#oids + middle * this.#raw)
      const whole = there === word ? this.oid(middle) : undefined
      if (whole === oid) return middle
      if (there < word || (whole !== undefined && whole < oid)) low = middle + 1
      else high = middle
    }
    return -1
  }

  oid(row: number): Oid {
    return oidAt(this.#bytes, this.#oids + row * this.#raw, this.#raw)
  }

  tree(row: number): Oid {
    return oidAt(this.#bytes, this.#rows + row * this.#rowBytes, this.#raw)
  }

  /** Committer date, seconds since 1970; git keeps 34 bits of it. */
  date(row: number): number {
    const at = this.#rows + row * this.#rowBytes + this.#raw + 8
    return (this.#u32(at) & 3) * 2 ** 32 + this.#u32(at + 4)
  }

  /** 1 for a root, else one more than the highest parent's. */
  level(row: number): number {
    return this.#u32(this.#rows + row * this.#rowBytes + this.#raw + 8) >>> 2
  }

  /** A number higher than that of every ancestor: the corrected commit date where the file has it, else the level. */
  generation(row: number): number {
    if (!this.hasCorrectedDates) return this.level(row)
    const offset = this.#u32(this.#offsets + row * 4)
    return this.date(row) + (offset < HIGH_BIT ? offset : this.#bigOffset(offset & LOW_BITS))
  }

  /** Empties `into` and puts the rows of the parents there, in order. @throws GitError `corrupt` */
  parents(row: number, into: number[]): void {
    const at = this.#rows + row * this.#rowBytes + this.#raw
    const first = this.#u32(at)
    const second = this.#u32(at + 4)
    into.length = 0
    if (first !== NO_PARENT) into.push(this.#row(first))
    if (second >= HIGH_BIT) this.#edgesFrom(second & LOW_BITS, into)
    else if (second !== NO_PARENT) into.push(this.#row(second))
  }

  #edgesFrom(index: number, into: number[]): void {
    for (let at = index * 4; ; at += 4) {
      if (at + 4 > this.#edges.bytes) throw corrupt('an octopus merge points outside its list of parents')
      const edge = this.#u32(this.#edges.at + at)
      into.push(this.#row(edge & LOW_BITS))
      if (edge >= HIGH_BIT) return
    }
  }

  /** Walks read little else, and a DataView takes twice as long. */
  #u32(at: number): number {
    const bytes = this.#bytes
    return (((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0
  }

  #row(row: number): number {
    if (row >= this.count) throw corrupt(`parent ${row} of ${this.count} rows`)
    return row
  }

  #bigOffset(index: number): number {
    if (index * 8 + 8 > this.#bigOffsets.bytes) throw corrupt('a generation points outside its list')
    const at = this.#bigOffsets.at + index * 8
    return this.#u32(at) * 2 ** 32 + this.#u32(at + 4)
  }

  #findFilters(chunks: Map<number, Span>): ChangedPathFilters | undefined {
    const index = chunks.get(CHUNK_BIDX)
    const data = chunks.get(CHUNK_BDAT)
    if (index?.bytes !== this.count * 4 || data === undefined || data.bytes < FILTER_HEADER_BYTES) return undefined
    if (this.#view.getUint32(data.at) !== HASH_VERSION || this.#view.getUint32(data.at + 4) !== HASHES) return undefined
    return new ChangedPathFilters(this.#bytes, index.at, data.at + FILTER_HEADER_BYTES, data.bytes - FILTER_HEADER_BYTES)
  }

  #checkFanout(): void {
    let before = 0
    for (let i = 0; i < 256; i++) {
      const here = this.#view.getUint32(this.#fanout + i * 4)
      if (here < before) throw corrupt('its fan-out table goes backwards')
      before = here
    }
  }
}

interface Span {
  at: number
  bytes: number
}

function checkEnds(bytes: Uint8Array, view: DataView, format: ObjectFormat): void {
  const end = bytes.length - format.rawLength
  if (end < HEADER_BYTES + CHUNK_ROW_BYTES || view.getUint32(0) !== SIGNATURE) throw corrupt('it is truncated or not a commit-graph')
  if (bytes[4] !== 1 || bytes[5] !== hashVersions[format.name]) throw corrupt(`version ${bytes[4]} with hash ${bytes[5]} is not known`)
  if (bytes[7] !== 0) throw corrupt('it builds on other graphs')
  const sum = format.hasher().update(bytes.subarray(0, end)).digest()
  if (Buffer.compare(sum, bytes.subarray(end)) !== 0) throw corrupt('its checksum does not match')
}

/** The table of contents: rows of id and offset, the last with id 0 for the end. */
function readChunks(view: DataView, rawLength: number): Map<number, Span> {
  const count = view.getUint8(6)
  const end = view.byteLength - rawLength
  if (HEADER_BYTES + (count + 1) * CHUNK_ROW_BYTES > end) throw corrupt('its table of contents is truncated')
  const chunks = new Map<number, Span>()
  let at = offsetAt(view, 0)
  for (let i = 0; i < count; i++) {
    const next = offsetAt(view, i + 1)
    if (at < HEADER_BYTES + (count + 1) * CHUNK_ROW_BYTES || next < at || next > end) throw corrupt('a chunk lies outside the file')
    chunks.set(view.getUint32(HEADER_BYTES + i * CHUNK_ROW_BYTES), { at, bytes: next - at })
    at = next
  }
  return chunks
}

function offsetAt(view: DataView, row: number): number {
  const at = HEADER_BYTES + row * CHUNK_ROW_BYTES + 4
  return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
}

function need(chunks: Map<number, Span>, id: number, bytes: number): Span {
  const chunk = chunks.get(id)
  if (chunk === undefined || chunk.bytes !== bytes) throw corrupt(`chunk ${id.toString(16)} is absent or not ${bytes} bytes long`)
  return chunk
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot read commit-graph: ${reason}`)
}
