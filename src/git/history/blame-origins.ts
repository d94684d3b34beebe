import { isDue } from '#kernel/breathe.ts'
import { trimSlashes } from '../diff/path-filter.ts'
import { detectRenames } from '../diff/renames.ts'
import { diffTrees, type TreeChange } from '../diff/tree-diff.ts'
import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { keysOf, type PathKey } from './changed-paths.ts'
import type { CommitSource } from './commit-source.ts'
import { PathFinder } from './path-finder.ts'

/** Lines of the blamed file that an origin is suspected of. Lines are counted from 0. */
export interface Suspicion {
  /** In the blamed file. */
  line: number
  /** In the origin's. */
  originLine: number
  count: number
  /** Whether a commit that shall be ignored was passed over, by guessing which line it had changed. */
  isIgnored: boolean
  /** Whether the commit shall be ignored, and nothing like its line was there before. */
  isUnblamable: boolean
}

/** A file as some commit has it. */
export interface Origin {
  /** Of the commit, in the source. */
  id: number
  path: string
  oid: Oid
  mode: number
  /** What it is suspected of and has not passed on, by its own lines. */
  suspicions: Suspicion[]
  /** The file that it was compared with first. */
  previous: Origin | undefined
}

/** Where a commit changes more files than this, no renamed one is looked for. */
const MAX_CHANGES = 100_000

/** Keeps one origin for each commit and path, and finds where a file came from. Source: git's `blame.c`. */
export class BlameOrigins {
  readonly #source: CommitSource
  readonly #byCommit = new Map<number, Origin[]>()
  readonly #finders = new Map<string, { finder: PathFinder; keys: PathKey[] | undefined }>()

  constructor(source: CommitSource) {
    this.#source = source
  }

  /** The latest first. */
  of(id: number): readonly Origin[] {
    return this.#byCommit.get(id) ?? []
  }

  /** The file at `path` in a commit; undefined when there is none. */
  open(id: number, path: string): Origin | undefined {
    const entry = this.#finder(path).finder.find(this.#source.tree(id))
    return entry && this.#get(id, path, entry.oid, entry.mode)
  }

  /** The same path in a parent, unless it is not there or of another type. */
  samePath(parent: number, origin: Origin, isFirstParent: boolean): Origin | undefined {
    const known = this.of(parent).find(({ path }) => path === origin.path)
    if (known !== undefined) return known
    const { finder, keys } = this.#finder(origin.path)
    if (isFirstParent && keys !== undefined && !this.#source.mayHaveChanged(origin.id, keys)) return this.#get(parent, origin.path, origin.oid, origin.mode)
    const entry = finder.find(this.#source.tree(parent))
    return entry !== undefined && entry.mode >> 12 === origin.mode >> 12 ? this.#get(parent, origin.path, entry.oid, entry.mode) : undefined
  }

  /** The file in a parent that was renamed to this one. */
  *renamed(parent: number, origin: Origin): Steps<Origin | undefined> {
    const { store } = this.#source
    const changes: TreeChange[] = []
    let met = 0
    for (const change of diffTrees(store, this.#source.tree(parent), this.#source.tree(origin.id))) {
      if (++met > MAX_CHANGES) return undefined
      if (change.status === 'deleted' || (change.status === 'added' && change.path === origin.path)) changes.push(change)
      if (isDue()) yield
    }
    const moved = (yield* detectRenames(store, changes)).changes.find((change) => change.path === origin.path)
    return moved !== undefined && 'oldPath' in moved ? this.#get(parent, moved.oldPath, moved.old.oid, moved.old.mode) : undefined
  }

  #get(id: number, path: string, oid: Oid, mode: number): Origin {
    const known = this.#byCommit.get(id) ?? []
    const found = known.find((origin) => origin.path === path) ?? { id, path, oid, mode, suspicions: [], previous: undefined }
    this.#byCommit.set(id, [found, ...known.filter((origin) => origin !== found)])
    return found
  }

  #finder(path: string): { finder: PathFinder; keys: PathKey[] | undefined } {
    let finder = this.#finders.get(path)
    if (finder === undefined) this.#finders.set(path, (finder = { finder: new PathFinder(this.#source.store, path), keys: keysOf(trimSlashes(path)) }))
    return finder
  }
}
