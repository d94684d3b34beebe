import { mapInTurns } from '#kernel/breathe.ts'
import { LruMap } from '#kernel/lru-map.ts'
import type { Oid } from '../objects/oid.ts'
import type { SnapshotRef } from '../protocol/context.ts'

/** A stretch of a repository's sorted refs as it travels between threads: text in shared memory, one `oid name[ peeled]` a line. */
export interface RefChunk {
  /** Names this content among those of the thread that made it: of the main thread's, others do not decode one again that they know. */
  id: number
  encoded: SharedArrayBuffer
}

let lastId = 0

export function encodeRefs(refs: readonly SnapshotRef[]): RefChunk {
  return chunkOf(Buffer.from(refs.map(encodeRef).join('')))
}

/** A ref's line. */
export function encodeRef({ oid, name, peeled }: SnapshotRef): string {
  return `${oid} ${name}${peeled ? ` ${peeled}` : ''}\n`
}

/** Lines that are encoded already. */
export function chunkOf(lines: Uint8Array): RefChunk {
  const encoded = new SharedArrayBuffer(lines.length)
  new Uint8Array(encoded).set(lines)
  return { id: ++lastId, encoded }
}

const LENGTH = 1024

/** All of them at once, for the main thread: to take over a hundred thousand objects it would need 50 ms. */
export function encodeAll(refs: readonly SnapshotRef[]): RefChunk[] {
  const chunks: RefChunk[] = []
  for (let at = 0; at < refs.length; at += LENGTH) chunks.push(encodeRefs(refs.slice(at, at + LENGTH)))
  return chunks
}

/** Decoded chunks that a thread keeps, in bytes of their text; objects take some four times as much. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024
const kept = new LruMap<number, { refs: SnapshotRef[]; bytes: number }>(MAX_KEPT_BYTES, { sizeOf: ({ bytes }) => bytes })

/** All refs of the chunks, in order. */
export async function decodeRefs(chunks: readonly RefChunk[]): Promise<SnapshotRef[]> {
  return (await mapInTurns(chunks, decodeChunk)).flat()
}

/** The lines of a chunk, each `[oid, name]` or `[oid, name, peeled]`. */
export function linesOf({ encoded }: RefChunk): string[][] {
  const text = Buffer.from(new Uint8Array(encoded)).toString('utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
}

/** The refs of a chunk, of which nothing is kept. */
export function refsOf(chunk: RefChunk): SnapshotRef[] {
  return linesOf(chunk).map(([oid, name = '', peeled]) => (peeled === undefined ? { oid: oid as Oid, name } : { oid: oid as Oid, name, peeled: peeled as Oid }))
}

function decodeChunk(chunk: RefChunk): SnapshotRef[] {
  return kept.getOrInsertComputed(chunk.id, () => ({ refs: refsOf(chunk), bytes: chunk.encoded.byteLength })).refs
}
