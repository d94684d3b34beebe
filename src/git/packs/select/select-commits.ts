import type { Checkpoint } from '../../checkpoint.ts'
import { CommitQueue } from '../../history/commit-queue.ts'
import type { CommitSource } from '../../history/commit-source.ts'
import { Marks } from '../../history/marks.ts'
import { IntList } from './int-list.ts'

const QUEUED = 1
/** The client has it, and so all that it reaches. */
const UNINTERESTING = 2
const LISTED = 4

/** Uninteresting commits looked at after the last interesting one, because clocks of committers differ. As git does. */
const SLOP = 5

export interface CommitRange {
  /** Commit ids, as in a CommitSource. */
  wants: readonly number[]
  haves: readonly number[]
  /** Whether the parents of a commit are out of bounds: the boundary of a shallow clone. */
  isCut(id: number): boolean
  /** Called now and then. */
  checkpoint: Checkpoint
}

export interface SelectedCommits {
  /** What `wants` reach and `haves` do not. With committers' clocks askew, a few that the haves do reach. */
  ids: Uint32Array
  /** Parents of those that the client has. */
  edges: number[]
}

/** The commits between what is wanted and what is there. @throws GitError `missing` when history has holes */
export async function selectCommits(source: CommitSource, range: CommitRange): Promise<SelectedCommits> {
  const walk = new RangeWalk(source, range)
  const listed = await walk.run()
  return { ids: walk.withoutKnown(listed), edges: walk.edges(listed) }
}

class RangeWalk {
  readonly #source: CommitSource
  readonly #range: CommitRange
  readonly #marks: Marks
  readonly #queue = new CommitQueue()
  /** Queued commits that are not uninteresting. */
  #open = 0

  constructor(source: CommitSource, range: CommitRange) {
    this.#source = source
    this.#range = range
    this.#marks = new Marks(source.size)
    for (const id of range.haves) this.#meet(id, UNINTERESTING)
    for (const id of range.wants) this.#meet(id, 0)
  }

  async run(): Promise<IntList> {
    const listed = new IntList()
    let lastDate = Infinity
    let slop = SLOP
    for (;;) {
      slop = this.#open > 0 || this.#queue.topDate >= lastDate ? SLOP : slop - 1
      const id = slop > 0 ? this.#queue.pop() : -1
      if (id < 0) return listed
      if (this.#marks.has(id, UNINTERESTING)) {
        this.#spread(id)
      } else {
        this.#open--
        this.#marks.add(id, LISTED)
        listed.push(id)
        lastDate = this.#source.date(id)
        for (const parent of this.#parents(id)) this.#meet(parent, 0)
      }
      await this.#range.checkpoint()
    }
  }

  withoutKnown(listed: IntList): Uint32Array {
    return listed.view().filter((id) => !this.#marks.has(id, UNINTERESTING))
  }

  edges(listed: IntList): number[] {
    if (this.#range.haves.length === 0) return []
    const edges = new Set<number>()
    for (const id of listed.view()) {
      for (const parent of this.#parents(id)) if (this.#marks.has(parent, UNINTERESTING)) edges.add(parent)
    }
    return [...edges]
  }

  #parents(id: number): readonly number[] {
    return this.#range.isCut(id) ? [] : this.#source.parents(id)
  }

  #meet(id: number, bits: number): void {
    const before = this.#marks.of(id)
    this.#marks.add(id, QUEUED | bits)
    if ((before & QUEUED) === 0) {
      this.#queue.push(id, this.#source.date(id), this.#source.generation(id))
      if (bits === 0) this.#open++
    } else if (bits === UNINTERESTING && (before & UNINTERESTING) === 0 && (before & LISTED) === 0) {
      this.#open--
    }
  }

  /** Marks the parents of a commit that the client has, and further down where the walk has been before. */
  #spread(id: number): void {
    const stack = [id]
    for (let from = stack.pop(); from !== undefined; from = stack.pop()) {
      // The source lends its array of parents only until the next call.
      for (const parent of [...this.#parents(from)]) {
        const before = this.#marks.of(parent)
        if ((before & UNINTERESTING) !== 0) continue
        this.#meet(parent, UNINTERESTING)
        if ((before & LISTED) !== 0) stack.push(parent)
      }
    }
  }
}
