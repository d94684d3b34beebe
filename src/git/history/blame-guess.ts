import type { LineChange } from '../diff/line-diff.ts'
import type { Lines } from '../diff/lines.ts'
import { type Fingerprint, fingerprintOf, similarity } from './fingerprint.ts'
import { type Chunk, matchLines } from './match-lines.ts'

/** A line elsewhere in the file must have this much in common. */
const LEAST_SIMILARITY = 10
/** Lines that are compared with one another, at most; those beyond stay unguessed. */
const MAX_COMPARISONS = 3_000_000
/** What lines are like takes many times the room of the lines: nothing is guessed in larger files. */
const MAX_BYTES = 4 << 20
const MAX_LINES = 200_000

/**
 * For lines of `after` that `changes` put there, the line of `before` that each may have been: the most similar one of those that it took
 * the place of, in order, else the most similar one of the whole file. Source: git's `guess_line_blames`.
 */
export function guessLines(before: Lines, after: Lines, changes: readonly LineChange[]): Map<number, number> {
  const guesses = new Map<number, number>()
  if ([before, after].some(({ data, count }) => data.length > MAX_BYTES || count > MAX_LINES)) return guesses
  const old = Array.from({ length: before.count }, (_, line) => fingerprintOf(before, line))
  let left = MAX_COMPARISONS
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    if (newCount === 0) continue
    const prints = Array.from({ length: newCount }, (_, i) => fingerprintOf(after, newStart + i))
    const chunk: Chunk = { oldStart, newStart, old: old.slice(oldStart, oldStart + oldCount), new: prints }
    const matches = matchLines(chunk)
    for (let i = 0; i < newCount; i++) {
      const isFar = (matches[i] as number) < 0 && (left -= old.length) >= 0
      const guess = isFar ? mostSimilar(old, prints[i] as Fingerprint, newStart + i) : (matches[i] as number)
      if (guess >= 0) guesses.set(newStart + i, guess)
    }
  }
  return guesses
}

/** Of equally similar ones the nearest; -1 when there is none. */
function mostSimilar(lines: readonly Fingerprint[], wanted: Fingerprint, near: number): number {
  let best = -1
  let bestSimilarity = LEAST_SIMILARITY
  for (let line = 0; line < lines.length; line++) {
    const shared = similarity(wanted, lines[line] as Fingerprint)
    if (shared < bestSimilarity) continue
    if (shared === bestSimilarity && best >= 0 && Math.abs(best - near) < Math.abs(line - near)) continue
    bestSimilarity = shared
    best = line
  }
  return best
}
