import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import type { ObjectReader } from '../store/types.ts'

/** A directory with its entries, of which the one that leads on to a path is unfolded. */
export interface Unfolded {
  entries: { name: string; mode: number }[]
  /** Whether there are more than are given. */
  isCut: boolean
  /** The entry that is open, and what is in it. */
  open?: { name: string; inside: Unfolded }
}

/**
 * The directories on the way to a path, each with its entries: directories first, at most `most` of each, the one that leads on always among them.
 * @throws GitError `missing` or `corrupt` when a tree on the way is
 */
export function listAlong(store: ObjectReader, tree: Oid, path: string, most: number): Unfolded {
  const [name, ...rest] = path.split('/')
  if (tree === store.format.emptyTree) return { entries: [], isCut: false }
  const all = parseTree(store.get(tree, 'tree', defaultLimits.maxParsedBytes).data, defaultLimits, store.format.rawLength)
  const next = all.find((one) => one.name === name)
  const sorted = [...all.filter(({ mode }) => mode === TREE_MODE), ...all.filter(({ mode }) => mode !== TREE_MODE)]
  const shown = sorted.slice(0, most)
  if (next && !shown.includes(next)) shown.push(next)
  const found: Unfolded = { entries: shown.map((one) => ({ name: one.name, mode: one.mode })), isCut: shown.length < all.length }
  if (next?.mode === TREE_MODE && rest.length > 0) found.open = { name: next.name, inside: listAlong(store, next.oid, rest.join('/'), most) }
  return found
}
