/** Windows begin at multiples of so many bytes. */
const STEP = 4 * 1024
/** Each window overlaps the next one, so that every stretch of up to `STEP` bytes lies whole in one window. */
const WINDOW_BYTES = 2 * STEP
const SLOTS = 256

/** Fills `into` from `offset` on and answers how many bytes there were; fewer only at the end of the file. */
export type FillWindow = (offset: number, into: Uint8Array) => number

/** Whose windows these are. */
export interface WindowOwner {
  /** From `nextKey`. The windows know their owners by number, so as not to keep them alive. */
  readonly windowKey: number
  readonly fill: FillWindow
}

interface Window {
  /** Its key; -1 for a window that holds nothing. */
  owner: number
  index: number
  length: number
  bytes: Uint8Array
}

/**
 * Pieces of pack files lately read, shared by all packs of a thread: entries of a delta chain lie near one another, and most are
 * far smaller than what one system call brings. Each window is allocated when first used, 2 MiB in all.
 */
export class PackWindows {
  /** The window found last, and where in it the asked-for offset lies. */
  bytes: Uint8Array = new Uint8Array()
  at = 0
  /** How much of `bytes` is filled. */
  end = 0
  readonly #slots: Window[] = []
  #lastKey = 0

  /** Stretches up to this long can be asked for. */
  static readonly maxLength = STEP

  /** Sets `bytes`, `at` and `end` to a window with the next `maxLength` bytes from `offset` on, or all up to the file's end. */
  seek(owner: WindowOwner, offset: number): void {
    const index = Math.floor(offset / STEP)
    const slot = (index + owner.windowKey * 37) % SLOTS
    let window: Window | undefined = this.#slots[slot]
    if (window === undefined || window.index !== index || window.owner !== owner.windowKey) window = this.#fill(slot, owner, index)
    this.bytes = window.bytes
    this.at = offset - index * STEP
    this.end = window.length
  }

  nextKey(): number {
    return ++this.#lastKey
  }

  /** Forgets the windows of `owner`. */
  release(owner: WindowOwner): void {
    for (const window of this.#slots) if (window?.owner === owner.windowKey) window.owner = -1
  }

  #fill(slot: number, owner: WindowOwner, index: number): Window {
    const window = (this.#slots[slot] ??= { owner: -1, index: 0, length: 0, bytes: Buffer.allocUnsafeSlow(WINDOW_BYTES) })
    window.owner = -1
    window.length = owner.fill(index * STEP, window.bytes)
    window.owner = owner.windowKey
    window.index = index
    return window
  }
}
