/**
 * Answers about objects, which never change, kept for when they are asked for again: those asked for last, up to a weight
 * all together.
 */
export class Recent<V> {
  readonly #maxWeight: number
  readonly #weigh: (value: V) => number
  /** The one asked for longest ago first. */
  readonly #answers = new Map<string, V>()
  #weight = 0

  constructor(maxWeight: number, weigh: (value: V) => number = () => 1) {
    this.#maxWeight = maxWeight
    this.#weigh = weigh
  }

  /** The answer to `question`, worked out unless it is still known. */
  async answer(question: string, work: () => Promise<V>): Promise<V> {
    const answer = this.#answers.get(question) ?? (await work())
    if (!this.#answers.delete(question)) this.#weight += this.#weigh(answer)
    this.#answers.set(question, answer)
    for (const [oldest, value] of this.#answers) {
      if (this.#weight <= this.#maxWeight) break
      this.#answers.delete(oldest)
      this.#weight -= this.#weigh(value)
    }
    return answer
  }
}
