/**
 * Bytes between threads, with flow control: one side pushes, the other iterates. `onTaken` acknowledges how many were consumed whenever that has
 * come to half the sender's window, in a small call never: so the sender knows that it may go on. A piece is consumed when the next is asked for.
 */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = []
  readonly #onTaken: (count: number) => void
  readonly #acknowledgedBytes: number
  #unacknowledged = 0
  #ended = false
  #error: unknown
  #wake: (() => void) | undefined

  /** @param window the sender's */
  constructor(window: number, onTaken: (count: number) => void) {
    this.#acknowledgedBytes = window / 2
    this.#onTaken = onTaken
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#ended = true
    this.#wake?.()
  }

  #take(count: number): void {
    this.#unacknowledged += count
    if (this.#unacknowledged < this.#acknowledgedBytes) return
    this.#onTaken(this.#unacknowledged)
    this.#unacknowledged = 0
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece) {
        yield piece
        this.#take(piece.length)
      } else if (this.#ended) {
        if (this.#error !== undefined) throw this.#error
        return
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
  }
}

/** Counts bytes under way and lets the sender wait for room. */
export class Credit {
  readonly #window: number
  #underWay = 0
  #waiting: (() => void)[] = []

  constructor(window: number) {
    this.#window = window
  }

  /** Call before sending; resolves when there is room (at once for the first piece, however large). */
  async take(count: number): Promise<void> {
    while (this.#underWay >= this.#window) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#underWay += count
  }

  give(count: number): void {
    this.#underWay -= count
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
