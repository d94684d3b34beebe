import { breathe, isDue } from '#kernel/breathe.ts'
import { hunksOf } from '../diff/hunks.ts'
import { changesOf, compare, type LineDiff } from '../diff/line-diff.ts'
import { Lines } from '../diff/lines.ts'
import { slideChanges } from '../diff/slide.ts'
import { runSteps, type Steps } from '../steps.ts'
import { assign } from './assignment.ts'
import type { PatchText } from './patch-text.ts'

/** How much of a patch may differ before it is rather another one, in percent of its lines; git's `--creation-factor`. */
const CREATION_FACTOR = 60
/** What pairing costs that is out of the question; git's figure. */
const OUT_OF_QUESTION = 1 << 16
const EFFORT = 50_000_000

/** Which of the new commits each of the old ones became, undefined where it became none. Source: git's `range-diff.c`. */
export async function pairCommits(old: readonly PatchText[], now: readonly PatchText[], signal?: AbortSignal): Promise<(number | undefined)[]> {
  const pairs = pairEqual(old, now)
  const taken = new Set(pairs)
  const size = old.length + now.length
  if (size === 0) return []
  const values = new Int32Array(size * size)
  const lines = new NumberedPatches([...old, ...now])
  for (const [i, text] of old.entries()) {
    for (const [j] of now.entries()) {
      const isOpen = pairs[i] === undefined && !taken.has(j)
      values[i + size * j] = pairs[i] === j ? 0 : isOpen ? await runSteps(lines.distance(i, old.length + j), signal) : OUT_OF_QUESTION
      if (isDue()) await breathe()
      signal?.throwIfAborted()
    }
    for (let j = now.length; j < size; j++) values[i + size * j] = creation(text, pairs[i] !== undefined)
  }
  for (const [j, text] of now.entries()) for (let i = old.length; i < size; i++) values[i + size * j] = creation(text, taken.has(j))
  const rowOf = assign({ size, values })
  return old.map((_, i) => ((rowOf[i] as number) < now.length ? rowOf[i] : undefined))
}

function creation({ lines }: PatchText, isPaired: boolean): number {
  return isPaired ? OUT_OF_QUESTION : Math.trunc((lines * CREATION_FACTOR) / 100)
}

/** Those whose patches are the same, whatever their messages say. */
function pairEqual(old: readonly PatchText[], now: readonly PatchText[]): (number | undefined)[] {
  const open = new Map<string, number[]>()
  for (const [i, text] of old.entries()) {
    const key = Buffer.from(patchOf(text)).toString('latin1')
    open.set(key, [...(open.get(key) ?? []), i])
  }
  const pairs: (number | undefined)[] = old.map(() => undefined)
  for (const [j, text] of now.entries()) {
    const i = open.get(Buffer.from(patchOf(text)).toString('latin1'))?.pop()
    if (i !== undefined) pairs[i] = j
  }
  return pairs
}

function patchOf({ bytes, patchStart }: PatchText): Uint8Array {
  return bytes.subarray(patchStart)
}

/** Patches whose equal lines have equal numbers, so that each line is looked at once, not for every pair. */
class NumberedPatches {
  readonly #texts: { lines: Lines; numbers: Int32Array }[]
  readonly #counts: [Int32Array, Int32Array]

  constructor(texts: readonly PatchText[]) {
    const known = new Map<string, number>()
    const numberOf = (line: Uint8Array): number => {
      const key = Buffer.from(line).toString('latin1')
      const number = known.get(key) ?? known.size
      known.set(key, number)
      return number
    }
    this.#texts = texts.map((text) => {
      const lines = new Lines(patchOf(text))
      return { lines, numbers: Int32Array.from({ length: lines.count }, (_, at) => numberOf(lines.bytes(at))) }
    })
    this.#counts = [new Int32Array(known.size), new Int32Array(known.size)]
  }

  /** Lines of the difference of two patches, and of the lines around, with one more for each hunk. */
  *distance(a: number, b: number): Steps<number> {
    const [old, now] = [this.#text(a), this.#text(b)]
    const [oldCounts, newCounts] = this.#counts
    for (const number of old.numbers) oldCounts[number] = (oldCounts[number] as number) + 1
    for (const number of now.numbers) newCounts[number] = (newCounts[number] as number) + 1
    try {
      yield* compare(old, now, this.#counts, false, { left: EFFORT })
    } finally {
      for (const number of old.numbers) oldCounts[number] = 0
      for (const number of now.numbers) newCounts[number] = 0
    }
    slideChanges(old, now)
    slideChanges(now, old)
    const [oldLines, newLines] = [this.#linesOf(a), this.#linesOf(b)]
    return countShown({ old: oldLines, new: newLines, changes: changesOf(old.changed, now.changed) })
  }

  #linesOf(at: number): Lines {
    return (this.#texts[at] as { lines: Lines }).lines
  }

  #text(at: number): { numbers: Int32Array; changed: Uint8Array } {
    const { numbers } = this.#texts[at] as { numbers: Int32Array }
    return { numbers, changed: new Uint8Array(numbers.length + 2) }
  }
}

function countShown(diff: LineDiff): number {
  let count = 0
  for (const { newStart, newEnd, changes } of hunksOf(diff)) count += 1 + newEnd - newStart + changes.reduce((sum, { oldCount }) => sum + oldCount, 0)
  return count
}
