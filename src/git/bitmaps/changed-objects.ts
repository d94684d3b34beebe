import { differencesOf, TreeCursor } from '../diff/tree-cursor.ts'
import type { IntList } from '../packs/select/int-list.ts'
import type { ObjectSpace } from '../packs/select/object-space.ts'

/** A tree, and what lies in its place in the parents; -1 where there is none. */
interface Place {
  tree: number
  bases: readonly number[]
}

interface Changed {
  number: number
  isDirectory: boolean
  bases: number[]
}

const RAW = 20
/** What was read and is of use no more piles up until the collector is called: by itself it goes by the size of what is alive. */
const MOST_DROPPED_BYTES = 24 * 1024 * 1024

/**
 * What the trees of commits have that those of their parents do not have at the same path: with all that the parents reach, it is all that
 * the commit reaches.
 */
export class ChangedObjects {
  readonly #space: ObjectSpace
  readonly #count: number
  /** By tree, for which commit it was looked into last: what it has beyond one base is had, whatever it has beyond another. */
  readonly #stamps: Uint32Array
  #stamp = 0
  #dropped = 0

  /** @param count objects from this number on lie outside of the pack in question */
  constructor(space: ObjectSpace, count: number) {
    this.#space = space
    this.#count = count
    this.#stamps = new Uint32Array(count)
  }

  /** Adds their numbers to `into`; false when something is not in the pack. @throws GitError as reading a tree does */
  list(tree: number, parents: readonly number[], into: IntList): boolean {
    this.#stamp++
    const places: Place[] = [{ tree, bases: parents }]
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (place.tree < 0 || place.tree >= this.#count) return false
      if (place.bases.includes(place.tree) || this.#stamps[place.tree] === this.#stamp) continue
      this.#stamps[place.tree] = this.#stamp
      into.push(place.tree)
      for (const { number, isDirectory, bases } of this.#changes(place)) {
        if (isDirectory) places.push({ tree: number, bases })
        else if (number < 0 || number >= this.#count) return false
        else into.push(number)
      }
    }
    return true
  }

  #read(tree: number): Uint8Array {
    const bytes = this.#space.readAs('tree', tree)
    this.#dropped += bytes.length
    if (this.#dropped > MOST_DROPPED_BYTES) {
      this.#dropped = 0
      Bun.gc(true)
    }
    return bytes
  }

  /** The entries that are in none of the bases. */
  #changes({ tree, bases }: Place): Iterable<Changed> {
    const bytes = this.#read(tree)
    let left: Map<number, Changed> | undefined
    for (const base of bases.length > 0 ? bases : [-1]) {
      const found = this.#beyond(base, bytes, left)
      left = found
      if (left.size === 0) break
    }
    return left?.values() ?? []
  }

  /** Of `among`, or else of all entries, those that a base does not have, by where their ids lie in `bytes`. */
  #beyond(base: number, bytes: Uint8Array, among: ReadonlyMap<number, Changed> | undefined): Map<number, Changed> {
    const found = new Map<number, Changed>()
    const old = base < 0 ? EMPTY : this.#read(base)
    for (const [left, right] of differencesOf(new TreeCursor(old, RAW), new TreeCursor(bytes, RAW))) {
      if (!right || right.isGitlink) continue
      const changed = among === undefined ? { number: this.#space.find(bytes, right.oidAt), isDirectory: right.isDirectory, bases: [] } : among.get(right.oidAt)
      if (changed === undefined) continue
      if (left?.isDirectory) changed.bases.push(this.#space.find(left.data, left.oidAt))
      found.set(right.oidAt, changed)
    }
    return found
  }
}

const EMPTY = new Uint8Array()
