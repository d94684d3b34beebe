/** A smaller pack is through before anybody notices what else is done. */
const LARGE_BYTES = 16 * 1024 * 1024

export interface Waits {
  /** How long nothing large must have moved: clients still unpack what they got, and may ask for more. */
  quietMs: number
  /** The longest that anything waits, however much moves. */
  longestMs: number
  /** How often is looked whether the wait is over. */
  lookMs: number
}

/** What passes between one call and its client. It counts once it turns out to be large. */
export interface Transfer {
  readonly isLarge: boolean
  move(bytes: number): void
  end(): void
}

/**
 * Large packs that are sent or taken in. What only makes later work easier waits for them: beside a push of 300 MB, or the first clones after it, a
 * commit-graph and a survey of languages would take memory and processors from those who wait.
 */
export class LargeTransfers {
  readonly #waits: Waits
  readonly #underWay = new Set<Transfer>()
  /** When the last one ended, on the clock of `performance.now`. */
  #ended = Number.NEGATIVE_INFINITY
  #restsUntil = Number.NEGATIVE_INFINITY
  #isOver = false

  constructor(waits: Waits = { quietMs: 10_000, longestMs: 60_000, lookMs: 200 }) {
    this.#waits = waits
  }

  begin(): Transfer {
    let moved = 0
    const transfer: Transfer = {
      get isLarge() {
        return moved > LARGE_BYTES
      },
      move: (bytes) => {
        moved += bytes
        if (transfer.isLarge) this.#underWay.add(transfer)
      },
      end: () => {
        if (this.#underWay.delete(transfer)) this.#ended = performance.now()
      },
    }
    return transfer
  }

  /** Makes deferred work wait for so long, whether or not anything moves. */
  rest(milliseconds: number): void {
    this.#restsUntil = performance.now() + milliseconds
  }

  /** Whether `quiet` would wait. */
  get areNear(): boolean {
    const now = performance.now()
    return !this.#isOver && (this.#underWay.size > 0 || now - this.#ended < this.#waits.quietMs || now < this.#restsUntil)
  }

  /**
   * Resolves when no large transfer has been under way for a while, or the longest wait is over.
   * @param since when the caller began to wait, on the clock of `performance.now`: those that wait one behind another share one longest wait
   */
  async quiet(since = performance.now()): Promise<void> {
    const until = since + this.#waits.longestMs
    while (this.areNear && performance.now() < until) await Bun.sleep(this.#waits.lookMs)
  }

  /** Nothing waits any longer: the server is stopping. */
  stop(): void {
    this.#isOver = true
  }
}
