import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { COMMITS_IN_STEP, Marks } from './marks.ts'

/** Reached from the first side, from the second; below a common ancestor; in the queue; found. */
export const LEFT = 1
export const RIGHT = 2
const STALE = 4
const COLOURS = LEFT | RIGHT | STALE
const QUEUED = 8
const FOUND = 16

/**
 * All best common ancestors of `a` and `b`, newest first: as `git merge-base --all` prints them. Empty when the
 * histories are unrelated. Several commits in place of `b` stand for a merge of them. With a commit-graph it visits
 * what lies above the bases and little more.
 */
export function* mergeBaseSteps(source: CommitSource, a: Oid, b: Oid | readonly Oid[]): Steps<Oid[]> {
  const left = source.idOf(a)
  const right = (typeof b === 'string' ? [b] : b).map((oid) => source.idOf(oid))
  if (right.includes(left)) return [a]
  const candidates = sortByDate(source, yield* new Painting(source, left, right).run())
  const bases = candidates.length > 1 ? yield* withoutAncestors(source, candidates) : candidates
  return bases.map((id) => source.oid(id))
}

/** Whether `a` is `b` or an ancestor of it. */
export function* ancestorSteps(source: CommitSource, a: Oid, b: Oid): Steps<boolean> {
  const [ancestor, descendant] = [source.idOf(a), source.idOf(b)]
  return ancestor === descendant || (yield* isReached(source, ancestor, [descendant]))
}

function* isReached(source: CommitSource, id: number, from: readonly number[]): Steps<boolean> {
  if (source.generation(id) !== Infinity) return yield* isReachedInGraph(source, id, from)
  const painting = new Painting(source, id, from)
  yield* painting.run()
  return painting.marks.has(id, RIGHT)
}

/** Nothing at or below the generation of `id` can lead to it, so what is there is not visited. */
function* isReachedInGraph(source: CommitSource, id: number, from: readonly number[]): Steps<boolean> {
  const lowest = source.generation(id)
  const seen = new Marks(source.size)
  const stack = [...from]
  let visited = 0
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === id) return true
    if (++visited % COMMITS_IN_STEP === 0) yield
    if (seen.has(at, 1) || source.generation(at) <= lowest) continue
    seen.add(at, 1)
    for (const parent of source.parents(at)) stack.push(parent)
  }
  return false
}

/** Clock skew can leave ancestors among the candidates; they go. */
function* withoutAncestors(source: CommitSource, candidates: readonly number[]): Steps<number[]> {
  const bases: number[] = []
  for (const id of candidates) {
    const others = candidates.filter((other) => other !== id)
    if (!(yield* isReached(source, id, others))) bases.push(id)
  }
  return bases
}

/** Newest first; equal dates stay in the order they were found. */
function sortByDate(source: CommitSource, ids: number[]): number[] {
  return ids.sort((x, y) => source.date(y) - source.date(x))
}

/**
 * Walks down from both sides at once, painting, until what is left can hold no common ancestor that is not below one found: what is left of
 * one side alone need not be walked to its end. That holds where commits come in the order of their generations, each behind all of its
 * descendants; before, among commits outside of the graph, the walk goes on until all that is left is stale.
 */
class Painting {
  readonly marks: Marks
  readonly #source: CommitSource
  readonly #queue = new CommitQueue()
  /** How many commits of each combination of colours are queued. */
  readonly #queued = [0, 0, 0, 0, 0, 0, 0, 0]

  constructor(source: CommitSource, left: number, right: readonly number[]) {
    this.#source = source
    this.marks = new Marks(source.size)
    this.#paint(left, LEFT)
    for (const id of right) this.#paint(id, RIGHT)
  }

  /** Common ancestors with no common ancestor found above them. */
  *run(): Steps<number[]> {
    const found: number[] = []
    let visited = 0
    while (!this.#isDone) {
      if (++visited % COMMITS_IN_STEP === 0) yield
      const id = this.#take()
      let colours = this.marks.of(id) & COLOURS
      if (colours === (LEFT | RIGHT)) {
        if (!this.marks.has(id, FOUND)) found.push(id)
        this.marks.add(id, FOUND)
        colours |= STALE
      }
      for (const parent of this.#source.parents(id)) this.#paint(parent, colours)
    }
    return found.filter((id) => !this.marks.has(id, STALE))
  }

  get #isDone(): boolean {
    const [left, right, both] = [this.#queued[LEFT] as number, this.#queued[RIGHT] as number, this.#queued[LEFT | RIGHT] as number]
    if (both > 0) return false
    return left + right === 0 || ((left === 0 || right === 0) && this.#queue.topGeneration < Infinity)
  }

  #take(): number {
    const id = this.#queue.pop()
    this.#count(this.marks.of(id), -1)
    this.marks.remove(id, QUEUED)
    return id
  }

  #paint(id: number, colours: number): void {
    const before = this.marks.of(id)
    if ((before & colours) === colours) return
    this.marks.add(id, colours | QUEUED)
    if ((before & QUEUED) === 0) this.#queue.push(id, this.#source.date(id), this.#source.generation(id))
    else this.#count(before, -1)
    this.#count(before | colours, 1)
  }

  #count(marks: number, change: 1 | -1): void {
    const colours = marks & COLOURS
    this.#queued[colours] = (this.#queued[colours] as number) + change
  }
}
