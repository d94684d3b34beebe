/** Which blanks do not count when lines are compared; each includes the ones after it. */
export type IgnoredSpace = 'all' | 'change' | 'at-eol' | 'cr-at-eol'

const LF = 10
const CR = 13
const BLANK = 32

/** Blanks as git's `isspace` knows them. */
export function isSpace(byte: number): boolean {
  return byte === BLANK || (byte >= 9 && byte <= 13 && byte !== 11 && byte !== 12)
}

/** A text cut into lines, which stay where they are in its bytes; each line has its line break. */
export class Lines {
  readonly data: Uint8Array
  readonly count: number
  /** Where each line begins, and behind them where the last one ends. */
  readonly starts: Int32Array

  constructor(data: Uint8Array) {
    this.data = data
    const starts = [0]
    for (let at = data.indexOf(LF); at >= 0 && at < data.length - 1; at = data.indexOf(LF, at + 1)) starts.push(at + 1)
    if (data.length > 0) starts.push(data.length)
    this.starts = Int32Array.from(starts)
    this.count = starts.length - 1
  }

  bytes(index: number): Uint8Array {
    return this.data.subarray(this.starts[index], this.starts[index + 1])
  }

  /** Whether a line has nothing on it: no byte, or with `ignored` nothing but blanks. */
  isBlank(index: number, ignored: IgnoredSpace | undefined): boolean {
    const [start, end] = [this.starts[index], this.starts[index + 1]]
    if (ignored === undefined) return end - start <= 1
    for (let at = start; at < end; at++) if (!isSpace(this.data[at])) return false
    return true
  }
}

/** Numbers lines so that equal ones have the same number; knows how often each comes in two texts. */
export class LineClasses {
  /** How often a line comes, by its number. */
  readonly counts: [before: number[], after: number[]] = [[], []]
  readonly #ignored: IgnoredSpace | undefined
  #slots = new Int32Array(1024).fill(-1)
  readonly #hashes: number[] = []
  readonly #places: { data: Uint8Array; start: number; end: number }[] = []

  constructor(ignored?: IgnoredSpace) {
    this.#ignored = ignored
  }

  /** The numbers of all lines of a text. */
  number(lines: Lines, side: 0 | 1): Int32Array {
    const { data, starts } = this.#ignored === undefined ? lines : canonical(lines, this.#ignored)
    const numbers = new Int32Array(lines.count)
    const counts = this.counts[side]
    const others = this.counts[1 - side]
    for (let i = 0; i < numbers.length; i++) {
      const id = this.#find(data, starts[i], starts[i + 1])
      if (id === counts.length) {
        counts.push(0)
        others.push(0)
      }
      counts[id]++
      numbers[i] = id
    }
    return numbers
  }

  #find(data: Uint8Array, start: number, end: number): number {
    let hash = 5381
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 33) ^ data[at]) | 0
    const mask = this.#slots.length - 1
    for (let slot = mixed(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]
      if (id < 0) return this.#add(slot, hash, data, start, end)
      if (this.#hashes[id] === hash && this.#isSame(id, data, start, end)) return id
    }
  }

  #add(slot: number, hash: number, data: Uint8Array, start: number, end: number): number {
    const id = this.#places.length
    this.#slots[slot] = id
    this.#hashes.push(hash)
    this.#places.push({ data, start, end })
    if (this.#places.length * 2 > this.#slots.length) this.#grow()
    return id
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1)
    const mask = this.#slots.length - 1
    for (let id = 0; id < this.#hashes.length; id++) {
      let slot = mixed(this.#hashes[id]) & mask
      while (this.#slots[slot] >= 0) slot = (slot + 1) & mask
      this.#slots[slot] = id
    }
  }

  #isSame(id: number, data: Uint8Array, start: number, end: number): boolean {
    const place = this.#places[id]
    if (place.end - place.start !== end - start) return false
    for (let at = start, other = place.start; at < end; at++, other++) if (data[at] !== place.data[other]) return false
    return true
  }
}

/** Neighbouring hashes of short lines must not fill neighbouring slots. */
function mixed(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8
}

/** The lines with what shall not count taken out, so that those alike become the same bytes. Source: git's `xdl_recmatch`. */
function canonical(lines: Lines, ignored: IgnoredSpace): { data: Uint8Array; starts: Int32Array } {
  const data = new Uint8Array(lines.data.length)
  const starts = new Int32Array(lines.count + 1)
  let to = 0
  for (let i = 0; i < lines.count; i++) {
    starts[i] = to
    to = copyLine(lines.data, lines.starts[i], lines.starts[i + 1], data, to, ignored)
  }
  starts[lines.count] = to
  return { data, starts }
}

function copyLine(from: Uint8Array, start: number, lineEnd: number, out: Uint8Array, at: number, ignored: IgnoredSpace): number {
  const end = contentEnd(from, start, lineEnd, ignored)
  let to = at
  for (let i = start; i < end; i++) {
    const isBlank = (ignored === 'all' || ignored === 'change') && isSpace(from[i])
    if (!isBlank) out[to++] = from[i]
    else if (ignored === 'change' && (i === start || !isSpace(from[i - 1]))) out[to++] = BLANK
  }
  return to
}

/** Where a line ends for its comparison. A CR counts where no line break follows it. */
function contentEnd(data: Uint8Array, start: number, lineEnd: number, ignored: IgnoredSpace): number {
  let end = lineEnd
  if (ignored !== 'cr-at-eol') while (end > start && isSpace(data[end - 1])) end--
  else if (data[end - 1] === LF) end -= data[end - 2] === CR && end - 2 >= start ? 2 : 1
  return end
}
