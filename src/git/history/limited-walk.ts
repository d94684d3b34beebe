import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { Marks } from './marks.ts'

const UNWANTED = 1
const SEEN = 2
const QUEUED = 4
/** Nothing changes when it is excluded once more: the children of one commit can be very many, and one child may name it very often. */
const EXCLUDED = 8
/** How many more unwanted commits are looked at when nothing but dates can tell that it is enough; git's figure. */
const SLOP = 5

export interface Limits {
  include: readonly Oid[]
  exclude?: readonly Oid[]
  since?: number
  until?: number
}

/** The parents of a commit to follow; `isWanted` tells which of them are, as far as the walk knows by then. */
export type Follow = (id: number, isWanted: (id: number) => boolean) => readonly number[]

/**
 * The commits that `include` reaches and `exclude` does not, newest first. Exact with a commit-graph; without one it
 * follows git's `limit_list` to the letter, which a skewed clock can mislead into listing some commits of `exclude`.
 */
export function limitedSteps(source: CommitSource, limits: Limits, follow?: Follow): Steps<number[]> {
  return new LimitedWalk(source, limits, follow ?? ((id) => source.parents(id))).run()
}

class LimitedWalk {
  readonly #source: CommitSource
  readonly #limits: Limits
  readonly #follow: Follow
  readonly #marks: Marks
  readonly #queue = new CommitQueue()
  readonly #kept: number[] = []
  /** Queued commits that are still wanted. */
  #wanted = 0
  #lastKeptDate = Infinity

  constructor(source: CommitSource, limits: Limits, follow: Follow) {
    this.#source = source
    this.#limits = limits
    this.#follow = follow
    this.#marks = new Marks(source.size)
  }

  *run(): Steps<number[]> {
    for (const oid of this.#limits.include) this.#meet(this.#source.idOf(oid))
    for (const oid of this.#limits.exclude ?? []) this.#exclude(this.#source.idOf(oid))
    let slop = SLOP
    for (let id = this.#queue.pop(); id >= 0; id = this.#queue.pop()) {
      yield
      if (this.#visit(id)) continue
      slop = this.#isSettled() ? slop - 1 : SLOP
      if (slop === 0 || this.#queue.size === 0) break
      if (slop < SLOP && this.#source.hasGenerations) {
        this.#excludeBelow()
        break
      }
    }
    return this.#kept.filter((id) => !this.#marks.has(id, UNWANTED))
  }

  /** Whether the commit is wanted. */
  #visit(id: number): boolean {
    const { since = -Infinity, until = Infinity } = this.#limits
    const date = this.#source.date(id)
    if (!this.#marks.has(id, UNWANTED)) this.#wanted--
    this.#marks.remove(id, QUEUED)
    if (date < since) this.#marks.add(id, UNWANTED)
    if (this.#marks.has(id, UNWANTED)) {
      this.#excludeParents(id)
      return false
    }
    this.#meetParents(id)
    if (date > until) return true
    this.#lastKeptDate = date
    this.#kept.push(id)
    return true
  }

  /** Whether, going by dates, no queued commit can lead to a kept one any more. */
  #isSettled(): boolean {
    return this.#wanted === 0 && this.#lastKeptDate > this.#queue.topDate
  }

  /** Follows unwanted commits as far down as there are kept ones. */
  #excludeBelow(): void {
    let lowest = Infinity
    for (const id of this.#kept) lowest = Math.min(lowest, this.#source.generation(id))
    for (let id = this.#queue.pop(); id >= 0; id = this.#queue.pop()) {
      const generation = this.#source.generation(id)
      if (generation === Infinity || generation > lowest) this.#excludeParents(id)
    }
  }

  #meetParents(id: number): void {
    for (const parent of this.#follow(id, this.#isWanted)) this.#meet(parent)
  }

  readonly #isWanted = (id: number): boolean => !this.#marks.has(id, UNWANTED)

  #meet(id: number): void {
    if (this.#marks.has(id, SEEN)) return
    if (!this.#marks.has(id, UNWANTED)) this.#wanted++
    this.#marks.add(id, SEEN | QUEUED)
    this.#queue.push(id, this.#source.date(id))
  }

  #exclude(id: number): void {
    if (this.#marks.has(id, EXCLUDED)) return
    this.#marks.add(id, EXCLUDED)
    this.#unwant([id])
    this.#unwant([...this.#source.parents(id)])
    this.#meet(id)
  }

  #excludeParents(id: number): void {
    for (const parent of [...this.#source.parents(id)]) this.#exclude(parent)
  }

  /** Marks `stack`, and what lies below as far as the walk has been there already. */
  #unwant(stack: number[]): void {
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (this.#marks.has(id, UNWANTED)) continue
      if (this.#marks.has(id, QUEUED)) this.#wanted--
      this.#marks.add(id, UNWANTED)
      if (this.#marks.has(id, SEEN)) for (const parent of this.#source.parents(id)) stack.push(parent)
    }
  }
}
