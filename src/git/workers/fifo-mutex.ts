/**
 * A lock that one holder has at a time, granted in the order in which it was asked for. It waits for nobody itself: holders are objects, told apart by
 * identity, and `grant` is called once the lock is theirs.
 */
export class FifoMutex<Holder> {
  readonly #grant: (holder: Holder) => void
  readonly #waiting: Holder[] = []
  #holder: Holder | undefined

  constructor(grant: (holder: Holder) => void) {
    this.#grant = grant
  }

  acquire(holder: Holder): void {
    this.#waiting.push(holder)
    this.#next()
  }

  /** For the holder, for one who waits, and without effect for one who is neither. */
  release(holder: Holder): void {
    const at = this.#waiting.indexOf(holder)
    if (at >= 0) this.#waiting.splice(at, 1)
    if (this.#holder !== holder) return
    this.#holder = undefined
    this.#next()
  }

  #next(): void {
    if (this.#holder !== undefined) return
    this.#holder = this.#waiting.shift()
    if (this.#holder !== undefined) this.#grant(this.#holder)
  }
}
