import { test } from 'bun:test'
import { Random } from './generate-history.ts'

/** `SEED` in the environment repeats the one run that failed. */
const only = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

/** Milliseconds for a test of many cases: a machine that is busy with other things is no fault. */
export const PATIENCE = 60_000

/** A test of something that holds for whatever is made up: tries it with the seeds from 1 to `count`. One that breaks it is named. */
export function property(claim: string, count: number, holds: (random: Random, seed: number) => void | Promise<void>): void {
  const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [only]
  const tryAll = async (): Promise<void> => {
    for (const seed of seeds) {
      try {
        await holds(new Random(seed), seed)
      } catch (error) {
        throw new Error(`Seed ${seed} (SEED=${seed} repeats it): ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      }
    }
  }
  test(claim, tryAll, PATIENCE)
}

/** `items` in another order. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items]
  for (let i = left.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[left[i], left[j]] = [left[j] as T, left[i] as T]
  }
  return left
}
