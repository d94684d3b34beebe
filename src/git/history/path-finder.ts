import { trimSlashes } from '../diff/path-filter.ts'
import { TreeCursor } from '../diff/tree-cursor.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'

const CACHED_DIRECTORIES = 2048
const DIRECTORY = 0o040000

/** What lies at a path of a tree. */
export interface PathEntry {
  mode: number
  oid: Oid
}

/** Finds the same path in one tree after another. Directories on the way that it has seen are not read again. */
export class PathFinder {
  readonly #store: ObjectReader
  readonly #names: Uint8Array[]
  /** Id of the first directory → what lies at the rest of the path below it. Root trees hardly ever repeat. */
  readonly #known = new Map<Oid, PathEntry | undefined>()

  /** @param path slashes at either end do not count; empty for the root itself. @throws GitError `limit` when it is too deep */
  constructor(store: ObjectReader, path: string) {
    this.#store = store
    const trimmed = trimSlashes(path)
    this.#names = trimmed === '' ? [] : trimmed.split('/').map((name) => Buffer.from(name))
    if (this.#names.length > defaultLimits.maxTreeDepth) throw new GitError('limit', `Cannot look up path: more than ${defaultLimits.maxTreeDepth} parts`)
  }

  /** What `root` has at the path; an empty directory is nothing. @throws GitError `missing` or `corrupt` when a tree on the way is */
  find(root: Oid): PathEntry | undefined {
    const entry = this.#findAny(root)
    return entry?.oid === this.#store.format.emptyTree ? undefined : entry
  }

  #findAny(root: Oid): PathEntry | undefined {
    if (this.#names.length === 0) return { mode: DIRECTORY, oid: root }
    const first = this.#step(root, 0)
    if (this.#names.length === 1) return first
    return first?.mode === DIRECTORY ? this.#findBelow(first.oid) : undefined
  }

  /** The rest of the path below its first directory, from memory if that has been met before. */
  #findBelow(directory: Oid): PathEntry | undefined {
    if (this.#known.has(directory)) return this.#known.get(directory)
    let entry: PathEntry | undefined = { mode: DIRECTORY, oid: directory }
    for (let depth = 1; depth < this.#names.length && entry !== undefined; depth++) {
      entry = entry.mode === DIRECTORY ? this.#step(entry.oid, depth) : undefined
    }
    if (this.#known.size >= CACHED_DIRECTORIES) this.#known.clear()
    this.#known.set(directory, entry)
    return entry
  }

  #step(tree: Oid, depth: number): PathEntry | undefined {
    const { format } = this.#store
    if (tree === format.emptyTree) return undefined
    const name = this.#names[depth] as Uint8Array
    const { data } = this.#store.get(tree, 'tree', defaultLimits.maxParsedBytes)
    for (const cursor = new TreeCursor(data, format.rawLength); !cursor.isAtEnd; cursor.next()) {
      if (cursor.isNamed(name)) return { mode: cursor.mode, oid: oidAt(data, cursor.oidAt, format.rawLength) }
    }
    return undefined
  }
}

export function isSameEntry(a: PathEntry | undefined, b: PathEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode
}
