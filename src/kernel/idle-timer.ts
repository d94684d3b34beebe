/** After so many milliseconds in which nobody asked, what is kept for whoever asks again is given back. */
const IDLE_MS = 60_000

/** Acts once nothing has been asked for during a whole minute. To say that something was costs no timer of its own. */
export class IdleTimer implements Disposable {
  readonly #act: () => void
  readonly #idleMs: number
  #timer: Timer | undefined
  #wasAsked = false

  constructor(act: () => void, idleMs = IDLE_MS) {
    this.#act = act
    this.#idleMs = idleMs
  }

  /** Something was asked for. */
  touch(): void {
    this.#wasAsked = true
    this.#timer ??= this.#start()
  }

  #start(): Timer {
    return setTimeout(() => {
      this.#timer = this.#wasAsked ? this.#start() : undefined
      if (this.#timer === undefined) this.#act()
      this.#wasAsked = false
    }, this.#idleMs).unref()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
