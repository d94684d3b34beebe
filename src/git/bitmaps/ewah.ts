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
  if (at + HEAD_BYTES > end) throw corruptEwah('it is cut off')
  const after = at + HEAD_BYTES + view.getUint32(at + 4) * WORD_BYTES + TAIL_BYTES
  if (after > end) throw corruptEwah('it is cut off')
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
    const [high, low] = [view.getUint32(next), view.getUint32(next + 4)]
    next += WORD_BYTES
    const run = 2 * ((low >>> 1) + (high & 1) * 2 ** 31)
    if ((low & 1) !== 0) flipRun(words, word, run)
    word += run
    const literals = high >>> 1
    if (literals * WORD_BYTES > end - next) throw corruptEwah('it is cut off')
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
