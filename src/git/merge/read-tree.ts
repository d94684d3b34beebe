import { TreeCursor } from '../diff/tree-cursor.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import type { BytePath, Version } from './entry.ts'

/** One entry of a tree. */
export interface TreeItem extends Version {
  name: BytePath
}

const none: readonly TreeItem[] = []

/** The entries of a tree in its order; none for the empty tree, or for none. @throws GitError `corrupt`, `missing` or `limit` */
export function readTree(store: ObjectReader, oid: Oid | undefined): readonly TreeItem[] {
  if (oid === undefined || oid === store.format.emptyTree) return none
  const { data } = store.get(oid, 'tree', defaultLimits.maxParsedBytes)
  const items: TreeItem[] = []
  const { rawLength } = store.format
  for (const cursor = new TreeCursor(data, rawLength); !cursor.isAtEnd; cursor.next()) {
    items.push({
      name: Buffer.prototype.latin1Slice.call(data, cursor.nameStart, cursor.nameEnd),
      mode: cursor.mode,
      oid: oidAt(data, cursor.oidAt, rawLength),
    })
  }
  return items
}

/** The entries of one name in each of three trees. */
export type NamedItems = [TreeItem | undefined, TreeItem | undefined, TreeItem | undefined]

/**
 * Steps through three trees at once, name by name. A directory stands further back in its tree than a file of its name would, so that it is
 * looked for when another tree has that file. Source: `traverse_trees` of git's `tree-walk.c`.
 */
export function* itemsByName(trees: readonly [readonly TreeItem[], readonly TreeItem[], readonly TreeItem[]]): Generator<NamedItems, void, undefined> {
  const heads = trees.map((items) => new Head(items))
  for (;;) {
    let first: BytePath | undefined
    for (const { item } of heads) if (item !== undefined && (first === undefined || item.name < first)) first = item.name
    if (first === undefined) return
    const name = first
    yield heads.map((head) => head.take(name)) as NamedItems
  }
}

class Head {
  readonly #items: readonly TreeItem[]
  /** Places of directories that were taken before their turn. */
  readonly #taken = new Set<number>()
  #at = 0

  constructor(items: readonly TreeItem[]) {
    this.#items = items
  }

  get item(): TreeItem | undefined {
    return this.#items[this.#at]
  }

  take(name: BytePath): TreeItem | undefined {
    const { item } = this
    if (item === undefined) return undefined
    if (item.name !== name) return this.#takeAhead(name)
    this.#at++
    while (this.#taken.has(this.#at)) this.#at++
    return item
  }

  #takeAhead(name: BytePath): TreeItem | undefined {
    for (let at = this.#at; at < this.#items.length && this.#items[at].name.startsWith(name); at++) {
      if (this.#items[at].name !== name || this.#taken.has(at)) continue
      this.#taken.add(at)
      return this.#items[at]
    }
    return undefined
  }
}
