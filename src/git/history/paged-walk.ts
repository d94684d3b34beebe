import type { Oid } from '../objects/oid.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { Marks } from './marks.ts'

/** A commit that waits to be visited, and the column of the graph that its line has come to; -1 where it has none. */
export interface Waiting {
  oid: Oid
  column: number
}

/** Where a walk has come to: what waits, in its order, and the oldest date so far. */
export interface WalkFront {
  waiting: readonly Waiting[]
  oldest: number
}

export interface WalkStart {
  tips: readonly Oid[]
  /** The last commit of the page before, behind which the walk goes on. */
  after?: Oid | undefined
  /** Where the walk had come to behind that commit: with it, nothing before is walked through again. */
  front?: WalkFront | undefined
}

/** Whether a commit was visited before cannot be told from the front alone: the walk is to be made from its tips. */
export class FrontLost extends Error {}

/** Wider ones are not worth being carried from page to page. */
const MAX_WAITING = 100

/**
 * The commits of `walkCommits` in date order, on several pages, each of which costs the same: the front of the walk goes with the reader. What
 * was visited before is newer than all that comes, but where clocks were wrong or went too fast to tell; then the walk begins at its tips again.
 */
export class PagedWalk {
  readonly #source: CommitSource
  readonly #queue = new CommitQueue()
  readonly #seen: Marks
  /** Of the pages before. */
  readonly #edge: number
  readonly #after: number
  #oldest: number
  /** Whether the page has not begun yet. */
  #isBefore: boolean

  constructor(source: CommitSource, { tips, after, front }: WalkStart) {
    this.#source = source
    this.#seen = new Marks(source.size)
    for (const oid of front?.waiting.map((one) => one.oid) ?? tips) this.#push(source.idOf(oid))
    this.#edge = this.#oldest = front?.oldest ?? Infinity
    this.#after = after === undefined ? -1 : source.idOf(after)
    this.#isBefore = after !== undefined && front === undefined
  }

  /** The next commit; -1 when there is none. `isShown`: it does not belong to pages before. */
  next(): { id: number; isShown: boolean } {
    const id = this.#queue.pop()
    if (id >= 0) this.#oldest = Math.min(this.#oldest, this.#source.date(id))
    const isShown = !this.#isBefore
    if (id === this.#after) this.#isBefore = false
    return { id, isShown }
  }

  /** Lets the walk go on through a commit. @throws FrontLost */
  meet(id: number): void {
    if (this.#seen.has(id, 1)) return
    if (this.#source.date(id) >= this.#edge) throw new FrontLost()
    this.#push(id)
  }

  /** Whether the commit that the page comes after was met; there is no such page otherwise. */
  get hasBegun(): boolean {
    return !this.#isBefore
  }

  /** Undefined where too much waits. */
  front(columnOf: (id: number) => number): WalkFront | undefined {
    if (this.#queue.size > MAX_WAITING) return undefined
    return { waiting: this.#queue.inOrder().map((id) => ({ oid: this.#source.oid(id), column: columnOf(id) })), oldest: this.#oldest }
  }

  #push(id: number): void {
    if (this.#seen.has(id, 1)) return
    this.#seen.add(id, 1)
    this.#queue.push(id, this.#source.date(id))
  }
}
