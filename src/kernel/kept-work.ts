import { Asker, currentAsker, onBehalfOf } from './askers.ts'
import { LruMap } from './lru-map.ts'
import { mainTurns } from './turns.ts'

/** What lacks something is made again after so many times as long as it took: each time costs a thread, on a machine that may have too much to do. */
const REST = 30

interface Kept<T> {
  result: T
  /** In milliseconds of `performance.now`. */
  until: number
}

/**
 * Results of work whose outcome its key says, to be given again. Who asks for what is being worked on waits for that, and it ends when all of them
 * have left. The one asked for longest ago goes first. Where something had to be left out for want of time, the key does not say it all: that is kept
 * for a while alone.
 */
export class KeptWork<T> {
  readonly #isWhole: (result: T) => boolean
  readonly #done: LruMap<string, Kept<T>>
  readonly #coming = new Map<string, { result: Promise<T>; askers: Asker }>()

  /**
   * @param most how much is kept, in what `sizeOf` counts
   * @param isWhole whether more time would have come to the same
   */
  constructor(most: number, sizeOf: (result: T) => number, isWhole: (result: T) => boolean = () => true) {
    this.#isWhole = isWhole
    this.#done = new LruMap(most, { sizeOf: ({ result }) => sizeOf(result) })
  }

  /** @throws what `work` does, of which nothing is kept */
  answer(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.find(key)
    return known === undefined ? (this.#join(key) ?? this.#begin(key, work)) : Promise.resolve(known)
  }

  /** What is known already. */
  find(key: string): T | undefined {
    const known = this.#done.get(key)
    return known && performance.now() < known.until ? known.result : undefined
  }

  #join(key: string): Promise<T> | undefined {
    const coming = this.#coming.get(key)
    // What all have left is not waited for.
    if (!coming || coming.askers.signal.aborted) return undefined
    coming.askers.join(currentAsker())
    return mainTurns.share(coming.result)
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const askers = new Asker()
    askers.join(currentAsker())
    const began = performance.now()
    const result = onBehalfOf(askers, work)
      .then((result) => {
        // What is left out for those who have gone is not for others.
        if (!askers.signal.aborted) this.#done.set(key, { result, until: this.#isWhole(result) ? Number.POSITIVE_INFINITY : restedFrom(began) })
        return result
      })
      .finally(() => this.#coming.get(key) === coming && this.#coming.delete(key))
    const coming = { result, askers }
    this.#coming.set(key, coming)
    return result
  }
}

/** When what was begun then, and is done now, has rested. */
function restedFrom(began: number): number {
  const now = performance.now()
  return now + REST * (now - began)
}
