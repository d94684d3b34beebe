import type { ObjectFormat } from '../../objects/oid.ts'
import type { EntryColumns } from './entry-table.ts'
import { compareRaw } from './entry-table.ts'

const CHUNK_BYTES = 64 * 1024
const BUCKETS = 65536
/** Offsets from here on go to the table of 8-byte offsets. */
const LARGE_OFFSET = 2 ** 31

/** The entries in the order of their ids, and of their places in the pack where ids are equal. */
export function sortByOid(columns: EntryColumns, count: number): Uint32Array {
  const { oids, rawLength } = columns
  const order = new Uint32Array(count).map((_, entry) => entry)
  const compare = (a: number, b: number): number => compareRaw(oids, a * rawLength, oids, b * rawLength, rawLength) || a - b
  if (count < BUCKETS) return order.sort(compare)
  const starts = spread(columns, order)
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if ((starts[bucket + 1] as number) - (starts[bucket] as number) > 1) order.subarray(starts[bucket], starts[bucket + 1]).sort(compare)
  }
  return order
}

/** Puts the entries into buckets by the first two bytes of their ids; returns where each bucket starts. */
function spread({ oids, rawLength }: EntryColumns, order: Uint32Array): Uint32Array {
  const bucketOf = (entry: number): number => ((oids[entry * rawLength] as number) << 8) | (oids[entry * rawLength + 1] as number)
  const starts = new Uint32Array(BUCKETS + 1)
  for (let entry = 0; entry < order.length; entry++) (starts[bucketOf(entry) + 1] as number)++
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number)
  const next = starts.slice()
  for (let entry = 0; entry < order.length; entry++) order[(next[bucketOf(entry)] as number)++] = entry
  return starts
}

/**
 * The index of a pack, version 2, in pieces that are only good until the next is asked for.
 * `order` is from `sortByOid`. Source: `Documentation/gitformat-pack.txt`.
 */
export function* indexChunks(columns: EntryColumns, order: Uint32Array, packChecksum: Uint8Array, format: ObjectFormat): Generator<Uint8Array> {
  const hasher = format.hasher()
  for (const chunk of contentChunks(columns, order)) {
    hasher.update(chunk)
    yield chunk
  }
  hasher.update(packChecksum)
  yield packChecksum
  yield hasher.digest()
}

function* contentChunks(columns: EntryColumns, order: Uint32Array): Generator<Uint8Array> {
  yield fanOut(columns, order)
  yield* rows(order, columns.rawLength, (out, at, entry) => {
    const from = entry * columns.rawLength
    for (let i = 0; i < columns.rawLength; i++) out[at + i] = columns.oids[from + i] as number
  })
  yield* rows(order, 4, (out, at, entry) => out.writeUInt32BE(columns.crcs[entry] as number, at))
  const large: number[] = []
  yield* rows(order, 4, (out, at, entry) => {
    const offset = columns.offsets[entry] as number
    out.writeUInt32BE(offset < LARGE_OFFSET ? offset : LARGE_OFFSET + large.push(entry) - 1, at)
  })
  yield* rows(Uint32Array.from(large), 8, (out, at, entry) => out.writeBigUInt64BE(BigInt(columns.offsets[entry] as number), at))
}

function fanOut(columns: EntryColumns, order: Uint32Array): Uint8Array {
  const out = Buffer.alloc(8 + 256 * 4)
  out.set([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2])
  const ends = new Uint32Array(256)
  for (let row = 0; row < order.length; row++) (ends[columns.oids[(order[row] as number) * columns.rawLength] as number] as number)++
  let sum = 0
  for (let byte = 0; byte < 256; byte++) {
    sum += ends[byte] as number
    out.writeUInt32BE(sum, 8 + byte * 4)
  }
  return out
}

function* rows(order: Uint32Array, width: number, write: (out: Buffer, at: number, entry: number) => void): Generator<Uint8Array> {
  const perChunk = Math.min(order.length, Math.floor(CHUNK_BYTES / width))
  const out = Buffer.allocUnsafe(perChunk * width)
  for (let first = 0; first < order.length; first += perChunk) {
    const end = Math.min(order.length, first + perChunk)
    for (let row = first; row < end; row++) write(out, (row - first) * width, order[row] as number)
    yield out.subarray(0, (end - first) * width)
  }
}
