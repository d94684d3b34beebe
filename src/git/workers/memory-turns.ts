/**
 * Shares out a number of bytes among those who are about to need much memory, whatever thread they work on. They get what they ask for in the order of
 * asking, once as much is left; who asks for all of it, or more, has it alone. Nothing here waits: `grant` is called when a holder has its bytes.
 * A holder is any object; it holds once at a time.
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
