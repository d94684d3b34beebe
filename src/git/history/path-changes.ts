import { trimSlashes } from '../diff/path-filter.ts'
import { keysOf, type PathKey } from './changed-paths.ts'
import type { CommitSource } from './commit-source.ts'
import { isSameEntry, type PathEntry, PathFinder } from './path-finder.ts'

/** What one commit means for the history of a path. */
export interface PathStep {
  /** Whether the commit is part of that history. */
  changed: boolean
  /** The parents through which the history goes on. */
  follow: readonly number[]
}

/** Compares commits with their parents at one path. Source: git's `try_to_simplify_commit` (`revision.c`). */
export class PathChanges {
  readonly #source: CommitSource
  readonly #finder: PathFinder
  readonly #keys: PathKey[] | undefined
  /** What commits that are still to come have at the path, as far as it is known. */
  readonly #entries = new Map<number, PathEntry | undefined>()

  constructor(source: CommitSource, path: string) {
    this.#source = source
    this.#finder = new PathFinder(source.store, path)
    this.#keys = keysOf(trimSlashes(path))
  }

  /**
   * To be asked once for each commit, children first. `isRelevant` tells which parents count; the others decide only
   * when none does.
   */
  at(id: number, isRelevant: (parent: number) => boolean): PathStep {
    const follow = [...this.#source.parents(id)]
    const step = this.#compare(id, follow, isRelevant)
    this.#entries.delete(id)
    return step
  }

  #compare(id: number, follow: readonly number[], isRelevant: (parent: number) => boolean): PathStep {
    const isLikeFirst = this.#keys !== undefined && !this.#source.mayHaveChanged(id, this.#keys)
    if (follow.length === 0) return { changed: !isLikeFirst && this.#entry(id) !== undefined, follow }
    const isSame = (parent: number): boolean => (isLikeFirst && parent === follow[0]) || this.#hasSame(id, parent)
    const relevant = follow.filter(isRelevant)
    const same = relevant.find(isSame)
    if (same !== undefined) return { changed: false, follow: [same] }
    return { changed: relevant.length > 0 || !follow.every(isSame), follow }
  }

  #hasSame(id: number, parent: number): boolean {
    return this.#source.tree(id) === this.#source.tree(parent) || isSameEntry(this.#entry(id), this.#entry(parent))
  }

  #entry(id: number): PathEntry | undefined {
    if (this.#entries.has(id)) return this.#entries.get(id)
    const entry = this.#finder.find(this.#source.tree(id))
    this.#entries.set(id, entry)
    return entry
  }
}
