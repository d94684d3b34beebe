import { Asker, currentAsker, onBehalfOf } from './askers.ts'
import { LruMap } from './lru-map.ts'

/**
 * Results of work whose outcome its key says, to be given again. Who asks for what is being worked on waits for that, and it ends when all of them
 * have left. The one asked for longest ago goes first.
 */
export class KeptWork<T> {
  readonly #done: LruMap<string, T>
  readonly #coming = new Map<string, { result: Promise<T>; askers: Asker }>()

  /** @param most how much is kept, in what `sizeOf` counts */
  constructor(most: number, sizeOf: (result: T) => number) {
    this.#done = new LruMap(most, { sizeOf })
  }

  /** @throws what `work` does, of which nothing is kept */
  answer(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#done.get(key)
    return known === undefined ? (this.#join(key) ?? this.#begin(key, work)) : Promise.resolve(known)
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
        if (!askers.signal.aborted) this.#done.set(key, result)
        return result
      })
      .finally(() => this.#coming.get(key) === coming && this.#coming.delete(key))
    const coming = { result, askers }
    this.#coming.set(key, coming)
    return result
  }
}
