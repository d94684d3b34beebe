import { statSync } from 'node:fs'
import { join } from 'node:path'
import { LruMap } from '#kernel/lru-map.ts'
import { type CommitGraph, commitGraphPath, findSoundCommitGraph } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { GitLimits } from '../limits.ts'
import { SHA1 } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'

/** Where a task works: named, because a worker opens its own files. */
export interface RepoPlace {
  /** The bare repository's directory. */
  path: string
  limits: GitLimits
  /** Another bare repository's, whose objects are read as if they were here. */
  beside?: string
}

const MAX_OPEN = 64
const BESIDE = '\0'

/** A repository as a thread has it open. */
export class OpenRepo {
  readonly path: string
  readonly limits: GitLimits
  readonly store: DiskStore
  #graph: { graph: CommitGraph | undefined; stamp: string } | undefined

  constructor({ path, limits, beside }: RepoPlace) {
    this.path = path
    this.limits = limits
    this.store = DiskStore.open(path, { limits, ...(beside === undefined ? {} : { alternates: [join(beside, 'objects')] }) })
  }

  /** Its history for one walk, on the commit-graph as it is now. */
  commits(): CommitSource {
    return new CommitSource(this.store, this.graph())
  }

  /** The commit-graph as it is now; kept open until upkeep replaces it. */
  graph(): CommitGraph | undefined {
    const path = commitGraphPath(this.path)
    const file = statSync(path, { throwIfNoEntry: false })
    const stamp = file ? `${file.ino}:${file.mtimeMs}:${file.size}` : ''
    if (this.#graph?.stamp !== stamp) this.#graph = { graph: file && findSoundCommitGraph(path, SHA1), stamp }
    return this.#graph.graph
  }

  close(): void {
    this.store.close()
  }
}

/** The repositories a worker has files of open, the least recently used closed first. */
export class OpenRepos {
  readonly #open = new LruMap<string, OpenRepo>(MAX_OPEN, { onDrop: (repo) => repo.close() })

  open(place: RepoPlace): OpenRepo {
    const key = place.beside === undefined ? place.path : `${place.path}${BESIDE}${place.beside}`
    return this.#open.getOrInsertComputed(key, () => new OpenRepo(place))
  }

  /** Closes all files of a repository. */
  forget(path: string): void {
    for (const [key, repo] of this.#open) {
      if (!key.split(BESIDE).includes(path)) continue
      repo.close()
      this.#open.delete(key)
    }
  }
}
