import { TreeCursor } from '../diff/tree-cursor.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { commonPrefix, commonSuffix } from './common-bytes.ts'
import type { BytePath, Version } from './entry.ts'

const ZERO = 0x30
const SPACE = 0x20

/** One entry of a tree. Trees that are compared share those they have alike. */
export class TreeItem implements Version {
  readonly name: BytePath
  readonly mode: number
  /** Where it lies in the tree that it was first read from. */
  readonly start: number
  readonly end: number
  readonly #data: Uint8Array
  readonly #oidAt: number
  #oid: Oid | undefined

  constructor(data: Uint8Array, start: number, cursor: TreeCursor, rawLength: number) {
    this.name = Buffer.prototype.latin1Slice.call(data, cursor.nameStart, cursor.nameEnd)
    this.mode = cursor.mode
    this.start = start
    this.end = cursor.oidAt + rawLength
    this.#data = data
    this.#oidAt = cursor.oidAt
  }

  /** Whether its mode is not written in a way that git has given up: more bits than count now, or zeros in front. */
  get isWrittenAsNow(): boolean {
    if (this.#data[this.start] === ZERO) return false
    let mode = 0
    for (let at = this.start; this.#data[at] !== SPACE; at++) mode = mode * 8 + (this.#data[at] as number) - ZERO
    return mode === this.mode
  }

  /** Whether it lies right behind `other` in one tree. */
  follows(other: TreeItem): boolean {
    return this.#data === other.#data && this.start === other.end
  }

  /** The bytes of its tree from here up to the end of `last`. */
  rawUpTo(last: TreeItem): Uint8Array {
    return this.#data.subarray(this.start, last.end)
  }

  /** Whether both have the same mode and id; their ids are not made for that. */
  isSameAs(other: TreeItem): boolean {
    if (this.mode !== other.mode || this.end - this.#oidAt !== other.end - other.#oidAt) return false
    for (let i = this.end - 1, j = other.end - 1; i >= this.#oidAt; i--, j--) if (this.#data[i] !== other.#data[j]) return false
    return true
  }

  /** Most are never asked for theirs. */
  get oid(): Oid {
    this.#oid ??= oidAt(this.#data, this.#oidAt, this.end - this.#oidAt)
    return this.#oid
  }
}

export interface TreeItems {
  data: Uint8Array
  items: TreeItem[]
}

const none: TreeItems = { data: new Uint8Array(0), items: [] }

/**
 * The entries of a tree in its order; none for the empty tree, or for none.
 * @param like a tree read before: entries at the beginning and at the end that both have are taken from it
 * @throws GitError `corrupt`, `missing` or `limit`
 */
export function readTree(store: ObjectReader, oid: Oid | undefined, like: TreeItems = none): TreeItems {
  if (oid === undefined || oid === store.format.emptyTree) return none
  const { data } = store.get(oid, 'tree', defaultLimits.maxParsedBytes)
  const { rawLength } = store.format
  const items = itemsWithin(like, commonPrefix(data, like.data))
  const start = items.at(-1)?.end ?? 0
  const tail = new SharedTail(data, like, items.length, commonSuffix(data, like.data, start))
  const cursor = new TreeCursor(start === 0 ? data : data.subarray(start), rawLength)
  for (let at = start; !cursor.isAtEnd; ) {
    const shared = tail.itemsFrom(at)
    if (shared !== undefined) return { data, items: items.concat(shared) }
    const item = new TreeItem(cursor.data, at - start, cursor, rawLength)
    items.push(item)
    at = start + item.end
    cursor.next()
  }
  return { data, items }
}

/** The first entries, those that lie in the first `length` bytes. */
function itemsWithin({ items }: TreeItems, length: number): TreeItem[] {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((items[middle - 1] as TreeItem).end <= length) low = middle
    else high = middle - 1
  }
  return items.slice(0, low)
}

/** The entries that another tree ends with, as soon as an entry of ours begins where one of them does. */
class SharedTail {
  readonly #like: TreeItems
  /** What is added to a place in our tree for the same place, counted from the end, in the other. */
  readonly #shift: number
  readonly #from: number
  #next: number

  constructor(data: Uint8Array, like: TreeItems, next: number, length: number) {
    this.#like = like
    this.#shift = like.data.length - data.length
    this.#from = like.data.length - length
    this.#next = next
  }

  itemsFrom(at: number): TreeItem[] | undefined {
    const { items } = this.#like
    const there = at + this.#shift
    if (there < this.#from) return undefined
    while (this.#next < items.length && (items[this.#next] as TreeItem).start < there) this.#next++
    return items[this.#next]?.start === there ? items.slice(this.#next) : undefined
  }
}

/** The entries of one name in each of three trees. */
export type NamedItems = [TreeItem | undefined, TreeItem | undefined, TreeItem | undefined]

/**
 * Steps through three trees at once, name by name. A directory stands further back in its tree than a file of its name would, so that it is
 * looked for when another tree has that file. What is given is good until the next step. Source: `traverse_trees` of git's `tree-walk.c`.
 */
export function* itemsByName(trees: readonly [TreeItems, TreeItems, TreeItems]): Generator<NamedItems, void, undefined> {
  const heads = [new Head(trees[0].items), new Head(trees[1].items), new Head(trees[2].items)] as const
  const [base, ours, theirs] = heads
  const named: NamedItems = [undefined, undefined, undefined]
  for (;;) {
    const { item } = base
    if (item !== undefined && item === ours.item && item === theirs.item) {
      named.fill(item)
      for (const head of heads) head.skip()
    } else {
      const name = leastName(leastName(item?.name, ours.item?.name), theirs.item?.name)
      if (name === undefined) return
      named[0] = base.take(name)
      named[1] = ours.take(name)
      named[2] = theirs.take(name)
    }
    yield named
  }
}

function leastName(a: BytePath | undefined, b: BytePath | undefined): BytePath | undefined {
  return b === undefined || (a !== undefined && a <= b) ? a : b
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
    if (item.name !== name) return item.name.startsWith(name) ? this.#takeAhead(name) : undefined
    this.skip()
    return item
  }

  /** Takes the item whose turn it is. */
  skip(): void {
    this.#at++
    while (this.#taken.has(this.#at)) this.#at++
  }

  #takeAhead(name: BytePath): TreeItem | undefined {
    for (let at = this.#at; at < this.#items.length && (this.#items[at] as TreeItem).name.startsWith(name); at++) {
      if ((this.#items[at] as TreeItem).name !== name || this.#taken.has(at)) continue
      this.#taken.add(at)
      return this.#items[at]
    }
    return undefined
  }
}
