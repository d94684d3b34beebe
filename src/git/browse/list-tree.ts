import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { eachEntry, parseTree, TREE_MODE, type TreeEntry } from '../objects/tree.ts'
import { getHeader } from '../store/rules.ts'
import type { ObjectReader } from '../store/types.ts'

/** One line of `git ls-tree -t -l`. */
export interface ListedEntry {
  /** From the listed tree, with slashes. */
  path: string
  mode: number
  oid: Oid
  /** A blob's length in bytes; 0 for directories and submodules, as Gitea has it. */
  size: number
}

export interface ListTreeOptions {
  recursive: boolean
  offset: number
  limit: number
}

export interface TreeListing {
  entries: ListedEntry[]
  /** Entries on all pages; at most `Number.MAX_SAFE_INTEGER`. */
  total: number
}

/**
 * One page of a tree. Subtrees before the page are counted and not unfolded, each distinct one once: a dozen trees that
 * unfold into ten billion files (CVE-2017-15298) cost a dozen reads.
 * @throws GitError `missing` or `corrupt` when a tree is, `limit` when trees lie too deep, or a path on the page is too long
 */
export async function listTree(store: ObjectReader, root: Oid, options: ListTreeOptions): Promise<TreeListing> {
  const lister = new TreeLister(store, options)
  const total = options.recursive ? await lister.count(root, 0) : lister.entriesOf(root).length
  if (options.offset < total) await lister.list(root, '', 0)
  return { entries: lister.found, total }
}

class TreeLister {
  readonly found: ListedEntry[] = []
  readonly #store: ObjectReader
  readonly #options: ListTreeOptions
  readonly #counts = new Map<Oid, number>()
  /** Entries still to pass over. */
  #skip: number

  constructor(store: ObjectReader, options: ListTreeOptions) {
    this.#store = store
    this.#options = options
    this.#skip = options.offset
  }

  entriesOf(tree: Oid): TreeEntry[] {
    return parseTree(this.#read(tree), defaultLimits, this.#store.format.rawLength)
  }

  /** How many entries there are at and below `tree`. */
  async count(tree: Oid, depth: number): Promise<number> {
    const known = this.#counts.get(tree)
    if (known !== undefined) return known
    refuseTooDeep(depth)
    if (isDue()) await breathe()
    let total = 0
    for (const child of this.#subtrees(tree, (entries) => (total = entries))) total += await this.count(child, depth + 1)
    total = Math.min(total, Number.MAX_SAFE_INTEGER)
    this.#counts.set(tree, total)
    return total
  }

  /** Collects what of `tree` lies on the page. */
  async list(tree: Oid, prefix: string, depth: number): Promise<void> {
    refuseTooDeep(depth)
    for (const entry of this.entriesOf(tree)) {
      if (this.found.length === this.#options.limit) return
      if (isDue()) await breathe()
      this.#take(entry, prefix)
      if (entry.mode !== TREE_MODE || !this.#options.recursive) continue
      const inside = await this.count(entry.oid, depth + 1)
      if (inside <= this.#skip) this.#skip -= inside
      else await this.list(entry.oid, `${prefix}${entry.name}/`, depth + 1)
    }
  }

  #take({ mode, name, oid }: TreeEntry, prefix: string): void {
    if (this.#skip > 0) {
      this.#skip--
      return
    }
    const path = prefix + name
    if (path.length > MAX_PATH_LENGTH) throw new GitError('limit', `Cannot list tree: a path has more than ${MAX_PATH_LENGTH} characters`)
    this.found.push({ path, mode, oid, size: sizeOf(this.#store, mode, oid) })
  }

  /** The ids of the directories in `tree`; tells how many entries of all kinds there are. */
  #subtrees(tree: Oid, tell: (entries: number) => void): Oid[] {
    const children: Oid[] = []
    let entries = 0
    const data = this.#read(tree)
    const rawLength = this.#store.format.rawLength
    eachEntry(
      data,
      (mode, _start, _end, at) => {
        entries++
        if (mode === TREE_MODE) children.push(Buffer.prototype.hexSlice.call(data, at, at + rawLength) as Oid)
      },
      rawLength,
    )
    tell(entries)
    return children
  }

  #read(tree: Oid): Uint8Array {
    return tree === this.#store.format.emptyTree ? new Uint8Array(0) : this.#store.get(tree, 'tree', defaultLimits.maxParsedBytes).data
  }
}

/** 0 for what is no blob. @throws GitError `missing` for a blob that is not there */
export function sizeOf(store: ObjectReader, mode: number, oid: Oid): number {
  const bits = mode & 0o170000
  return bits === 0o100000 || bits === 0o120000 ? getHeader(store, oid).size : 0
}

function refuseTooDeep(depth: number): void {
  if (depth > defaultLimits.maxTreeDepth)
    throw new GitError('limit', `Cannot list tree: directories are nested more than ${defaultLimits.maxTreeDepth} levels deep`)
}
