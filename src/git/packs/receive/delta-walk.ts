import { GitError } from '../../errors.ts'
import { expandedAtMost, type GitLimits } from '../../limits.ts'
import { deltaSizes } from '../delta.ts'
import { applyDeltaInto, deltaPieces, RunRecorder } from '../delta-into.ts'
import { BLOB, OFS_DELTA, TREE, typeName } from '../entry.ts'
import type { BaseFrame } from './base-stack.ts'
import { BaseStack } from './base-stack.ts'
import type { EntryColumns } from './entry-table.ts'
import { NONE } from './entry-table.ts'
import type { Forest } from './forest.ts'
import type { PackReader } from './pack-reader.ts'
import { nameEntry, refusedFor } from './refusal.ts'

/** What a walk does with the objects it makes. */
export interface DeltaVisitor {
  /** Whether the object, or one made from it, is wanted at all. */
  wants(entry: number): boolean
  /**
   * Gets each object: `made` of the object type `type`, from the base in `base` (absent for a family's root). `runs` says, for trees,
   * what of it is copied. All are good during the call only.
   */
  visit(entry: number, type: number, made: BaseFrame, base: BaseFrame | undefined, runs: RunRecorder): void
  /** Takes a large blob in pieces, instead of by `visit`; undefined for one that is not wanted, absent where each must be had whole. */
  receive?(entry: number, type: number, size: number): PieceReceiver | undefined
}

export interface PieceReceiver {
  add(bytes: Uint8Array): void
  end(): void
}

/** Larger blobs are not held whole unless others are made from them. */
const LARGE_BYTES = 4 * 1024 * 1024
/** A step ends after so much, however few objects that is; a large blob takes several, and the last of them ends with it: there a walk can rest. */
const STEP_BYTES = 4 * 1024 * 1024

/** A large blob that is being made. */
interface LargeBlob {
  entry: number
  receiver: PieceReceiver
  pieces: Iterator<Uint8Array, void>
  /** Where it is to lie, when others are made from it. */
  frame: BaseFrame | undefined
  made: number
}

export interface WalkInput {
  columns: EntryColumns
  count: number
  forest: Pick<Forest, 'firstChild' | 'nextSibling'>
  reader: PackReader
  limits: GitLimits
  /** Bytes that bases may take; a small pack takes less. */
  cacheBytes: number
}

let recorder: RunRecorder | undefined

/** Makes the objects of one delta family after the other, each base before what is made from it. */
export class DeltaWalk {
  /** Whether the last step ended with a large blob. Steps that end within one are due to breathe most often, and can have no rest. */
  hasEndedLarge = false
  readonly #columns: EntryColumns
  readonly #firstChild: Int32Array
  readonly #nextSibling: Int32Array
  readonly #reader: PackReader
  readonly #limits: GitLimits
  readonly #visitor: DeltaVisitor
  readonly #stack: BaseStack
  /** One for all walks of a thread: it is filled and read without a pause in between. */
  readonly #runs = (recorder ??= new RunRecorder())
  #type = 0
  #madeBytes = 0
  /** Of what was made again: after rests, and because there was no room to keep it. */
  #restedBytes = 0
  #remadeBytes = 0
  readonly #mostRemade: number
  #hasRested = false
  /** Whether the newest base lies on disk since a rest. */
  #isTopAside = false
  /** A child whose base is among those that are made again, and where on the stack that is. */
  #delayed = NONE
  #remakeTo = NONE
  #large: LargeBlob | undefined

  constructor(input: WalkInput, visitor: DeltaVisitor) {
    this.#columns = input.columns
    this.#firstChild = input.forest.firstChild
    this.#nextSibling = input.forest.nextSibling
    this.#reader = input.reader
    this.#limits = input.limits
    this.#mostRemade = expandedAtMost(input.limits, input.columns.offsets[input.count] as number)
    this.#visitor = visitor
    this.#stack = new BaseStack(bytesForBases(input.columns, input.count, input.cacheBytes, (entry) => visitor.wants(entry)))
  }

  /** Makes the family's root, which is no delta. */
  begin(root: number): void {
    this.#type = this.#columns.types[root] as number
    const frame = this.#loadRoot(root)
    this.#visitor.visit(root, this.#type, frame, undefined, this.#runs)
    this.#open(root, frame)
  }

  /** Whether all of the family's objects are made. */
  get isDone(): boolean {
    return this.#stack.top < 0 && this.#delayed === NONE
  }

  /** Whether it can rest now: no object is half made, and rests have cost no more than the rest of the work. */
  get canRest(): boolean {
    return this.#large === undefined && this.#delayed === NONE && this.#restedBytes <= this.#madeBytes
  }

