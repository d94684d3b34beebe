import type { SnapshotRef } from '#git/protocol/context.ts'
import { chunkOf, encodeRef, type RefChunk, refsOf } from '#git/workers/ref-list.ts'

/** A stretch of sorted refs that never changes, as bytes: a hundred thousand objects would hold the thread up whenever its memory is collected. */
interface Stretch {
  chunk: RefChunk
  count: number
  /** The last name. */
  last: string
}

/** A change of one ref: what it is now, or that it is gone. */
export interface ChangedRef {
  name: string
  now: SnapshotRef | undefined
}

/** Sorted refs as `encodeRef` writes them, one behind the other. */
export interface RefText {
  text: string
  count: number
  last: string
}

/** A stretch that grows beyond this becomes two. */
const MOST = 2048
const LINE_FEED = 10
/** Hex digits of an id and the space behind them. */
const BEFORE_NAME = 41

/** All refs of a repository, sorted by the bytes of their names, in stretches: a change makes one stretch anew and leaves the others. */
export class RefChunks {
  #stretches: Stretch[] = []
  /** By name: what is taken over when somebody asks, so that a push costs the same beside very many refs. */
  readonly #changes = new Map<string, SnapshotRef | undefined>()

  /** What it takes in memory; time in the number of stretches. */
  get bytes(): number {
    return this.#stretches.reduce((sum, { chunk }) => sum + chunk.encoded.byteLength, 0)
  }

  /** How many changes nobody has asked about yet. */
  get waiting(): number {
    return this.#changes.size
  }

  /** Appends refs that sort behind all others. */
  append({ text, count, last }: RefText): void {
    if (count > 0) this.#stretches.push({ chunk: chunkOf(Buffer.from(text)), count, last })
  }

  change(changes: readonly ChangedRef[]): void {
    for (const { name, now } of changes) this.#changes.set(name, now)
  }

  /** The refs as they are now; later changes leave what it answers alone. */
  now(): { chunks: RefChunk[]; count: number } {
    if (this.#changes.size > 0) this.#takeOver()
    return { chunks: this.#stretches.map(({ chunk }) => chunk), count: this.#stretches.reduce((sum, { count }) => sum + count, 0) }
  }

  #takeOver(): void {
    const sorted = Array.from(this.#changes, ([name, now]) => ({ key: Buffer.from(name), now })).sort((a, b) => Buffer.compare(a.key, b.key))
    const byStretch = Map.groupBy(sorted, ({ key }) => this.#stretchFor(key))
    if (this.#stretches.length === 0) this.#stretches = changedStretches(undefined, sorted)
    else this.#stretches = this.#stretches.flatMap((stretch, i) => changedStretches(stretch, byStretch.get(i) ?? []))
    this.#changes.clear()
  }

  /** The first that does not end before the name, or the last. */
  #stretchFor(key: Buffer): number {
    let [low, high] = [0, this.#stretches.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (Buffer.compare(Buffer.from(this.#stretches[middle]?.last ?? ''), key) >= 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

interface Change {
  /** The name's bytes, as SQLite and git sort them. */
  key: Buffer
  now: SnapshotRef | undefined
}

function changedStretches(old: Stretch | undefined, changes: readonly Change[]): Stretch[] {
  if (old && changes.length === 0) return [old]
  const text = old ? bytesOf(old.chunk) : Buffer.alloc(0)
  const parts: Buffer[] = []
  let [at, count] = [0, old?.count ?? 0]
  for (const { key, now } of changes) {
    const { start, end } = placeOf(text, key)
    parts.push(text.subarray(at, start), Buffer.from(now ? encodeRef(now) : ''))
    count += Number(now !== undefined) - Number(end > start)
    at = end
  }
  return stretchesOf(Buffer.concat([...parts, text.subarray(at)]), count)
}

function bytesOf({ encoded }: RefChunk): Buffer {
  return Buffer.from(encoded as unknown as ArrayBuffer)
}

function stretchesOf(text: Buffer, count: number): Stretch[] {
  if (count === 0) return []
  if (count <= MOST) return [{ chunk: chunkOf(text), count, last: nameAt(text, lineStart(text, text.length - 1)).toString() }]
  const middle = lineStart(text, text.length >>> 1)
  const first = text.subarray(0, middle)
  const before = refsOf(chunkOf(first)).length
  return [...stretchesOf(first, before), ...stretchesOf(text.subarray(middle), count - before)]
}

/** Where the line of the ref of that name is; where it would be, and empty, when there is none. */
function placeOf(text: Buffer, name: Buffer): { start: number; end: number } {
  let [low, high] = [0, text.length]
  while (low < high) {
    const start = lineStart(text, (low + high) >>> 1)
    const end = text.indexOf(LINE_FEED, start) + 1
    const order = Buffer.compare(nameAt(text, start), name)
    if (order === 0) return { start, end }
    if (order < 0) low = end
    else high = start
  }
  return { start: low, end: low }
}

/** Where the line begins that a byte is in, its line feed included. */
function lineStart(text: Buffer, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf(LINE_FEED, at - 1) + 1
}

/** Names have no spaces. */
function nameAt(text: Buffer, start: number): Buffer {
  const end = text.indexOf(LINE_FEED, start)
  const space = text.subarray(start + BEFORE_NAME, end).indexOf(' ')
  return text.subarray(start + BEFORE_NAME, space < 0 ? end : start + BEFORE_NAME + space)
}
