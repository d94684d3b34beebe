import type { GitObject } from '../store/types.ts'

/** What an entry costs beside its data: the node, its place in a map, the object. */
const ENTRY_BYTES = 256

/**
 * Objects read before, kept for the deltas that stand on them; the least recently used go first when their bytes exceed the bound.
 * Keyed by pack and offset: each pack has a shelf. What it gives out is shared: nobody may write to the bytes or transfer them.
 */
export class BaseCache {
  readonly maxBytes: number
  #bytes = 0
  /** The ring's fixed node: the most recently used follows it, the least recently used precedes it. */
  readonly #ring: Node = ringNode()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Bytes held, an estimate of the bookkeeping included. */
  get bytes(): number {
    return this.#bytes
  }

  /** A new, empty shelf for one pack. */
  shelf(): CacheShelf {
    return new CacheShelf(this)
  }

  /** @internal for shelves */
  insert(node: Node): void {
    this.#bytes += node.size + ENTRY_BYTES
    this.#linkFirst(node)
    while (this.#bytes > this.maxBytes) this.remove(this.#ring.previous)
  }

  /** @internal for shelves */
  touch(node: Node): void {
    if (this.#ring.next === node) return
    unlink(node)
    this.#linkFirst(node)
  }

  /** @internal for shelves */
  remove(node: Node): void {
    unlink(node)
    node.shelf.delete(node.offset)
    this.#bytes -= node.size + ENTRY_BYTES
  }

  #linkFirst(node: Node): void {
    node.previous = this.#ring
    node.next = this.#ring.next
    this.#ring.next.previous = node
    this.#ring.next = node
  }
}

/** One pack's part of the cache. */
export class CacheShelf {
  readonly #cache: BaseCache
  readonly #nodes = new Map<number, Node>()

  constructor(cache: BaseCache) {
    this.#cache = cache
  }

  find(offset: number): GitObject | undefined {
    const node = this.#nodes.get(offset)
    if (node === undefined) return undefined
    // Someone transferred the bytes away after all.
    if (node.object.data.length !== node.size) return void this.#cache.remove(node)
    this.#cache.touch(node)
    return node.object
  }

  /** Keeps `object`, unless it would take more than a quarter of the whole cache. */
  add(offset: number, object: GitObject): void {
    const size = object.data.length
    if (size > this.#cache.maxBytes / 4 || this.#nodes.has(offset)) return
    const node: Node = { shelf: this.#nodes, offset, object, size, previous: undefined as never, next: undefined as never }
    this.#nodes.set(offset, node)
    this.#cache.insert(node)
  }

  clear(): void {
    for (const node of this.#nodes.values()) this.#cache.remove(node)
  }
}

interface Node {
  shelf: Map<number, Node>
  offset: number
  object: GitObject
  size: number
  previous: Node
  next: Node
}

function unlink(node: Node): void {
  node.previous.next = node.next
  node.next.previous = node.previous
}

function ringNode(): Node {
  const node = { shelf: new Map(), offset: 0, object: { type: 'blob', data: new Uint8Array() }, size: 0 } as unknown as Node
  node.previous = node
  node.next = node
  return node
}
