import type { Context } from '#context.ts'

/**
 * Answers about objects, which never change, kept for when they are asked for again: those asked for last, up to a weight
 * all together. Each context has its own.
 */
export class Recent<V> {
  readonly #maxWeight: number
  readonly #weigh: (value: V) => number
  readonly #kept = new WeakMap<Context, { answers: Map<string, V>; weight: number }>()

  constructor(maxWeight: number, weigh: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight
    this.#weigh = weigh
  }

  /** The answer to `question`, worked out unless it is still known. */
  async answer(context: Context, question: string, work: () => Promise<V>): Promise<V> {
    const kept = this.#kept.get(context) ?? { answers: new Map<string, V>(), weight: 0 }
    this.#kept.set(context, kept)
    const known = kept.answers.get(question)
    const answer = known ?? (await work())
    if (!kept.answers.delete(question)) kept.weight += this.#weigh(answer)
    kept.answers.set(question, answer)
    for (const [oldest, value] of kept.answers) {
      if (kept.weight <= this.#maxWeight) break
      kept.answers.delete(oldest)
      kept.weight -= this.#weigh(value)
    }
    return answer
  }
}
