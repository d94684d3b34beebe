import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'

/**
 * `ids` reordered so that no commit comes before all its children among them, one line of history after the other:
 * `git rev-list --topo-order`. Source: git's `sort_in_topological_order`.
 */
export function topologicalOrder(source: CommitSource, ids: readonly number[]): number[] {
  const children = new Children(source, ids)
  const stack = children.none.reverse()
  const ordered: number[] = []
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    ordered.push(id)
    for (const parent of children.freedBy(id)) stack.push(parent)
  }
  return ordered
}

/** The same, of all commits that could come next the newest: `git rev-list --date-order`. */
export function dateOrder(source: CommitSource, ids: readonly number[]): number[] {
  const queue = new CommitQueue()
  const children = new Children(source, ids)
  for (const id of children.none) queue.push(id, source.date(id))
  const ordered: number[] = []
  for (let id = queue.pop(); id >= 0; id = queue.pop()) {
    ordered.push(id)
    for (const parent of children.freedBy(id)) queue.push(parent, source.date(parent))
  }
  return ordered
}

/** How many children of each commit have not come yet. */
class Children {
  /** Commits without any, in the order that was given. */
  readonly none: number[]
  readonly #source: CommitSource
  readonly #waiting: Map<number, number>

  constructor(source: CommitSource, ids: readonly number[]) {
    this.#source = source
    this.#waiting = new Map(ids.map((id) => [id, 0]))
    for (const id of ids) {
      for (const parent of source.parents(id)) {
        const children = this.#waiting.get(parent)
        if (children !== undefined) this.#waiting.set(parent, children + 1)
      }
    }
    this.none = ids.filter((id) => this.#waiting.get(id) === 0)
  }

  /** A commit has come: its parents that wait for no other child. */
  freedBy(id: number): number[] {
    const freed: number[] = []
    for (const parent of this.#source.parents(id)) {
      const children = this.#waiting.get(parent)
      if (children === undefined) continue
      this.#waiting.set(parent, children - 1)
      if (children === 1) freed.push(parent)
    }
    return freed
  }
}
