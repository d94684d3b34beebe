import type { CommitSource } from './commit-source.ts'

/**
 * `ids` reordered so that no commit comes before all its children among them, one line of history after the other:
 * `git rev-list --topo-order`. Source: git's `sort_in_topological_order`.
 */
export function topologicalOrder(source: CommitSource, ids: readonly number[]): number[] {
  const waiting = new Map<number, number>()
  for (const id of ids) waiting.set(id, 0)
  for (const id of ids) {
    for (const parent of source.parents(id)) {
      const children = waiting.get(parent)
      if (children !== undefined) waiting.set(parent, children + 1)
    }
  }
  const stack = ids.filter((id) => waiting.get(id) === 0).reverse()
  const ordered: number[] = []
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    ordered.push(id)
    for (const parent of source.parents(id)) {
      const children = waiting.get(parent)
      if (children === undefined) continue
      waiting.set(parent, children - 1)
      if (children === 1) stack.push(parent)
    }
  }
  return ordered
}