  /** Gives its memory back, until it goes on. */
  rest(): void {
    this.#hasRested = true
    this.#isTopAside ||= !this.isDone && !this.#stack.isTopForgotten && this.#setTopAside()
    this.#stack.forgetAll()
    Bun.gc(true)
  }

  /** Only bases below it, which few deltas still need, are made again after a rest, and the newest where the disk has no room for it. */
  #setTopAside(): boolean {
    const { bytes, start, length } = this.#stack.frame(this.#stack.top)
    return this.#reader.setAside(bytes.subarray(start, start + length))
  }

  #takeTopBack(): void {
    this.#isTopAside = false
    const { bytes, start, length } = this.#stack.replaceTop(this.#stack.frame(this.#stack.top).length, this.#type === TREE, this.#columns.rawLength)
    this.#reader.takeBack(bytes.subarray(start, start + length))
  }

  /** Makes up to `count` more of the family's objects, fewer when they are large, or a part of one. Returns how many. */
  step(count: number): number {
    this.hasEndedLarge = false
    let made = 0
    let bytes = 0
    while (made < count && bytes < STEP_BYTES && !this.isDone) {
      if (this.#large) {
        bytes += this.#receiveSome(this.#large, STEP_BYTES - bytes)
        if (this.#large) continue
        this.hasEndedLarge = true
        made++
        break
      }
      if (this.#stack.top < this.#remakeTo) {
        bytes += this.#remakeNext()
        continue
      }
      const child = this.#takeReady()
      if (child === NONE) continue
      this.#refuseSize(child)
      this.#large = this.#beginLarge(child, this.#stack.frame(this.#stack.top))
      this.#madeBytes += this.#columns.sizes[child] as number
      if (this.#large) continue
      this.#makeChild(child)
      bytes += this.#columns.sizes[child] as number
      made++
    }
    return made
  }

  /** A child to make of the newest base; `NONE` when that has no more, or has to be made again first. */
  #takeReady(): number {
    const child = this.#delayed === NONE ? this.#takeChild(this.#stack.frame(this.#stack.top)) : this.#delayed
    this.#delayed = NONE
    if (child === NONE) this.#popTop()
    else if (!this.#visitor.wants(child)) return NONE
    else if (this.#isTopAside) this.#takeTopBack()
    else if (this.#stack.isTopForgotten) {
      this.#delayed = child
      this.#remakeTo = this.#stack.rewind()
      return NONE
    }
    return child
  }

  #popTop(): void {
    this.#isTopAside = false
    this.#stack.pop()
  }

  #makeChild(child: number): void {
    const base = this.#stack.frame(this.#stack.top)
    const frame = this.#place(child)
    this.#applyDelta(child, base, frame)
    this.#visitor.visit(child, this.#type, frame, base, this.#runs)
    this.#keepOrDismiss(child, frame)
  }

  #keepOrDismiss(child: number, frame: BaseFrame): void {
    if (this.#firstChild[child] !== NONE) this.#open(child, frame)
    else this.#stack.dismiss(frame)
  }

  /** Only blobs may be larger than what is parsed as a whole; asked before memory is taken. */
  #refuseSize(child: number): void {
    const size = this.#columns.sizes[child] as number
    if (this.#type === BLOB || size <= this.#limits.maxParsedBytes) return
    const error = new GitError(
      'limit',
      `Cannot resolve delta: its ${size} bytes are over the limit of ${this.#limits.maxParsedBytes} for a ${typeName(this.#type)}`,
    )
    throw refusedFor(error, nameEntry(child, this.#columns.offsets[child] as number))
  }

  /** A large blob is given to the visitor in pieces, if it takes them: to make and name one in one go would keep others waiting. */
  #beginLarge(child: number, base: BaseFrame): LargeBlob | undefined {
    const size = this.#columns.sizes[child] as number
    if (!isLarge(this.#type, size)) return undefined
    const receiver = this.#visitor.receive?.(child, this.#type, size)
    if (receiver === undefined) return undefined
    // Others may be read before it is all made.
    const pieces = this.#withDelta(child, base, (delta, at) => deltaPieces(base.bytes, base.start, base.length, new Uint8Array(delta), at, size))
    const frame = this.#firstChild[child] === NONE ? undefined : this.#place(child)
    return { entry: child, receiver, pieces, frame, made: 0 }
  }

  /** Goes on with the large blob for `most` bytes or a little more. Returns how many. */
  #receiveSome(large: LargeBlob, most: number): number {
    const { entry, receiver, pieces, frame } = large
    const before = large.made
    while (large.made - before < most) {
      const { value } = this.#naming(entry, () => pieces.next())
      if (value === undefined) {
        this.#large = undefined
        receiver.end()
        this.#finishLarge(entry, frame)
        break
      }
      receiver.add(value)
      frame?.bytes.set(value, frame.start + large.made)
      large.made += value.length
    }
    return large.made - before
  }

  /** By the name that it has now, deltas may turn out to be made from it that were not known to be. */
  #finishLarge(child: number, kept: BaseFrame | undefined): void {
    if (kept === undefined && this.#firstChild[child] === NONE) return
    const frame = kept ?? this.#place(child)
    if (kept === undefined) this.#applyDelta(child, this.#stack.frame(this.#stack.top), frame)
    this.#keepOrDismiss(child, frame)
  }

  #place(entry: number): BaseFrame {
    return this.#stack.place(this.#columns.sizes[entry] as number, this.#type === TREE, this.#columns.rawLength)
  }

  /** Puts the made object on the path. */
  #open(entry: number, frame: BaseFrame): void {
    if (this.#stack.top + 1 >= this.#limits.maxDeltaDepth) throw this.#tooDeep(entry)
    const first = this.#firstChild[entry] as number
    frame.entry = entry
    frame.lastChild = first
    frame.nextChild = first === NONE ? NONE : (this.#nextSibling[first] as number)
    this.#stack.push()
  }

  /** The frame's children but the first, and then that. */
  #takeChild(frame: BaseFrame): number {
    const child = frame.nextChild
    if (child !== NONE) {
      frame.nextChild = this.#nextSibling[child] as number
      return child
    }
    const last = frame.lastChild
    frame.lastChild = NONE
    return last
  }

  #loadRoot(root: number): BaseFrame {
    const data = this.#reader.readWhole(this.#columns, root)
    const frame = this.#stack.place(data.length, this.#type === TREE, this.#columns.rawLength, data)
    if (frame.bytes !== data) frame.bytes.set(data, frame.start)
    return frame
  }

  #applyDelta(entry: number, base: BaseFrame, frame: BaseFrame): void {
    const runs = this.#type === TREE ? this.#runs : undefined
    this.#runs.count = 0
    this.#withDelta(entry, base, (delta, at) => applyDeltaInto(base.bytes, base.start, base.length, delta, at, frame.bytes, frame.start, frame.length, runs))
  }

  #withDelta<T>(entry: number, base: BaseFrame, apply: (delta: Uint8Array, at: number) => T): T {
    const delta = this.#reader.read(this.#columns, entry)
    return this.#naming(entry, () => {
      const sizes = deltaSizes(delta)
      if (sizes.base !== base.length)
        throw new GitError('corrupt', `Cannot apply delta: it expects a base of ${sizes.base} bytes, but its base has ${base.length}`)
      return apply(delta, sizes.bodyAt)
    })
  }

  /** Has what is wrong with a delta say which one it is. */
  #naming<T>(entry: number, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw refusedFor(error, nameEntry(entry, this.#columns.offsets[entry] as number))
    }
  }

  /** Makes the path's next object again, which others have pushed out of the cache, or a rest. Returns its size. */
  #remakeNext(): number {
    const index = this.#stack.top + 1
    const entry = this.#stack.frame(index).entry
    const frame = index === 0 ? this.#loadRoot(entry) : this.#place(entry)
    if (index > 0) this.#applyDelta(entry, this.#stack.frame(index - 1), frame)
    this.#stack.push()
    if (this.#hasRested) this.#restedBytes += frame.length
    else this.#remadeBytes += frame.length
    if (this.#remadeBytes > this.#mostRemade) {
      throw new GitError('limit', `Cannot accept pack: its deltas need more than ${this.#limits.deltaCacheBytes} bytes of bases at a time`)
    }
    if (index === this.#remakeTo) {
      this.#remakeTo = NONE
      this.#hasRested = false
    }
    return frame.length
  }

  #tooDeep(entry: number): unknown {
    const error = new GitError('limit', `Cannot resolve delta: its chain is longer than the limit of ${this.#limits.maxDeltaDepth}`)
    return refusedFor(error, nameEntry(entry, this.#columns.offsets[entry] as number))
  }
}

function isLarge(type: number, size: number): boolean {
  return type === BLOB && size > LARGE_BYTES
}

const LEAST_CACHE_BYTES = 64 * 1024

/** So much that nearly all objects that may be made fit in the cache's arena together, up to what is allowed. */
export function bytesForBases(columns: EntryColumns, count: number, most: number, wants: (entry: number) => boolean = () => true): number {
  let bytes = LEAST_CACHE_BYTES
  for (let entry = 0; entry < count && bytes < most; entry++) if (wants(entry)) bytes += 4 * (columns.sizes[entry] as number)
  return Math.min(bytes, most)
}

/** Whether the entry is a delta that has not been resolved. */
export function isUnresolved(columns: EntryColumns, entry: number): boolean {
  return (columns.types[entry] as number) >= OFS_DELTA
}
