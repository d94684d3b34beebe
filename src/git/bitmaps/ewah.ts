import { GitError } from '../errors.ts'
import type { Bitset } from './bitset.ts'

/**
 * Compressed bitmaps: a count of bits, a count of words of 64 bits, the words, and the place of the last word that tells of a run. Such a word has, from
 * its lowest bit, the bit that is repeated, 32 bits with how many words are full of it, and 31 with how many follow as they are.
 * Source: `Documentation/gitformat-bitmap.txt`, "Appendix A: Serialization format for an EWAH bitmap".
 */
const HEAD_BYTES = 8
const WORD_BYTES = 8
const TAIL_BYTES = 4

/** Where the bitmap that begins at `at` ends; it must before `end`. @throws GitError `corrupt` */
export function ewahEnd(view: DataView, at: number, end: number): number {
  if (at + HEAD_BYTES > end) throw corruptEwah('it is truncated')
  const after = at + HEAD_BYTES + view.getUint32(at + 4) * WORD_BYTES + TAIL_BYTES
  if (after > end) throw corruptEwah('it is truncated')
  return after
}

/**
 * Flips in `into` the bits that are set in the bitmap at `at`, which `ewahEnd` found to be whole.
 * @param size how many bits `into` has: none behind them may be set
 * @throws GitError `corrupt`
 */
export function flipEwah(view: DataView, at: number, into: Bitset, size: number): void {
  const { words } = into
  const end = at + HEAD_BYTES + view.getUint32(at + 4) * WORD_BYTES
  let word = 0
  for (let next = at + HEAD_BYTES; next < end; ) {
    const high = view.getUint32(next)
    const low = view.getUint32(next + 4)
    next += WORD_BYTES
    const run = 2 * ((low >>> 1) + (high & 1) * 2 ** 31)
    if ((low & 1) !== 0) flipRun(words, word, run)
    word += run
    const literals = high >>> 1
    if (literals * WORD_BYTES > end - next) throw corruptEwah('it is truncated')
    for (const last = next + literals * WORD_BYTES; next < last; next += WORD_BYTES) {
      flipWord(words, word++, view.getUint32(next + 4))
      flipWord(words, word++, view.getUint32(next))
    }
  }
  if (hasBitsBehind(words, size)) throw corruptEwah(`it has more than ${size} bits`)
}

function flipRun(words: Uint32Array, from: number, length: number): void {
  if (from + length > words.length) throw corruptEwah('it has more bits than there are objects')
  for (let i = from; i < from + length; i++) words[i] = ~(words[i] as number)
}

function flipWord(words: Uint32Array, word: number, bits: number): void {
  if (word < words.length) words[word] = (words[word] as number) ^ bits
  else if (bits !== 0) throw corruptEwah('it has more bits than there are objects')
}

function hasBitsBehind(words: Uint32Array, size: number): boolean {
  for (let i = size >>> 5; i < words.length; i++) {
    const kept = i === size >>> 5 ? size & 31 : 0
    if ((words[i] as number) >>> kept !== 0) return true
  }
  return false
}

function corruptEwah(reason: string): GitError {
  return new GitError('corrupt', `Cannot read bitmap: ${reason}`)
}

/** What `encodeEwah` writes to, for bitmaps of the same size. */
let room = Buffer.alloc(0)

/** The bits as an EWAH bitmap; good until the next is made. */
export function encodeEwah({ words }: Bitset): Uint8Array {
  const pairs = words.length / 2
  // At worst every other word is of a run, and tells of itself and of one that lies as it is.
  const most = HEAD_BYTES + (pairs + 1) * WORD_BYTES + TAIL_BYTES
  if (room.length < most) room = Buffer.allocUnsafeSlow(most)
  const out = room
  let at = HEAD_BYTES
  let tellerAt = at
  for (let pair = 0; pair < pairs || at === HEAD_BYTES; ) {
    const full = runBit(words, pair)
    const runEnd = full === undefined ? pair : endOfRun(words, pair, full)
    const literalsEnd = endOfRun(words, runEnd, undefined)
    const run = runEnd - pair
    const literals = literalsEnd - runEnd
    tellerAt = at
    at = out.writeUInt32BE(literals * 2 + (run >= 2 ** 31 ? 1 : 0), at)
    at = out.writeUInt32BE((run % 2 ** 31) * 2 + (full === ONES ? 1 : 0), at)
    for (let next = runEnd; next < literalsEnd; next++) {
      at = out.writeUInt32BE(words[2 * next + 1] as number, at)
      at = out.writeUInt32BE(words[2 * next] as number, at)
    }
    pair = literalsEnd
  }
  out.writeUInt32BE(pairs * 64, 0)
  out.writeUInt32BE((at - HEAD_BYTES) / WORD_BYTES, 4)
  at = out.writeUInt32BE((tellerAt - HEAD_BYTES) / WORD_BYTES, at)
  return out.subarray(0, at)
}

const ONES = 0xffffffff

/** What 32 bits of a pair of words are when the other half is the same and they are all 0 or all 1; undefined otherwise. */
function runBit(words: Uint32Array, pair: number): number | undefined {
  const low = words[2 * pair] as number
  return (low === 0 || low === ONES) && words[2 * pair + 1] === low ? low : undefined
}

/** Where the pairs end that are, from `from` on, all of one kind. */
function endOfRun(words: Uint32Array, from: number, kind: number | undefined): number {
  let end = from
  while (2 * end < words.length && runBit(words, end) === kind) end++
  return end
}
