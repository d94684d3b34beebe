import { Problem } from './errors.ts'

/** How slowly a peer may send or take: fewer than `bytes` within `seconds` of waiting for it, and it is not waited for any longer. */
export interface Pace {
  seconds: number
  bytes: number
}

/** A peer kept the server waiting: its request ends here. */
export class TooSlow extends Problem {
  constructor({ seconds, bytes }: Pace) {
    super(408, `The request is too slow: fewer than ${bytes} bytes in ${seconds} seconds`, { headers: { Connection: 'close' } })
  }
}

/** How long a peer is waited for that takes an answer. */
export interface Reader {
  /** Waits for the peer's next step, which takes `bytes`. @throws TooSlow when the peer is not waited for any longer */
  waitFor(step: Promise<void>, bytes: number): Promise<void>
}

/**
 * Watches one peer's progress. Only the time that is spent waiting for the peer counts, not what the server does meanwhile.
 */
export class Progress implements Reader {
  readonly #pace: Pace
  #waited = 0
  #moved = 0

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /**
   * Waits for the peer's next step.
   * @param bytesOf what the step moved
   * @throws TooSlow when the peer has moved too little for too long; the step is then nobody's any more
   */
  async wait<T>(step: Promise<T>, bytesOf: (result: T) => number): Promise<T> {
    const { seconds, bytes } = this.#pace
    const began = performance.now()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new TooSlow(this.#pace)), Math.max(0, seconds * 1000 - this.#waited))
    try {
      const result = await Promise.race([step, late])
      this.#waited += performance.now() - began
      this.#moved += bytesOf(result)
      if (this.#moved >= bytes) this.#waited = this.#moved = 0
      return result
    } finally {
      clearTimeout(timer)
    }
  }

  waitFor(step: Promise<void>, bytes: number): Promise<void> {
    return this.wait(step, () => bytes)
  }
}
