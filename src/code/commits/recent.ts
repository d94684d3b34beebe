import { LruMap } from '#kernel/lru-map.ts'

/** Answers about objects, which never change, kept for when they are asked for again. */
export class Recent<V> {
  readonly #answers: LruMap<string, V>

  /** @param maxWeight of all answers together, in what `weigh` counts: by default one for each */
  constructor(maxWeight: number, weigh?: (value: V) => number) {
    this.#answers = new LruMap(maxWeight, weigh ? { sizeOf: weigh } : {})
  }

  /** The answer to `question`, worked out unless it is still known. */
  async answer(question: string, work: () => Promise<V>): Promise<V> {
    const known = this.#answers.get(question)
    if (known !== undefined) return known
    const answer = await work()
    this.#answers.set(question, answer)
    return answer
  }
}
