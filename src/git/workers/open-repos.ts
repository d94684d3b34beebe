import { statSync } from 'node:fs'
import { type CommitGraph, commitGraphPath, findCommitGraph } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { GitLimits } from '../limits.ts'
import { SHA1 } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'

/** Where a task works: named, because a worker opens its own files. */
export interface RepoPlace {
  /** The bare repository's directory. */
  path: string
  limits: GitLimits
}

const MAX_OPEN = 64

/** A repository as a thread has it open. */
export class OpenRepo {
  readonly path: string
  readonly limits: GitLimits
  readonly store: DiskStore
  #graph: { graph: CommitGraph | undefined; stamp: string } | undefined

  constructor({ path, limits }: RepoPlace) {
    this.path = path
    this.limits = limits
    this.store = DiskStore.open(path, { limits })
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
    if (this.#graph?.stamp !== stamp) this.#graph = { graph: file && findCommitGraph(path, SHA1), stamp }
    return this.#graph.graph
  }

  close(): void {
    this.store.close()
  }
}

/** The repositories a worker has files of open, the least recently used closed first. */
export class OpenRepos {
  readonly #open = new Map<string, OpenRepo>()

  open(place: RepoPlace): OpenRepo {
    const known = this.#open.get(place.path)
    if (known) this.#open.delete(place.path)
    const repo = known ?? new OpenRepo(place)
    this.#open.set(place.path, repo)
    if (this.#open.size > MAX_OPEN) this.forget(this.#open.keys().next().value as string)
    return repo
  }

  forget(path: string): void {
    this.#open.get(path)?.close()
    this.#open.delete(path)
  }
}
