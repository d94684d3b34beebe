import { Random } from './generate-history.ts'

/** `SEED` in the environment repeats the one run that failed. */
const only = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

/**
 * Tries a property with the seeds from 1 to `count`.
 * @throws Error with the seed that breaks it, and how to see that again
 */
export async function forSeeds(count: number, property: (random: Random, seed: number) => void | Promise<void>): Promise<void> {
  const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [only]
  for (const seed of seeds) {
    try {
      await property(new Random(seed), seed)
    } catch (error) {
      throw new Error(`Seed ${seed} (SEED=${seed} repeats it): ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
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
