import { GitError } from '../errors.ts'
import { commonPrefix, commonSuffix } from './common-bytes.ts'

/** The lines of one file: where each begins, and a number that equal lines of the files compared share. */
export interface Lines {
  data: Uint8Array
  /** Where each line begins, and at last the length of the data. */
  starts: Int32Array
  /** A line break is part of its line, so a last line without one differs from the same line with one. */
  ids: Int32Array
  count: number
}

const LF = 10
/** What is kept of a line takes more room than a short one itself. */
const MAX_LINES = 4_000_000
/** Not the same in every process, so that nobody can make lines whose hashes are all alike. */
const FACTOR = ((crypto.getRandomValues(new Uint32Array(1))[0] as number) & 0xfffffff8) | 5

/** What is noted of a number's first line, side by side. */
const FIELDS = 3
const FROM = 0
const TO = 1
const HASH = 2

/** Numbers the lines of files that are compared with each other. */
export class LineTable {
  /** Of each number's first line: the file, where it begins and ends, its hash. */
  readonly #files: Uint8Array[] = []
  #places = new Int32Array(FIELDS * 512)
  #size = 0
  /** Numbers, plus one, by hash; a power of two of them, no more than half of it in use. */
  #slots = new Int32Array(1024)

  /** All numbers given so far are below this one. */
  get size(): number {
    return this.#size
  }

  /** @param like a file split before; lines that both begin or end with cost next to nothing */
  split(data: Uint8Array, like?: Lines): Lines {
    const before = like === undefined ? 0 : lastLineUpTo(like, commonPrefix(data, like.data))
    const rest = like === undefined ? 0 : (like.starts[before] as number)
    const after = like === undefined ? 0 : linesAtEnd(like, before, commonSuffix(data, like.data, rest))
    const behind = like === undefined ? data.length : data.length - (like.data.length - (like.starts[like.count - after] as number))
    const middle = lineStarts(data, rest, behind)
    const count = before + middle.length + after
    const lines = { data, count, starts: new Int32Array(count + 1), ids: new Int32Array(count) }
    lines.starts[count] = data.length
    if (like !== undefined) copyEnds(like, lines, before, after)
    lines.starts.set(middle, before)
    for (let i = 0; i < middle.length; i++)
      lines.ids[before + i] = this.#idOf(data, middle[i] as number, i + 1 < middle.length ? (middle[i + 1] as number) : behind)
    return lines
  }

  #idOf(data: Uint8Array, from: number, to: number): number {
    let hash = to - from
    for (let i = from; i < to; i++) hash = Math.imul(hash, FACTOR) + (data[i] as number)
    hash ^= hash >>> 15
    const slots = this.#slots
    const places = this.#places
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] as number) - 1
      if (id < 0) return this.#add(slot, hash, data, from, to)
      const at = id * FIELDS
      if (places[at + HASH] !== hash || (places[at + TO] as number) - (places[at + FROM] as number) !== to - from) continue
      if (isSame(this.#files[id] as Uint8Array, places[at + FROM] as number, data, from, to)) return id
    }
  }

  #add(slot: number, hash: number, data: Uint8Array, from: number, to: number): number {
    const id = this.#size++
    if (this.#size * FIELDS > this.#places.length) this.#places = grown(this.#places)
    this.#files.push(data)
    this.#places[id * FIELDS + FROM] = from
    this.#places[id * FIELDS + TO] = to
    this.#places[id * FIELDS + HASH] = hash
    this.#slots[slot] = this.#size
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return id
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4)
    const mask = slots.length - 1
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#places[id * FIELDS + HASH] as number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }
}

function isSame(file: Uint8Array, start: number, data: Uint8Array, from: number, to: number): boolean {
  for (let i = from, at = start; i < to; i++, at++) if (file[at] !== data[i]) return false
  return true
}

/** How many whole lines lie in the first `length` bytes. */
function lastLineUpTo({ starts, count }: Lines, length: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] as number) <= length) low = middle
    else high = middle - 1
  }
  // The last line may have no line break here and go on there.
  return low === count && count > 0 ? count - 1 : low
}

/** How many lines behind the first `before` ones lie in the last `length` bytes, the line break in front of them included. */
function linesAtEnd({ data, starts, count }: Lines, before: number, length: number): number {
  let [low, high] = [before, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) > data.length - length) high = middle
    else low = middle + 1
  }
  return count - low
}

function copyEnds(from: Lines, to: Lines, before: number, after: number): void {
  to.starts.set(from.starts.subarray(0, before))
  to.ids.set(from.ids.subarray(0, before))
  to.ids.set(from.ids.subarray(from.count - after), to.count - after)
  const shift = to.data.length - from.data.length
  for (let i = 1; i <= after; i++) to.starts[to.count - i] = (from.starts[from.count - i] as number) + shift
}

function lineStarts(data: Uint8Array, from: number, to: number): Int32Array {
  let starts = new Int32Array(((to - from) >>> 4) + 16)
  let count = 0
  for (let at = from; at < to; ) {
    if (count === MAX_LINES) throw new GitError('limit', `Cannot compare files: one has more than ${MAX_LINES} lines`)
    if (count === starts.length) starts = grown(starts)
    starts[count++] = at
    const lf = data.indexOf(LF, at)
    at = lf < 0 ? to : lf + 1
  }
  return starts.subarray(0, count)
}

function grown(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
