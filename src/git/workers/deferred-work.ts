import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import type { LargeTransfers } from './large-transfers.ts'

/** What took longer leaves memory behind that the system gets back only some time after it was collected: the next waits for twice as long as that took. */
const LONG_MS = 250
const MOST_REST_MS = 3000

/**
 * Work that can wait, and may be long. It is done one piece at a time, for a commit-graph and a survey beside one another take the memory of both and
 * keep two threads from whoever waits; once no large pack is on its way; and with a rest after each long piece.
 */
export class DeferredWork {
  readonly #transfers: LargeTransfers
  readonly #turns = new KeyedMutex<'one'>()

  constructor(transfers: LargeTransfers) {
    this.#transfers = transfers
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    const asked = performance.now()
    return this.#turns.run('one', async () => {
      await this.#transfers.quiet(asked)
      const begun = performance.now()
      try {
        return await work()
      } finally {
        const took = performance.now() - begun
        if (took > LONG_MS) this.#transfers.rest(Math.min(2 * took, MOST_REST_MS))
      }
    })
  }
}
