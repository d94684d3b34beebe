/** Bytes of the base that are looked up at once. */
const WINDOW = 16
const MULTIPLIER = 0x01000193
const GOOD_COPY = 4096
const MAX_COPY = 0x10000
const MAX_LITERAL = 0x7f
/** Places of one hash that are tried. */
const MAX_TRIES = 64
/** What both begin or end with is worth a copy of its own from here on. */
const LEAST_END = 8
/** To index a base takes as long as it is: what is to be made of it and so many times shorter is written as it stands. */
const SHORT_MIDDLE = 128
/** The index of a larger base is not kept for the next. */
const MAX_SHARED = 1024 * 1024

/** What `MULTIPLIER` does to a byte that leaves the window. */
const leaving = power(MULTIPLIER, WINDOW)

/**
 * A delta that makes `target` of `base`: copies of what both begin and end with, and between these of what 16-byte blocks of the base have in
 * common with the target; and literals.
 * Source: `Documentation/gitformat-pack.txt`, "Deltified representation".
 * @param most how many bytes it may have
 * @returns undefined when it would have more
 */
export function makeDelta(base: Uint8Array, target: Uint8Array, most = Number.POSITIVE_INFINITY): Uint8Array | undefined {
  const out = new DeltaWriter()
  out.size(base.length)
  out.size(target.length)
  const shorter = Math.min(base.length, target.length)
  const head = unlessBrief(commonLength(base, 0, target, 0, shorter))
  const tail = unlessBrief(commonEnd(base, base.length, target, target.length, shorter - head))
  out.copies(0, head)
  if (!writeMiddle(out, base.subarray(0, base.length - tail), target, head, target.length - tail, most)) return undefined
  out.copies(base.length - tail, tail)
  return out.length <= most ? out.bytes() : undefined
}

/** Writes what makes `target[from, to)`, of what `base` has from there on; false when that became too long. */
function writeMiddle(out: DeltaWriter, base: Uint8Array, target: Uint8Array, from: number, to: number, most: number): boolean {
  const isShort = to - from < Math.max(WINDOW, (base.length - from) / SHORT_MIDDLE)
  const blocks = isShort || base.length - from < WINDOW ? undefined : BlockIndex.of(base, from)
  let literalFrom = from
  let at = from
  let hash = blocks ? hashAt(target, at) : 0
  while (blocks && at + WINDOW <= to) {
    const length = blocks.mayHave(hash) ? blocks.find(target, at, to, hash) : 0
    if (length < WINDOW) {
      // What comes behind the end is not looked at.
      hash = (Math.imul(hash, MULTIPLIER) + (target[at + WINDOW] as number) - Math.imul(leaving, target[at] as number)) | 0
      at++
      continue
    }
    const before = commonEnd(base, blocks.place, target, at, Math.min(blocks.place, at - literalFrom))
    out.literals(target, literalFrom, at - before)
    out.copies(blocks.place - before, before + length)
    at += length
    literalFrom = at
    if (out.length > most) return false
    if (at + WINDOW <= to) hash = hashAt(target, at)
  }
  out.literals(target, literalFrom, to)
  return out.length <= most
}

/** The blocks of one base by their hashes: in arrays that all of a thread's bases share one after another, for there are very many. */
class BlockIndex {
  /** Where the longest match of the last question begins. */
  place = 0
  #base: Uint8Array = new Uint8Array()
  /** Where its first block begins. */
  #start = 0
  /** By hash, and by block for others of that hash: a block's number plus one. */
  #first = new Int32Array()
  #next = new Int32Array()
  #hashes = new Int32Array()
  #mask = 0

  static readonly #shared = new BlockIndex()

  /** The index of `base` from `start` on, until it is asked for another one. */
  static of(base: Uint8Array, start: number): BlockIndex {
    const index = base.length <= MAX_SHARED ? BlockIndex.#shared : new BlockIndex()
    index.#fill(base, start)
    return index
  }

