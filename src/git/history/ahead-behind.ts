import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { COMMITS_IN_STEP, Marks } from './marks.ts'
import { LEFT, RIGHT } from './merge-base.ts'

const BOTH = LEFT | RIGHT
const QUEUED = 4
const COUNTED = 8
/** How many common commits older than all others are looked at when nothing but dates can tell that it is enough; git's figure. */
const SLOP = 5

export interface Distance {
  ahead: number
  behind: number
}

/**
 * How many commits only `a` has (`ahead`) and only `b` has (`behind`), as `git rev-list --left-right --count a...b`
 * says. Exact with a commit-graph; without one, a skewed clock far from the tips can mislead it as it does git.
 */
export function* aheadBehindSteps(source: CommitSource, a: Oid, b: Oid): Steps<Distance> {
  const sides = new Sides(source)
  sides.paint(source.idOf(a), LEFT)
  sides.paint(source.idOf(b), RIGHT)
  yield* sides.run()
  return { ahead: sides.left, behind: sides.right }
}

class Sides {
  left = 0
  right = 0
  readonly #source: CommitSource
  readonly #marks: Marks
  readonly #queue = new CommitQueue()
  /** Queued commits of one side alone. */
  #open = 0
  #oldestCounted = Infinity
  #slop = SLOP

  constructor(source: CommitSource) {
    this.#source = source
    this.#marks = new Marks(source.size)
  }

  *run(): Steps<void> {
    let visited = 0
    while (this.#open > 0 || this.#mayCorrect()) {
      if (++visited % COMMITS_IN_STEP === 0) yield
      const id = this.#queue.pop()
      const colours = this.#marks.of(id) & BOTH
      this.#marks.remove(id, QUEUED)
      if (colours !== BOTH) this.#count(id, colours)
      for (const parent of this.#source.parents(id)) this.paint(parent, colours)
    }
  }

  paint(id: number, colours: number): void {
    const before = this.#marks.of(id)
    if ((before & colours) === colours) return
    this.#marks.add(id, colours | QUEUED)
    const isCommon = this.#marks.has(id, BOTH)
    if (isCommon && before & COUNTED) this.#uncount(id, before & BOTH)
    if ((before & QUEUED) === 0) {
      this.#queue.push(id, this.#source.date(id), this.#source.generation(id))
      if (!isCommon) this.#open++
    } else if (isCommon) {
      this.#open--
    }
  }

  #count(id: number, colours: number): void {
    this.#open--
    this.#marks.add(id, COUNTED)
    this.#oldestCounted = Math.min(this.#oldestCounted, this.#source.date(id))
    this.#add(colours, 1)
  }

  /** A commit turns out to be common after it was counted. */
  #uncount(id: number, colours: number): void {
    this.#marks.remove(id, COUNTED)
    this.#add(colours, -1)
  }

  #add(colours: number, change: number): void {
    if (colours === LEFT) this.left += change
    else this.right += change
  }

  /** Whether a common commit in the queue may have a counted one among its ancestors. Those in the graph come in order: they do not. */
  #mayCorrect(): boolean {
    if (this.#queue.size === 0 || this.#oldestCounted === Infinity) return false
    if (this.#source.hasGenerations) return this.#queue.topGeneration === Infinity
    if (this.#queue.topDate >= this.#oldestCounted) return true
    return this.#slop-- > 0
  }
}
