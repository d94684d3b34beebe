/** The sender hears of what was taken when it is so much: of a small call, never. Much less than what may be under way. */
const TOLD_BYTES = 512 * 1024

/**
 * Bytes between threads: one side pushes, the other iterates. `onTaken` hears now and then how many were consumed,
 * which is how the sender knows that it may go on.
 */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = []
  readonly #onTaken: (count: number) => void
  #untold = 0
  #ended = false
  #error: unknown
  #wake: (() => void) | undefined

  constructor(onTaken: (count: number) => void) {
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
    this.#untold += count
    if (this.#untold < TOLD_BYTES) return
    this.#onTaken(this.#untold)
    this.#untold = 0
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece) {
        this.#take(piece.length)
        yield piece
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
