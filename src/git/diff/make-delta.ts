/** Bytes of the base that are looked up at once. */
const WINDOW = 16
const MULTIPLIER = 0x01000193
const LEAST_COPY = 4
const GOOD_COPY = 4096
const MAX_COPY = 0x10000
const MAX_LITERAL = 0x7f
/** Places of one hash that are tried. */
const MAX_TRIES = 64

/** What `MULTIPLIER` does to a byte that leaves the window. */
const leaving = power(MULTIPLIER, WINDOW)

/**
 * A delta that makes `target` of `base`: copies of what 16-byte blocks of the base have in common with it, and literals.
 * Source: `Documentation/gitformat-pack.txt`, "Deltified representation".
 */
export function makeDelta(base: Uint8Array, target: Uint8Array): Uint8Array {
  const out: number[] = [...sizeBytes(base.length), ...sizeBytes(target.length)]
  const blocks = indexBlocks(base)
  let literalFrom = 0
  let at = 0
  let hash = hashAt(target, 0)
  while (at < target.length) {
    const match = at + WINDOW <= target.length ? longestMatch(base, target, at, blocks.get(hash)) : undefined
    if (match === undefined || match.length < LEAST_COPY) {
      hash = (Math.imul(hash, MULTIPLIER) + (target[at + WINDOW] ?? 0) - Math.imul(leaving, target[at] as number)) | 0
      at++
      continue
    }
    while (at > literalFrom && match.from > 0 && base[match.from - 1] === target[at - 1]) {
      at--
      match.from--
      match.length++
    }
    pushLiterals(out, target, literalFrom, at)
    pushCopies(out, match.from, match.length)
    at += match.length
    literalFrom = at
    hash = hashAt(target, at)
  }
  pushLiterals(out, target, literalFrom, target.length)
  return Uint8Array.from(out)
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base)
  return result
}

function hashAt(data: Uint8Array, at: number): number {
  let hash = 0
  for (let i = 0; i < WINDOW; i++) hash = (Math.imul(hash, MULTIPLIER) + (data[at + i] ?? 0)) | 0
  return hash
}

function indexBlocks(base: Uint8Array): Map<number, number[]> {
  const blocks = new Map<number, number[]>()
  for (let at = 0; at + WINDOW <= base.length; at += WINDOW) {
    const hash = hashAt(base, at)
    const places = blocks.get(hash)
    if (places === undefined) blocks.set(hash, [at])
    else if (places.length < MAX_TRIES) places.push(at)
  }
  return blocks
}

function longestMatch(base: Uint8Array, target: Uint8Array, at: number, places: readonly number[] = []): { from: number; length: number } | undefined {
  let best: { from: number; length: number } | undefined
  for (const from of places) {
    let length = 0
    while (from + length < base.length && at + length < target.length && base[from + length] === target[at + length]) length++
    if (best === undefined || length > best.length) best = { from, length }
    if (length >= GOOD_COPY) break
  }
  return best
}

function sizeBytes(size: number): number[] {
  const bytes: number[] = []
  let left = size
  for (; left >= 0x80; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return [...bytes, left]
}

function pushLiterals(out: number[], target: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += MAX_LITERAL) {
    const end = Math.min(to, at + MAX_LITERAL)
    out.push(end - at)
    for (let i = at; i < end; i++) out.push(target[i] as number)
  }
}

function pushCopies(out: number[], from: number, length: number): void {
  for (let done = 0; done < length; done += MAX_COPY) pushCopy(out, from + done, Math.min(MAX_COPY, length - done))
}

/** Bytes that are zero are left out; no size at all is 64 KiB. */
function pushCopy(out: number[], from: number, size: number): void {
  const command = out.push(0x80) - 1
  const put = (byte: number, bit: number): void => {
    if (byte === 0) return
    out[command] = (out[command] as number) | bit
    out.push(byte)
  }
  for (let i = 0; i < 4; i++) put(Math.floor(from / 256 ** i) % 256, 1 << i)
  if (size === MAX_COPY) return
  for (let i = 0; i < 2; i++) put((size >> (8 * i)) & 0xff, 0x10 << i)
}
