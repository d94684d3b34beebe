const RING_BYTES = 32 * 1024 * 1024
/** What a frame takes beside the block, and leaves free of it for that: small trees would come to several times the block. */
const FRAME_BYTES = 512
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
  /** Those of the walk that the frame is one of. */
  frames: Map<number, TreeFrame>
  from: number
  to: number
}

/** One block of memory that is written round and round: the frames made last lie in it, whichever walk they are of. */
class Ring {
  readonly block = new ArrayBuffer(RING_BYTES)
  /** Oldest first, as they lie in the block. */
  #slots: Slot[] = []
  #oldest = 0
  #at = 0

  /** Where `bytes` have room; the frames that lay there are gone. */
  room(bytes: number): number {
    if (this.#at + bytes > RING_BYTES) {
      this.#evict((slot) => slot.from >= this.#at)
      this.#at = 0
    }
    const from = this.#at
    this.#evict((slot) => slot.from >= from && slot.from < from + bytes)
    this.#at = from + bytes
    return from
  }

  /** Notes what lies where there was room made last. */
  add(frame: TreeFrame, frames: Map<number, TreeFrame>, from: number): void {
    this.#slots.push({ frame, frames, from, to: this.#at })
    frames.set(frame.tree, frame)
  }

  #evict(isInTheWay: (slot: Slot) => boolean): void {
    while (this.#oldest < this.#slots.length && isInTheWay(this.#slots[this.#oldest] as Slot)) {
      const { frame, frames } = this.#slots[this.#oldest++] as Slot
      if (frames.get(frame.tree) === frame) frames.delete(frame.tree)
    }
    if (this.#oldest < 4096) return
    this.#slots = this.#slots.slice(this.#oldest)
    this.#oldest = 0
  }
}

/** Goes with the last walk that uses it. */
let shared: WeakRef<Ring> | undefined

function sharedRing(): Ring {
  const known = shared?.deref()
  if (known) return known
  const ring = new Ring()
  shared = new WeakRef(ring)
  return ring
}

/**
 * The trees that a walk has read last. Walks read gigabytes of trees, and allocating each would leave the collector far behind; those of a thread share
 * one ring, for there may be as many walks as there are clients.
 */
export class TreeFrames {
  /** Found when the first frame is made: most walks are too short to need it. */
  #ring: Ring | undefined
  readonly #frames = new Map<number, TreeFrame>()

  /** Trees longer than this do not fit. */
  static readonly maxLength = RING_BYTES / 8

  find(tree: number): TreeFrame | undefined {
    return this.#frames.get(tree)
  }

  /** Room for a tree of `length` bytes, to be filled by the caller. Frames made long ago lose theirs. */
  make(tree: number, length: number): TreeFrame {
    this.#ring ??= sharedRing()
    const { block } = this.#ring
    const most = edgesAtMost(length)
    const edgesAt = length + most
    const from = this.#ring.room(edgesAt + most * 4 + 8 + FRAME_BYTES)
    const frame = {
      tree,
      bytes: new Uint8Array(block, from, length),
      edges: new Uint32Array(block, (from + edgesAt + 3) & ~3, most),
      count: 0,
      seen: new Uint8Array(block, from + length, most),
    }
    frame.seen.fill(0)
    this.#ring.add(frame, this.#frames, from)
    return frame
  }

  /** Forgets a frame that could not be filled. */
  drop(frame: TreeFrame): undefined {
    this.#frames.delete(frame.tree)
    return undefined
  }
}
