import { diffTrees } from '../diff/tree-diff.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'

/**
 * Changed-path Bloom filters of the commit-graph: for each commit, which paths may differ from its first parent (a root:
 * from nothing). A "no" is certain. Source: `Documentation/gitformat-commit-graph.txt` (BIDX, BDAT) and git's `bloom.c`.
 */
export const FILTER_HEADER_BYTES = 12
export const HASH_VERSION = 1
export const HASHES = 7
export const BITS_PER_PATH = 10
/** Commits that change more paths than this, directories included, get a filter that never says no. */
const MAX_PATHS = 512
const ANYTHING = Uint8Array.of(0xff)
const NO_FILTER = new Uint8Array(0)
const SEEDS = [0x293ae76f, 0x7e646e2c] as const

/** The two hashes that a path's bits come from. */
export type PathKey = readonly [number, number]

export class ChangedPathFilters {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #index: number
  readonly #data: number
  readonly #dataBytes: number

  /** @param index where BIDX starts, `data` where the filters behind BDAT's header do */
  constructor(bytes: Uint8Array, index: number, data: number, dataBytes: number) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#index = index
    this.#data = data
    this.#dataBytes = dataBytes
  }

  mayHold(row: number, key: PathKey): boolean {
    const start = this.#start(row)
    const bits = (this.#view.getUint32(this.#index + row * 4) - start) * 8
    if (bits <= 0 || start + bits / 8 > this.#dataBytes) return true
    for (let i = 0; i < HASHES; i++) {
      const bit = bitOf(key, i, bits)
      if (((this.#bytes[this.#data + start + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false
    }
    return true
  }

  /** Returns the filter of `row`, empty when the commit has none, or undefined when the file is damaged there. */
  find(row: number): Uint8Array | undefined {
    const [start, end] = [this.#start(row), this.#view.getUint32(this.#index + row * 4)]
    return start <= end && end <= this.#dataBytes ? this.#bytes.subarray(this.#data + start, this.#data + end) : undefined
  }

  #start(row: number): number {
    return row === 0 ? 0 : this.#view.getUint32(this.#index + (row - 1) * 4)
  }
}

/**
 * Returns the filter for the changes from tree `before` to tree `after`. It is empty, so that the commit has none, when a path is not ASCII:
 * in version 1, the hash of bytes from 128 on depends on the machine.
 */
export function filterFor(store: ObjectReader, before: Oid | undefined, after: Oid): Uint8Array {
  const paths = new Set<string>()
  let changes = 0
  for (const { path } of diffTrees(store, before, after)) {
    if (!isAscii(Buffer.from(path))) return NO_FILTER
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) paths.add(path.slice(0, end))
    if (++changes > MAX_PATHS || paths.size > MAX_PATHS) return ANYTHING
  }
  const filter = new Uint8Array(Math.max(1, Math.ceil((paths.size * BITS_PER_PATH) / 8)))
  for (const path of paths) setBits(filter, keyOf(Buffer.from(path)))
  return filter
}

/**
 * What to ask filters for to learn about `path`: one key for it and one for each directory on the way. A commit that
 * may not hold one of them did not change the path. Undefined when filters cannot tell: git's hash of bytes from 128
 * on depends on the machine that wrote the file.
 */
export function keysOf(path: string): PathKey[] | undefined {
  const bytes = Buffer.from(path)
  if (bytes.length === 0 || !isAscii(bytes)) return undefined
  const keys: PathKey[] = []
  for (let end = bytes.length; end > 0; end = bytes.lastIndexOf(0x2f, end - 1)) keys.push(keyOf(bytes.subarray(0, end)))
  return keys
}

/** The key of `path` alone, where its directories are asked about by themselves: of a deep one, theirs take thousands of times as long. */
export function ownKeyOf(path: string): PathKey | undefined {
  const bytes = Buffer.from(path)
  return bytes.length === 0 || !isAscii(bytes) ? undefined : keyOf(bytes)
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 128)
}

function keyOf(bytes: Uint8Array): PathKey {
  return [murmur3(bytes, SEEDS[0]), murmur3(bytes, SEEDS[1])]
}

function setBits(filter: Uint8Array, key: PathKey): void {
  for (let i = 0; i < HASHES; i++) {
    const bit = bitOf(key, i, filter.length * 8)
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7))
  }
}

function bitOf(key: PathKey, i: number, bits: number): number {
  return ((key[0] + Math.imul(i, key[1])) >>> 0) % bits
}

/** MurmurHash3, 32 bits. */
function murmur3(bytes: Uint8Array, seed: number): number {
  const at = (i: number) => bytes[i] as number
  const whole = bytes.length & ~3
  let hash = seed
  for (let i = 0; i < whole; i += 4) {
    hash ^= scramble(at(i) | (at(i + 1) << 8) | (at(i + 2) << 16) | (at(i + 3) << 24))
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let i = bytes.length - 1; i >= whole; i--) tail ^= at(i) << (8 * (i - whole))
  if (whole < bytes.length) hash ^= scramble(tail)
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
