/** Which blanks do not count when lines are compared; each includes the ones after it. */
export type IgnoredSpace = 'all' | 'change' | 'at-eol' | 'cr-at-eol'

const LF = 10
const CR = 13
const BLANK = 32
const HASH_START = 5381

/** Blanks as git's `isspace` knows them. */
export function isSpace(byte: number): boolean {
  return byte === BLANK || (byte >= 9 && byte <= 13 && byte !== 11 && byte !== 12)
}

/** How many lines a text has. */
export function lineCountOf(data: Uint8Array): number {
  let count = data.length > 0 && data.at(-1) !== LF ? 1 : 0
  for (let at = 0; at < data.length; at++) if (data[at] === LF) count++
  return count
}

/** A text cut into lines, which stay where they are in its bytes; each line has its line break. */
export class Lines {
  readonly data: Uint8Array
  readonly count: number
  /** Where each line begins, and behind them where the last one ends. */
  readonly starts: Int32Array
  /** A hash of each line. */
  readonly hashes: Int32Array

  constructor(data: Uint8Array) {
    let starts = new Int32Array((data.length >> 4) + 8)
    let hashes = new Int32Array(starts.length)
    let count = 0
    for (let at = 0; at < data.length; ) {
      let hash = HASH_START
      let byte = 0
      while (at < data.length && byte !== LF) {
        byte = data[at++] as number
        hash = (Math.imul(hash, 33) ^ byte) | 0
      }
      if (count + 2 > starts.length) [starts, hashes] = [doubled(starts), doubled(hashes)]
      hashes[count++] = hash
      starts[count] = at
    }
    this.data = data
    this.count = count
    this.starts = starts.subarray(0, count + 1)
    this.hashes = hashes.subarray(0, count)
  }

  bytes(index: number): Uint8Array {
    return this.data.subarray(this.starts[index], this.starts[index + 1])
  }

  /** Whether a line has nothing on it: no byte, or with `ignored` nothing but blanks. */
  isBlank(index: number, ignored: IgnoredSpace | undefined): boolean {
    const [start, end] = [this.starts[index] as number, this.starts[index + 1] as number]
    if (ignored === undefined) return end - start <= 1
    for (let at = start; at < end; at++) if (!isSpace(this.data[at] as number)) return false
    return true
  }
}

/** Lines as they are compared. */
type Comparable = Pick<Lines, 'data' | 'starts' | 'hashes'>

/** The numbers of the lines of two texts; equal lines have equal numbers. */
export interface LineNumbers {
  numbers: [before: Int32Array, after: Int32Array]
  /** How often a line comes in each text, by its number. */
  counts: [before: Int32Array, after: Int32Array]
}

/** Numbers lines so that equal ones have the same number, blanks that do not count left out. */
export function numberLines(before: Lines, after: Lines, ignored?: IgnoredSpace): LineNumbers {
  const texts = [before, after].map((lines) => (ignored === undefined ? lines : canonical(lines, ignored)))
  return new LineClasses(texts as [Comparable, Comparable]).number()
}

/** A hash table of the different lines. */
class LineClasses {
  readonly #texts: [Comparable, Comparable]
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  /** The first line of each class, by its number among the lines of both texts. */
  readonly #firsts: Int32Array
  #size = 0

