import { trimSlashes } from '../diff/path-filter.ts'
import { GitError } from '../errors.ts'
import { defaultLimits, MAX_PATH_LENGTH } from '../limits.ts'
import { findHostility } from '../objects/hostile-names.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE, type TreeEntry } from '../objects/tree.ts'
import { Porcelain } from '../porcelain.ts'
import type { ScratchStore } from '../store/scratch-store.ts'

/** What a path of a tree holds. */
export interface EditedEntry {
  mode: number
  oid: Oid
}

/** A directory that has been looked into. */
interface Directory {
  entries: Map<string, TreeEntry>
  /** Those of its directories that have been looked into, too. */
  inside: Map<string, Directory>
}

/** Directories that one change makes: each is an object, and paths of a few kilobytes name a thousand. */
const MAX_MADE = 20_000

/** A tree under change. Only what lies on the way to a change is read and written; what becomes empty goes, as git knows no empty directories. */
export class EditableTree {
  readonly #store: ScratchStore
  readonly #root: Directory
  #made = 0

  /** @param root undefined for a repository without a commit */
  constructor(store: ScratchStore, root: Oid | undefined) {
    this.#store = store
    this.#root = this.#read(root)
  }

  /** What lies there; nothing where all that a directory held has been taken away. @param path as `checkPath` lets it through */
  find(path: string): EditedEntry | undefined {
    const parts = path.split('/')
    let at: Directory | undefined = this.#root
    for (const name of parts.slice(0, -1)) {
      at = at && this.#enter(at, name)
      if (at === undefined) return undefined
    }
    const name = parts.at(-1) as string
    const inside = at?.inside.get(name)
    return inside && isEmpty(inside) ? undefined : at?.entries.get(name)
  }

  /**
   * Puts a file, link or submodule there, in place of what was.
   * @throws GitError `refused` when it would lie in a file, or in place of a directory; `limit` when very many directories are to be made
   */
  put(path: string, { mode, oid }: EditedEntry): void {
    const parts = path.split('/')
    const name = parts.pop() as string
    let at = this.#root
    let way = ''
    for (const part of parts) {
      way = way === '' ? part : `${way}/${part}`
      at = this.#enter(at, part) ?? this.#make(at, part, way)
    }
    const inTheWay = this.#enter(at, name)
    if (inTheWay && !isEmpty(inTheWay)) throw new GitError('refused', `a directory exists where you’re trying to create a file [path: ${path}]`)
    at.inside.delete(name)
    at.entries.set(name, { name, mode, oid })
  }

  /** Takes away a file, or a directory with all that is in it. @returns whether it was there */
  remove(path: string): boolean {
    const isThere = this.find(path) !== undefined
    const parts = path.split('/')
    const name = parts.pop() as string
    let at: Directory | undefined = this.#root
    for (const part of parts) at = at && this.#enter(at, part)
    at?.entries.delete(name)
    at?.inside.delete(name)
    return isThere
  }

  /** The id of the whole tree; every directory that changed is written. @throws GitError `refused` on names that no tree may have */
  write(): Oid {
    return this.#write(new Porcelain(this.#store), this.#root) ?? new Porcelain(this.#store).writeTree([])
  }

  #write(porcelain: Porcelain, directory: Directory): Oid | undefined {
    for (const [name, inside] of directory.inside) {
      const oid = this.#write(porcelain, inside)
      if (oid === undefined) directory.entries.delete(name)
      else directory.entries.set(name, { ...(directory.entries.get(name) as TreeEntry), mode: TREE_MODE, oid })
    }
    return directory.entries.size === 0 ? undefined : porcelain.writeTree([...directory.entries.values()])
  }

  #enter(at: Directory, name: string): Directory | undefined {
    const known = at.inside.get(name)
    if (known) return known
    const entry = at.entries.get(name)
    if (entry?.mode !== TREE_MODE) return undefined
    const inside = this.#read(entry.oid)
    at.inside.set(name, inside)
    return inside
  }

  #make(at: Directory, name: string, way: string): Directory {
    if (at.entries.has(name)) throw new GitError('refused', `a file exists where you’re trying to create a subdirectory [path: ${way}]`)
    if (++this.#made > MAX_MADE) throw new GitError('limit', `Cannot change the files: more than ${MAX_MADE} directories would be created`)
    const inside: Directory = { entries: new Map(), inside: new Map() }
    at.entries.set(name, { name, mode: TREE_MODE, oid: this.#store.format.emptyTree })
    at.inside.set(name, inside)
    return inside
  }

  #read(oid: Oid | undefined): Directory {
    const entries = oid === undefined || oid === this.#store.format.emptyTree ? [] : parseTree(this.#store.get(oid, 'tree', defaultLimits.maxParsedBytes).data)
    return { entries: new Map(entries.map((entry) => [entry.name, entry])), inside: new Map() }
  }
}

/** Whether all that was in it has been taken away. */
function isEmpty({ entries, inside }: Directory): boolean {
  for (const [name, { mode }] of entries) {
    const below = mode === TREE_MODE ? inside.get(name) : undefined
    if (below === undefined || !isEmpty(below)) return false
  }
  return true
}

/**
 * A path that a tree may be given, from the root, with slashes; those at the ends do not count.
 * @throws GitError `refused` for names that git would not check out, `.git` in any spelling among them
 */
export function checkPath(text: string): string {
  const parts = trimSlashes(text).split('/')
  const isWrong = text.length > MAX_PATH_LENGTH || parts.length > defaultLimits.maxTreeDepth
  if (isWrong || parts.some((part) => part.includes('\0') || findHostility(part) !== undefined)) {
    throw new GitError('refused', `path contains a malformed path component [path: ${text.slice(0, 200)}]`)
  }
  return parts.join('/')
}
