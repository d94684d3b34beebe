import { GitError } from '../errors.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import { type Oid, oidAt } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { PathFilter } from './path-filter.ts'
import { differencesOf, TreeCursor } from './tree-cursor.ts'

/** One side of a change. */
export interface TreeSide {
  mode: number
  oid: Oid
  /** Where attributes say that it is binary, or that it is not, whatever is in it. */
  isBinary?: boolean
}

/**
 * What happened to a path. `type-changed`: file, symbolic link and submodule became one another. A file that gives way
 * to a directory is two changes, as in `git diff-tree`.
 */
export type TreeChange = ChangedPath &
  (
    | { status: 'added'; old: undefined; new: TreeSide }
    | { status: 'deleted'; old: TreeSide; new: undefined }
    | { status: 'modified' | 'type-changed'; old: TreeSide; new: TreeSide }
  )

interface ChangedPath {
  /** Decoded as UTF-8, bytes that are not with U+FFFD in their place. */
  path: string
  /** The path's bytes, when `path` alone would not give them back. */
  rawPath?: Uint8Array
}

export interface TreeDiffOptions {
  /** Only changes at or below these paths; they are taken literally. Default: all. */
  paths?: readonly string[]
  /** Go into directories and give the files (`-r`); otherwise a changed directory is one change. Default: true. */
  recursive?: boolean
  /** How many changes to give before stopping with an error. Default: no limit, the caller stops when it has enough. */
  limit?: number
  maxDepth?: number
  maxTreeBytes?: number
}

/** What may be read of directories of which no file comes. Git makes none. */
const MAX_BARREN_BYTES = 16 * 1024 * 1024
const BARREN_COST = 256

/**
 * The changes from tree `a` to tree `b` (undefined: the empty tree) in the order of `git diff-tree`. Subtrees with the
 * same id are not read, and nothing is read ahead: a tree that unfolds into billions of files costs what is taken of it,
 * one that unfolds into billions of directories without a file what they are made of.
 * @throws GitError `limit` over `limit` or `maxDepth`, or when a path is too long or too many directories hold no file; `missing` or `corrupt` when a tree is
 */
export function* diffTrees(store: ObjectReader, a: Oid | undefined, b: Oid | undefined, options: TreeDiffOptions = {}): Generator<TreeChange, void, undefined> {
  const { limit = Infinity } = options
  let given = 0
  for (const change of new TreeDiff(store, options).between(a, b, { path: '' }, 0)) {
    if (++given > limit) throw new GitError('limit', `Cannot compare trees: more than ${limit} changes`)
    yield change
  }
}

class TreeDiff {
  readonly #store: ObjectReader
  readonly #filter: PathFilter
  readonly #isRecursive: boolean
  readonly #maxDepth: number
  readonly #maxTreeBytes: number
  #given = 0
  /** Pairs of directories that differ in no file. */
  readonly #barren = new Set<string>()
  #barrenBytes = 0

  constructor(store: ObjectReader, options: TreeDiffOptions) {
    this.#store = store
    this.#filter = new PathFilter(options.paths)
    this.#isRecursive = options.recursive ?? true
    this.#maxDepth = options.maxDepth ?? defaultLimits.maxTreeDepth
    this.#maxTreeBytes = options.maxTreeBytes ?? defaultLimits.maxParsedBytes
  }

  *between(a: Oid | undefined, b: Oid | undefined, prefix: ChangedPath, depth: number): Generator<TreeChange, void, undefined> {
    if (a === b || (this.#barren.size > 0 && this.#barren.has(`${a} ${b}`))) return
    if (depth > this.#maxDepth) throw new GitError('limit', `Cannot compare trees: directories are nested more than ${this.#maxDepth} levels deep`)
    const given = this.#given
    const [old, now] = [this.#open(a), this.#open(b)]
    for (const [left, right] of differencesOf(old, now)) yield* this.#entries(left, right, prefix, depth)
    // Elsewhere, of what is left out here, there may be something to give.
    if (this.#given === given && this.#filter.matches(prefix.path.slice(0, -1))) this.#noteBarren(`${a} ${b}`, old.data.length + now.data.length)
  }

  #noteBarren(pair: string, bytes: number): void {
    this.#barrenBytes += bytes + BARREN_COST
    if (this.#barrenBytes > MAX_BARREN_BYTES) throw new GitError('limit', 'Cannot compare trees: too many directories without files')
    this.#barren.add(pair)
  }

  #open(oid: Oid | undefined): TreeCursor {
    const isEmpty = oid === undefined || oid === this.#store.format.emptyTree
    const data = isEmpty ? new Uint8Array(0) : this.#store.get(oid, 'tree', this.#maxTreeBytes).data
    return new TreeCursor(data, this.#store.format.rawLength)
  }

  /** Two different entries of the same name and kind of name (directory or not), or one alone. */
  *#entries(left: TreeCursor | undefined, right: TreeCursor | undefined, prefix: ChangedPath, depth: number): Generator<TreeChange, void, undefined> {
    const some = (left ?? right) as TreeCursor
    const place = placeOf(prefix, some, this.#isRecursive && some.isDirectory ? '/' : '')
    if (this.#isRecursive && some.isDirectory) {
      if (this.#filter.mayHold(place.path.slice(0, -1))) yield* this.between(this.#oid(left), this.#oid(right), place, depth + 1)
    } else if (this.#filter.matches(place.path) || (some.isDirectory && this.#filter.mayHold(place.path))) {
      this.#given++
      yield change(place, this.#side(left), this.#side(right))
    }
  }

  #oid(cursor: TreeCursor | undefined): Oid | undefined {
    return cursor === undefined ? undefined : oidAt(cursor.data, cursor.oidAt, this.#store.format.rawLength)
  }

  #side(cursor: TreeCursor | undefined): TreeSide | undefined {
    return cursor === undefined ? undefined : { mode: cursor.mode, oid: this.#oid(cursor) as Oid }
  }
}

function placeOf(prefix: ChangedPath, cursor: TreeCursor, ending: '/' | ''): ChangedPath {
  const name = Buffer.prototype.utf8Slice.call(cursor.data, cursor.nameStart, cursor.nameEnd)
  const path = prefix.path + name + ending
  if (path.length > MAX_PATH_LENGTH) throw new GitError('limit', `Cannot compare trees: a path has more than ${MAX_PATH_LENGTH} characters`)
  if (prefix.rawPath === undefined && !name.includes('\ufffd')) return { path }
  const above = prefix.rawPath ?? Buffer.from(prefix.path)
  return { path, rawPath: Buffer.concat([above, cursor.data.subarray(cursor.nameStart, cursor.nameEnd), Buffer.from(ending)]) }
}

function change(place: ChangedPath, left: TreeSide | undefined, right: TreeSide | undefined): TreeChange {
  if (left === undefined) return { status: 'added', ...place, old: undefined, new: right as TreeSide }
  if (right === undefined) return { status: 'deleted', ...place, old: left, new: undefined }
  const isSameType = left.mode >> 12 === right.mode >> 12
  return { status: isSameType ? 'modified' : 'type-changed', ...place, old: left, new: right }
}
