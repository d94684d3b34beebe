const RING_BYTES = 32 * 1024 * 1024
/** No tree entry is shorter than `40000 x`, a NUL and a raw id. */
const SHORTEST_ENTRY = 28

/** A tree by its number; good until the next frame is made. */
export interface TreeFrame {
  tree: number
  bytes: Uint8Array
  /** Where its entries begin: `count` numbers, then the tree's length. */
  edges: Uint32Array
  count: number
  /** 1 for entries that need no visit any more. */
  seen: Uint8Array
}

/** How many edges a tree of `length` bytes has at most. */
export function edgesAtMost(length: number): number {
  return Math.ceil(length / SHORTEST_ENTRY) + 1
}

interface Slot {
  frame: TreeFrame
  from: number
  to: number
}

/**
 * The trees read last, in one block of memory that is written round and round: walks read gigabytes of trees, and
 * allocating each would leave the collector far behind.
 */
export class TreeFrames {
  /** Made when the first frame is: most walks are too short to need it. */
  #block: ArrayBuffer | undefined
  readonly #frames = new Map<number, TreeFrame>()
  /** Oldest first, as they lie in the block. */
  #slots: Slot[] = []
  #oldest = 0
  #at = 0

  /** Trees longer than this do not fit. */
  static readonly maxLength = RING_BYTES / 8

  find(tree: number): TreeFrame | undefined {
    return this.#frames.get(tree)
  }

  /** Room for a tree of `length` bytes, to be filled by the caller. Frames made long ago lose theirs. */
  make(tree: number, length: number): TreeFrame {
    const most = edgesAtMost(length)
    const edgesAt = length + most
    const from = this.#room(edgesAt + most * 4 + 8)
    const block = (this.#block ??= new ArrayBuffer(RING_BYTES))
    const frame = {
      tree,
      bytes: new Uint8Array(block, from, length),
      edges: new Uint32Array(block, (from + edgesAt + 3) & ~3, most),
      count: 0,
      seen: new Uint8Array(block, from + length, most),
    }
    frame.seen.fill(0)
    this.#slots.push({ frame, from, to: this.#at })
    this.#frames.set(tree, frame)
    return frame
  }

  /** Forgets a frame that could not be filled. */
  drop(frame: TreeFrame): undefined {
    this.#frames.delete(frame.tree)
    return undefined
  }

  #room(bytes: number): number {
    if (this.#at + bytes > RING_BYTES) {
      this.#evict((slot) => slot.from >= this.#at)
      this.#at = 0
    }
    const from = this.#at
    this.#evict((slot) => slot.from >= from && slot.from < from + bytes)
    this.#at = from + bytes
    return from
  }

  #evict(isInTheWay: (slot: Slot) => boolean): void {
    while (this.#oldest < this.#slots.length && isInTheWay(this.#slots[this.#oldest] as Slot)) {
      const { frame } = this.#slots[this.#oldest++] as Slot
      if (this.#frames.get(frame.tree) === frame) this.#frames.delete(frame.tree)
    }
    if (this.#oldest < 4096) return
    this.#slots = this.#slots.slice(this.#oldest)
    this.#oldest = 0
  }
}