  #fill(base: Uint8Array, start: number): void {
    const count = Math.floor((base.length - start) / WINDOW)
    const size = 2 ** Math.ceil(Math.log2(2 * count))
    if (size > this.#first.length) {
      this.#first = new Int32Array(size)
      this.#next = new Int32Array(size)
      this.#hashes = new Int32Array(size)
    }
    this.#base = base
    this.#start = start
    this.#mask = size - 1
    this.#first.fill(0, 0, size)
    // Backwards, so that the first of a base is tried first; of neighbours that are the same, the first alone is worth a try.
    let after = Number.NaN
    for (let block = count - 1; block >= 0; block--) {
      const hash = hashAt(base, start + block * WINDOW)
      const slot = slotOf(hash, this.#mask)
      const known = this.#first[slot] as number
      this.#hashes[block] = hash
      this.#next[block] = hash === after && known === block + 2 ? (this.#next[block + 1] as number) : known
      this.#first[slot] = block + 1
      after = hash
    }
  }

  /** Whether it is worth to look for a block of that hash: of most there is none. */
  mayHave(hash: number): boolean {
    return this.#first[slotOf(hash, this.#mask)] !== 0
  }

  /** How long the base has what `target[at, to)` begins with, whose hash is given: see `place`. 0 when it has not even a block of it. */
  find(target: Uint8Array, at: number, to: number, hash: number): number {
    let longest = 0
    let tries = MAX_TRIES
    for (let block = (this.#first[slotOf(hash, this.#mask)] as number) - 1; block >= 0 && tries > 0; block = (this.#next[block] as number) - 1) {
      tries--
      if (this.#hashes[block] !== hash) continue
      const place = this.#start + block * WINDOW
      const length = commonLength(this.#base, place, target, at, Math.min(this.#base.length - place, to - at))
      if (length <= longest) continue
      longest = length
      this.place = place
      if (length >= GOOD_COPY) break
    }
    return longest
  }
}

class DeltaWriter {
  length = 0
  #bytes = Buffer.allocUnsafeSlow(256)

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  size(size: number): void {
    let left = size
    for (; left >= 0x80; left = Math.floor(left / 128)) this.#byte((left % 128) | 0x80)
    this.#byte(left)
  }

  literals(from: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at += MAX_LITERAL) {
      const length = Math.min(end - at, MAX_LITERAL)
      this.#byte(length)
      this.#reserve(length)
      this.#bytes.set(from.subarray(at, at + length), this.length)
      this.length += length
    }
  }

  copies(from: number, length: number): void {
    for (let done = 0; done < length; done += MAX_COPY) this.#copy(from + done, Math.min(MAX_COPY, length - done))
  }

  /** Bytes that are zero are left out; no size at all is 64 KiB. */
  #copy(from: number, size: number): void {
    const at = this.length
    let command = 0x80
    this.#byte(command)
    const put = (byte: number, bit: number): void => {
      if (byte === 0) return
      command |= bit
      this.#byte(byte)
    }
    for (let i = 0; i < 4; i++) put((from >>> (8 * i)) & 0xff, 1 << i)
    if (size < MAX_COPY) for (let i = 0; i < 2; i++) put((size >>> (8 * i)) & 0xff, 0x10 << i)
    this.#bytes[at] = command
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = byte
  }

  #reserve(length: number): void {
    if (this.length + length <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(2 * Math.max(length, this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}

function unlessBrief(length: number): number {
  return length < LEAST_END ? 0 : length
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base)
  return result
}

/** Of the block that begins at `at`, which must be whole. */
function hashAt(data: Uint8Array, at: number): number {
  let hash = 0
  for (let i = 0; i < WINDOW; i++) hash = (Math.imul(hash, MULTIPLIER) + (data[at + i] as number)) | 0
  return hash
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask
}

/** How many of at most `most` bytes are the same from both places on. */
function commonLength(a: Uint8Array, atA: number, b: Uint8Array, atB: number, most: number): number {
  let length = 0
  while (length < most && a[atA + length] === b[atB + length]) length++
  return length
}

/** How many of at most `most` bytes are the same before both ends. */
function commonEnd(a: Uint8Array, endA: number, b: Uint8Array, endB: number, most: number): number {
  let length = 0
  while (length < most && a[endA - length - 1] === b[endB - length - 1]) length++
  return length
}
