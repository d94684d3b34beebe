import { roughRoot } from './myers.ts'

/** How a line fares in the other text. */
const NOWHERE = 0
const SOMEWHERE = 1
const EVERYWHERE = 2

/** A line is everywhere when it comes more often than the root of the number of lines, or than this. */
const MAX_OFTEN = 1024
/** How far around a line that is everywhere its neighbours are looked at. */
const WINDOW = 100
const RUN = 4

/** Part of a text: from its first to behind its last line that may have changed. */
export interface Span {
  numbers: Int32Array
  start: number
  end: number
}

/**
 * The lines of `span` that are worth comparing, by their place in the text. The others go to `changed` at once: those that
 * the other text does not have, and those it has so often that they tell nothing among such. Source: git's `xdl_cleanup_records`.
 * @param counts how often each line comes in the other text
 */
export function keepTelling(span: Span, counts: Int32Array, changed: Uint8Array): Int32Array {
  const { numbers, start, end } = span
  const often = Math.min(roughRoot(numbers.length), MAX_OFTEN)
  const kinds = new Uint8Array(end - start)
  for (let i = start; i < end; i++) {
    const count = counts[numbers[i] as number] as number
    kinds[i - start] = count === 0 ? NOWHERE : count >= often ? EVERYWHERE : SOMEWHERE
  }
  const kept = new Int32Array(kinds.length)
  let size = 0
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] === SOMEWHERE || (kinds[i] === EVERYWHERE && !isAmongStrangers(kinds, i))) kept[size++] = start + i
    else changed[start + i] = 1
  }
  return kept.subarray(0, size)
}

/** Whether the lines around, up to the next that is somewhere, are mostly nowhere. */
function isAmongStrangers(kinds: Uint8Array, at: number): boolean {
  const before = countRun(kinds, at, -1)
  if (before.nowhere === 0) return false
  const after = countRun(kinds, at, 1)
  if (after.nowhere === 0) return false
  const everywhere = before.everywhere + after.everywhere + 2
  return everywhere * RUN < everywhere + before.nowhere + after.nowhere
}

function countRun(kinds: Uint8Array, at: number, step: 1 | -1): { nowhere: number; everywhere: number } {
  const run = { nowhere: 0, everywhere: 0 }
  for (let distance = 1; distance <= WINDOW; distance++) {
    const kind = kinds[at + step * distance]
    if (kind === NOWHERE) run.nowhere++
    else if (kind === EVERYWHERE) run.everywhere++
    else break
  }
  return run
}
