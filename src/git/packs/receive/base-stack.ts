import type { TreeEdges } from '../../objects/check-tree.ts'
import { edgesAtMost } from '../../objects/check-tree.ts'
import { NONE } from './entry-table.ts'

/** An object on the path from a delta family's root to the object being made. */
export interface BaseFrame {
  entry: number
  /** The child to make next, and the one to make last: see `Forest`. */
  nextChild: number
  lastChild: number
  /** The object is `bytes[start, start + length)`. */
  bytes: Uint8Array
  start: number
  length: number
  /** Where its place in the arena ends; `NONE` when it has memory of its own. */
  end: number
  /** Where a tree's entries begin; without room for any when `edges.at` is `NONE`, not known when `edges.count` is 0. */
  edges: TreeEdges
}

/** Objects larger than this share of the arena get memory of their own. */
const OWN_SHARE = 4
const nothing = new Uint8Array()
const noWords = new Uint32Array()

/**
 * The path of bases, bounded in bytes: the oldest are forgotten first, and made again when they are needed. They lie in one ring-shaped
 * arena, so that copying from base to result stays within one array and nothing is allocated for an object.
 */
export class BaseStack {
  /** The newest base's frame, or -1. */
  top = -1
  readonly #frames: BaseFrame[] = []
  /** Frames below this one are forgotten. */
  #firstLive = 0
  readonly #arenaBytes: number
  /** Both views of the arena; of none before the first object, and while all are forgotten. */
  #arena: Uint8Array = nothing
  #words: Uint32Array = noWords
  /** Bytes that objects with memory of their own take. */
  #ownBytes = 0
  /** Memory of an object let go of, for the next that needs its own: the collector would leave several of them behind. */
  #spare: Uint8Array = nothing
  /** Where the next frame goes. */
  #head = 0

  constructor(arenaBytes: number) {
    this.#arenaBytes = Math.max(4096, arenaBytes - (arenaBytes % 4))
  }

  frame(index: number): BaseFrame {
    return this.#frames[index] as BaseFrame
  }

  /** Whether the top frame's object must be made again. */
  get isTopForgotten(): boolean {
    return this.top < this.#firstLive
  }

  /**
   * Makes room for an object of `length` bytes above the top frame, and for its edges when it is a tree. It is not on the stack
   * until `push`. Forgets others but never the top frame. `ready` is the object, when it is known already: it is kept as it is when
   * the object is too large for the arena, else the caller copies it.
   */
  place(length: number, isTree: boolean, rawLength: number, ready?: Uint8Array): BaseFrame {
    if (this.#arena === nothing) this.#makeArena()
    const frame = (this.#frames[this.top + 1] ??= emptyFrame())
    const dataBytes = length + ((4 - (length % 4)) % 4)
    const bytes = isTree ? dataBytes + 4 * edgesAtMost(length, rawLength) : dataBytes
    const isOwn = bytes > this.#arenaBytes / OWN_SHARE
    frame.start = isOwn ? 0 : this.#findRoom(bytes)
    frame.bytes = isOwn ? this.#takeOwn(length, ready) : this.#arena
    frame.length = length
    frame.end = isOwn ? NONE : frame.start + bytes
    frame.edges.edges = this.#words
    frame.edges.at = isTree && !isOwn ? (frame.start + dataBytes) / 4 : NONE
    frame.edges.count = 0
    return frame
  }

  /** Puts the placed object on the stack. */
  push(): void {
    const frame = this.#frames[++this.top] as BaseFrame
    if (frame.end === NONE) this.#ownBytes += frame.length
    else this.#head = frame.end
  }

  pop(): void {
    const frame = this.#frames[this.top] as BaseFrame
    if (!this.isTopForgotten) {
      if (frame.end !== NONE) this.#head = frame.start
      this.#release(frame)
    }
    this.top--
    if (this.#firstLive > this.top + 1) this.#firstLive = this.top + 1
    if (this.top < this.#firstLive) this.#head = 0
  }

  /** Forgets all objects, and takes no memory until the next: others, who may be on another thread, need it before the collector would come by. */
  forgetAll(): void {
    for (; this.#firstLive <= this.top; this.#firstLive++) {
      const { bytes } = this.frame(this.#firstLive)
      this.#release(this.frame(this.#firstLive))
      free(bytes)
    }
    free(this.#spare)
    free(this.#arena)
    this.#spare = nothing
    this.#arena = nothing
    this.#words = noWords
    for (const frame of this.#frames) frame.edges.edges = noWords
    this.#head = 0
  }

  /** Empties the stack to fill it again from the root; the frames keep their entries and children. Returns the top frame. */
  rewind(): number {
    const top = this.top
    this.#forgetUpTo(top + 1)
    this.top = -1
    this.#firstLive = 0
    this.#head = 0
    return top
  }

  /** Room in the arena. As no frame takes more than a quarter, the top frame is never in the way. */
  #findRoom(bytes: number): number {
    let start = this.#head
    if (start + bytes > this.#arenaBytes) {
      this.#forgetWhere((frame) => frame.start >= start)
      start = 0
    }
    this.#forgetWhere((frame) => frame.start < start + bytes && frame.end > start)
    return start
  }

  /** Forgets frames from the oldest on, up to the last of those at the ring's end for which `isInTheWay` holds. */
  #forgetWhere(isInTheWay: (frame: BaseFrame) => boolean): void {
    for (let index = this.#firstLive; index < this.top; index++) {
      const frame = this.#frames[index] as BaseFrame
      if (frame.end === NONE) continue
      if (!isInTheWay(frame)) return
      this.#forgetUpTo(index + 1)
    }
  }

  #takeOwn(length: number, ready: Uint8Array | undefined): Uint8Array {
    while (this.#firstLive < this.top && this.#ownBytes + length > this.#arenaBytes) this.#forgetUpTo(this.#firstLive + 1)
    return ready ?? this.#allocate(length)
  }

  /** Makes room for the newest object alone, which was forgotten and is `length` bytes long; the caller copies it. */
  replaceTop(length: number, isTree: boolean, rawLength: number): BaseFrame {
    this.top--
    const frame = this.place(length, isTree, rawLength)
    this.push()
    this.#firstLive = this.top
    return frame
  }

  #makeArena(): void {
    const buffer = new ArrayBuffer(this.#arenaBytes)
    this.#arena = new Uint8Array(buffer)
    this.#words = new Uint32Array(buffer)
  }

  #forgetUpTo(end: number): void {
    for (; this.#firstLive < end; this.#firstLive++) this.#release(this.#frames[this.#firstLive] as BaseFrame)
  }

  #allocate(length: number): Uint8Array {
    const bytes = this.#spare.length >= length ? this.#spare : Buffer.allocUnsafeSlow(length)
    this.#spare = nothing
    return bytes
  }

  /** Lets go of the placed object, which is not put on the stack after all. */
  dismiss(frame: BaseFrame): void {
    if (frame.end === NONE) this.#keep(frame.bytes)
    frame.bytes = nothing
  }

  #release(frame: BaseFrame): void {
    if (frame.end === NONE) {
      this.#ownBytes -= frame.length
      this.#keep(frame.bytes)
    }
    frame.bytes = nothing
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length > this.#spare.length) this.#spare = bytes
  }
}

function free(bytes: Uint8Array): void {
  if (bytes.length > 0) (bytes.buffer as ArrayBuffer).transfer(0)
}

function emptyFrame(): BaseFrame {
  return { entry: NONE, nextChild: NONE, lastChild: NONE, bytes: nothing, start: 0, length: 0, end: NONE, edges: { edges: noWords, at: NONE, count: 0 } }
}
