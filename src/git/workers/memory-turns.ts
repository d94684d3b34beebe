/**
 * Memory that all threads of the process share, in bytes: whoever needs much of it asks first, and it is granted in the order of asking, for as long
 * as there is some left. Who asks for all of it or more has it alone. It waits for nobody itself: holders are objects, told apart by identity,
 * each holds once at a time, and `grant` is called once what was asked for is theirs.
 */
export class MemoryTurns<Holder> {
  readonly #grant: (holder: Holder) => void
  readonly #waiting: { holder: Holder; bytes: number }[] = []
  readonly #held = new Map<Holder, number>()
  readonly #all: number
  #left: number

  constructor(bytes: number, grant: (holder: Holder) => void) {
    this.#all = bytes
    this.#left = bytes
    this.#grant = grant
  }

  acquire(holder: Holder, bytes: number): void {
    this.#waiting.push({ holder, bytes: Math.min(bytes, this.#all) })
    this.#next()
  }

  /** For a holder, for one who waits, and without effect for one who is neither. */
  release(holder: Holder): void {
    const at = this.#waiting.findIndex((one) => one.holder === holder)
    if (at >= 0) this.#waiting.splice(at, 1)
    this.#left += this.#held.get(holder) ?? 0
    this.#held.delete(holder)
    this.#next()
  }

  #next(): void {
    for (let first = this.#waiting[0]; first && first.bytes <= this.#left; first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#left -= first.bytes
      this.#held.set(first.holder, first.bytes)
      this.#grant(first.holder)
    }
  }
}
