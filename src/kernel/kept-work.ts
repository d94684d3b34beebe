/**
 * Results of work whose outcome its key says, to be given again. Who asks for what is being worked on waits for that. The one asked for longest ago
 * goes first.
 */
export class KeptWork<T> {
  readonly #most: number
  readonly #sizeOf: (result: T) => number
  readonly #done = new Map<string, T>()
  readonly #coming = new Map<string, Promise<T>>()
  #size = 0

  /** @param most how much is kept, in what `sizeOf` counts */
  constructor(most: number, sizeOf: (result: T) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** @throws what `work` does, of which nothing is kept */
  answer(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#done.get(key)
    if (known === undefined) return this.#coming.get(key) ?? this.#begin(key, work)
    this.#done.delete(key)
    this.#done.set(key, known)
    return Promise.resolve(known)
  }

  /** What is known already. */
  find(key: string): T | undefined {
    return this.#done.get(key)
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const coming = work()
      .then((result) => {
        this.#keep(key, result)
        return result
      })
      .finally(() => this.#coming.delete(key))
    this.#coming.set(key, coming)
    return coming
  }

  #keep(key: string, result: T): void {
    const size = this.#sizeOf(result)
    // It would push out all the others, and itself.
    if (size > this.#most) return
    this.#done.set(key, result)
    this.#size += size
    for (const [oldest, one] of this.#done) {
      if (this.#size <= this.#most) break
      this.#done.delete(oldest)
      this.#size -= this.#sizeOf(one)
    }
  }
}
