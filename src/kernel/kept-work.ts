import { Asker, currentAsker, onBehalfOf } from './askers.ts'

/**
 * Results of work whose outcome its key says, to be given again. Who asks for what is being worked on waits for that, and it ends when all of them
 * have left. The one asked for longest ago goes first.
 */
export class KeptWork<T> {
  readonly #most: number
  readonly #sizeOf: (result: T) => number
  readonly #done = new Map<string, T>()
  readonly #coming = new Map<string, { result: Promise<T>; askers: Asker }>()
  #size = 0

  /** @param most how much is kept, in what `sizeOf` counts */
  constructor(most: number, sizeOf: (result: T) => number) {
    this.#most = most
    this.#sizeOf = sizeOf
  }

  /** @throws what `work` does, of which nothing is kept */
  answer(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#done.get(key)
    if (known === undefined) return this.#join(key) ?? this.#begin(key, work)
    this.#done.delete(key)
    this.#done.set(key, known)
    return Promise.resolve(known)
  }

  /** What is known already. */
  find(key: string): T | undefined {
    return this.#done.get(key)
  }

  #join(key: string): Promise<T> | undefined {
    const coming = this.#coming.get(key)
    // What all have left is not waited for.
    if (!coming || coming.askers.signal.aborted) return undefined
    coming.askers.join(currentAsker())
    return coming.result
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const askers = new Asker()
    askers.join(currentAsker())
    const result = onBehalfOf(askers, work)
      .then((result) => {
        // What is left out for those who have gone is not for others.
        if (!askers.signal.aborted) this.#keep(key, result)
        return result
      })
      .finally(() => this.#coming.get(key) === coming && this.#coming.delete(key))
    const coming = { result, askers }
    this.#coming.set(key, coming)
    return result
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