  constructor(texts: [Comparable, Comparable]) {
    const lines = texts[0].hashes.length + texts[1].hashes.length
    this.#texts = texts
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * lines + 2))).fill(-1)
    this.#hashes = new Int32Array(lines)
    this.#firsts = new Int32Array(lines)
  }

  number(): LineNumbers {
    const [before, after] = this.#texts
    const [old, now] = [new Int32Array(before.hashes.length), new Int32Array(after.hashes.length)]
    for (let i = 0; i < old.length; i++) old[i] = this.#find(0, i)
    // Most of a text is what it was before: what is the same at both ends need not be looked up.
    const { head, tail } = sameEnds(before, after)
    now.set(old.subarray(0, head))
    now.set(old.subarray(old.length - tail), now.length - tail)
    for (let i = head; i < now.length - tail; i++) now[i] = this.#find(1, i)
    return { numbers: [old, now], counts: [countOf(old, this.#size), countOf(now, this.#size)] }
  }

  #find(side: 0 | 1, line: number): number {
    const hash = this.#texts[side].hashes[line] as number
    const mask = this.#slots.length - 1
    for (let slot = mixed(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] as number
      if (id < 0) return this.#add(slot, hash, side, line)
      if (this.#hashes[id] === hash && this.#isSame(id, side, line)) return id
    }
  }

  #add(slot: number, hash: number, side: 0 | 1, line: number): number {
    const id = this.#size++
    this.#slots[slot] = id
    this.#hashes[id] = hash
    this.#firsts[id] = side === 0 ? line : this.#texts[0].hashes.length + line
    return id
  }

  #isSame(id: number, side: 0 | 1, line: number): boolean {
    const first = this.#firsts[id] as number
    const isInOld = first < this.#texts[0].hashes.length
    const other = this.#texts[isInOld ? 0 : 1]
    const from = other.starts[isInOld ? first : first - this.#texts[0].hashes.length] as number
    const to = other.starts[(isInOld ? first : first - this.#texts[0].hashes.length) + 1] as number
    const { data, starts } = this.#texts[side]
    const start = starts[line] as number
    if (to - from !== (starts[line + 1] as number) - start) return false
    for (let i = 0; i < to - from; i++) if (data[start + i] !== other.data[from + i]) return false
    return true
  }
}

function countOf(numbers: Int32Array, size: number): Int32Array {
  const counts = new Int32Array(size)
  for (let i = 0; i < numbers.length; i++) (counts[numbers[i] as number] as number)++
  return counts
}

/** How many lines are the same at the beginning and at the end of two texts. */
function sameEnds(a: Comparable, b: Comparable): { head: number; tail: number } {
  const [countA, countB] = [a.hashes.length, b.hashes.length]
  const most = Math.min(countA, countB)
  let head = 0
  while (head < most && a.hashes[head] === b.hashes[head]) head++
  if (!isSamePart(a, 0, head, b, 0, head)) head = 0
  let tail = 0
  while (tail < most - head && a.hashes[countA - 1 - tail] === b.hashes[countB - 1 - tail]) tail++
  if (!isSamePart(a, countA - tail, countA, b, countB - tail, countB)) tail = 0
  return { head, tail }
}

/** Line by line: hashes alone may be equal by chance. */
function isSamePart(a: Comparable, fromA: number, toA: number, b: Comparable, fromB: number, toB: number): boolean {
  const shift = (b.starts[fromB] as number) - (a.starts[fromA] as number)
  if ((b.starts[toB] as number) - (a.starts[toA] as number) !== shift) return false
  for (let i = 0; i < toA - fromA; i++) if ((b.starts[fromB + i] as number) - (a.starts[fromA + i] as number) !== shift) return false
  return Buffer.compare(a.data.subarray(a.starts[fromA], a.starts[toA]), b.data.subarray(b.starts[fromB], b.starts[toB])) === 0
}

/** Neighbouring hashes of short lines must not fill neighbouring slots. */
function mixed(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8
}

/** The lines with what shall not count taken out, so that those alike become the same bytes. Source: git's `xdl_recmatch`. */
function canonical(lines: Lines, ignored: IgnoredSpace): Comparable {
  const data = new Uint8Array(lines.data.length)
  const starts = new Int32Array(lines.count + 1)
  const hashes = new Int32Array(lines.count)
  for (let i = 0; i < lines.count; i++) {
    starts[i + 1] = copyLine(lines.data, lines.starts[i] as number, lines.starts[i + 1] as number, data, starts[i] as number, ignored)
    let hash = HASH_START
    for (let at = starts[i] as number; at < (starts[i + 1] as number); at++) hash = (Math.imul(hash, 33) ^ (data[at] as number)) | 0
    hashes[i] = hash
  }
  return { data, starts, hashes }
}

function copyLine(from: Uint8Array, start: number, lineEnd: number, out: Uint8Array, at: number, ignored: IgnoredSpace): number {
  const end = contentEnd(from, start, lineEnd, ignored)
  let to = at
  for (let i = start; i < end; i++) {
    const isBlank = (ignored === 'all' || ignored === 'change') && isSpace(from[i] as number)
    if (!isBlank) out[to++] = from[i] as number
    else if (ignored === 'change' && (i === start || !isSpace(from[i - 1] as number))) out[to++] = BLANK
  }
  return to
}

/** Where a line ends for its comparison. A CR counts where no line break follows it. */
function contentEnd(data: Uint8Array, start: number, lineEnd: number, ignored: IgnoredSpace): number {
  let end = lineEnd
  if (ignored !== 'cr-at-eol') while (end > start && isSpace(data[end - 1] as number)) end--
  else if (data[end - 1] === LF) end -= data[end - 2] === CR && end - 2 >= start ? 2 : 1
  return end
}

function doubled(from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2)
  to.set(from)
  return to
}
