import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { isBinary } from './line-stats.ts'
import type { TreeSide } from './tree-diff.ts'

/** Scores go from 0 to this, which stands for 100 percent; git's `MAX_SCORE`. */
export const MAX_SCORE = 60_000

/** Chunks are counted by hash below this prime; equal hashes count as equal chunks. */
const HASH_BASE = 107_927
const LONGEST_CHUNK = 64
const LF = 10
const CR = 13

/** What is compared, and whether attributes say that it is binary. */
type Blob = Pick<TreeSide, 'oid' | 'isBinary'>

/** How many bytes of a blob lie in chunks of each hash. */
interface Signature {
  hashes: Int32Array
  counts: Int32Array
}

/**
 * Tells how similar blobs are as git does: content is cut into lines of at most 64 bytes, and what counts is how many
 * bytes lie in chunks that both have. Blobs are read once, their signatures kept for as long as `maxBytes` lets them;
 * what does not fit is like nothing else. A last chunk without a line break does not count, as in git up to 2.43.
 * Source: `diffcore-delta.c`, `hash_chars`, and `diffcore-rename.c`, `estimate_similarity`.
 */
export class Similarity {
  readonly #store: ObjectReader
  readonly #maxFileBytes: number
  /** By id and, where attributes tell, whether it is text. */
  readonly #signatures = new Map<string, Signature | undefined>()
  readonly #sizes = new Map<Oid, number>()
  #bytesLeft: number

  /**
   * @param maxBytes of memory for signatures
   * @param maxFileBytes blobs larger than this are like nothing else
   */
  constructor(store: ObjectReader, { maxBytes = 96 << 20, maxFileBytes = 64 << 20 } = {}) {
    this.#store = store
    this.#bytesLeft = maxBytes
    this.#maxFileBytes = maxFileBytes
  }

  /**
   * From 0 to MAX_SCORE; 0 as well for what is certain to be below `least`. Cheapest when called with one `target` after the other.
   * @throws GitError `missing` or `corrupt` when a blob is
   */
  score(source: Blob, target: Blob, least: number): number {
    const [before, after] = [this.#sizeOf(source.oid), this.#sizeOf(target.oid)]
    const [larger, smaller] = before > after ? [before, after] : [after, before]
    if (larger > this.#maxFileBytes || larger * (MAX_SCORE - least) < (larger - smaller) * MAX_SCORE || after === 0) return 0
    const [from, to] = [this.#signatureOf(source), this.#signatureOf(target)]
    return from === undefined || to === undefined ? 0 : Math.trunc((this.#sharedBytes(from, to) * MAX_SCORE) / larger)
  }

  #sharedBytes(from: Signature, to: Signature): number {
    lay(to)
    const { hashes, counts } = from
    let shared = 0
    for (let i = 0; i < hashes.length; i++) {
      const there = table[hashes[i] as number] as number
      if (there !== 0) shared += Math.min(there, counts[i] as number)
    }
    return shared
  }

  #sizeOf(oid: Oid): number {
    let size = this.#sizes.get(oid)
    if (size === undefined) this.#sizes.set(oid, (size = this.#store.findHeader(oid)?.size ?? this.#store.get(oid, 'blob').data.length))
    return size
  }

  #signatureOf({ oid, isBinary }: Blob): Signature | undefined {
    const key = isBinary === undefined ? oid : `${oid} ${isBinary}`
    if (this.#signatures.has(key)) return this.#signatures.get(key)
    const signature = this.#bytesLeft > 0 ? signatureOf(this.#store.get(oid, 'blob').data, isBinary) : undefined
    this.#bytesLeft -= signature?.hashes.byteLength ?? 0
    this.#bytesLeft -= signature?.counts.byteLength ?? 0
    this.#signatures.set(key, signature)
    return signature
  }
}

/** The counts of one signature by hash: one table for all, because making one takes longer than many a comparison. */
const table = new Int32Array(HASH_BASE)
/** Whose counts lie in the table. */
let laid: Signature | undefined

function lay(signature: Signature): void {
  if (laid === signature) return
  for (const hash of laid?.hashes ?? []) table[hash] = 0
  for (let i = 0; i < signature.hashes.length; i++) table[signature.hashes[i] as number] = signature.counts[i] as number
  laid = signature
}

const counters = new Int32Array(HASH_BASE)

function signatureOf(data: Uint8Array, isTold: boolean | undefined): Signature {
  const touched: number[] = []
  eachChunk(data, !(isTold ?? isBinary(data)), (hash, length) => {
    if (counters[hash] === 0) touched.push(hash)
    counters[hash] = (counters[hash] as number) + length
  })
  const hashes = Int32Array.from(touched)
  const counts = hashes.map((hash) => counters[hash] as number)
  for (const hash of touched) counters[hash] = 0
  return { hashes, counts }
}

/** In text, the CR of a CRLF is passed over. */
function eachChunk(data: Uint8Array, isText: boolean, visit: (hash: number, length: number) => void): void {
  let [low, high, length] = [0, 0, 0]
  for (let at = 0; at < data.length; at++) {
    const byte = data[at] as number
    if (byte === CR && isText && data[at + 1] === LF) continue
    const before = low
    low = ((low << 7) ^ (high >>> 25)) + byte
    low |= 0
    high = (high << 7) ^ (before >>> 25)
    if (++length < LONGEST_CHUNK && byte !== LF) continue
    visit(((low + Math.imul(high, 0x61)) >>> 0) % HASH_BASE, length)
    low = high = length = 0
  }
}
