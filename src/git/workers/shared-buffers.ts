import { OUTPUT_BYTES } from '../packs/write/pack-output.ts'

/** One that the client takes, and one that is being filled. */
const MOST = 2

/**
 * What a call's pack goes out in: memory that both threads see, filled again and again. Buffers that are made, moved and collected for each piece
 * cost more than the bytes in them.
 */
export class SharedBuffers {
  readonly #share: (buffer: Uint8Array) => void
  readonly #all: Uint8Array[] = []
  readonly #free: Uint8Array[] = []
  /** What the reader may still have. */
  #lent: Uint8Array | undefined

  /** @param share shows the other thread a new one */
  constructor(share: (buffer: Uint8Array) => void) {
    this.#share = share
  }

  /** One to fill; undefined when all are in use. */
  spare(): Uint8Array | undefined {
    return this.#free.pop() ?? (this.#all.length < MOST ? this.#make() : undefined)
  }

  /**
   * The reader is about to get `bytes`, and is done with all that it got before: no more than one full buffer is on its way, by `ANSWER_WINDOW_BYTES`.
   * @returns which of those that were shared it is; -1 where it is none, or not a full one
   */
  lend(bytes: Uint8Array): number {
    if (this.#lent) this.#free.push(this.#lent)
    const nth = bytes.length === OUTPUT_BYTES ? this.#all.findIndex(({ buffer }) => buffer === bytes.buffer) : -1
    this.#lent = this.#all[nth]
    return nth
  }

  #make(): Uint8Array {
    const buffer = new Uint8Array(new SharedArrayBuffer(OUTPUT_BYTES))
    this.#all.push(buffer)
    this.#share(buffer)
    return buffer
  }
}
