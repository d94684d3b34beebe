/** A smaller pack is through before anybody notices what else is done. */
const LARGE_BYTES = 16 * 1024 * 1024

export interface Waits {
  /** How long nothing large must have moved. Clients still work on what they got: more may be asked for. */
  quietMs: number
  /** What can wait does so for no longer, however much moves. */
  longestMs: number
  /** How often to look. */
  lookMs: number
}

/** One pack on its way. */
export interface Transfer {
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
      move: (bytes) => {
        moved += bytes
        if (moved > LARGE_BYTES) this.#underWay.add(transfer)
      },
      end: () => {
        if (this.#underWay.delete(transfer)) this.#ended = performance.now()
      },
    }
    return transfer
  }

  /** Has what can wait do so for so long in any case. */
  rest(milliseconds: number): void {
    this.#restsUntil = performance.now() + milliseconds
  }

  /** Whether `quiet` would wait. */
  get areNear(): boolean {
    const now = performance.now()
    return !this.#isOver && (this.#underWay.size > 0 || now - this.#ended < this.#waits.quietMs || now < this.#restsUntil)
  }

  /**
   * Resolves when none has been under way for a while, or it has taken too long.
   * @param since when the waiting began, on the clock of `performance.now`: of many that come one after another each would else wait its full time anew
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
