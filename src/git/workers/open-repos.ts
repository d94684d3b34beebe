import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type CommitGraph, commitGraphPath, findSoundCommitGraph } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { GitLimits } from '../limits.ts'
import { SHA1 } from '../objects/oid.ts'
import { CollectedBudget } from '../store/budget.ts'
import { DiskStore } from '../store/disk.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import type { ObjectReader } from '../store/types.ts'

/** Where a task works: named, because a worker opens its own files. */
export interface RepoPlace {
  /** The bare repository's directory. */
  path: string
  limits: GitLimits
  /** Another bare repository's, whose objects are read as if they were here. */
  beside?: string
}

const MAX_OPEN = 64
/** See `readFrugally`. */
const MANY_OBJECTS = 100_000
const BESIDE = '\0'

/** A repository as a thread has it open. */
export class OpenRepo {
  readonly path: string
  readonly limits: GitLimits
  readonly store: DiskStore
  readonly #alternates: string[] | undefined
  #graph: { graph: CommitGraph | undefined; stamp: string } | undefined

  constructor({ path, limits, beside }: RepoPlace) {
    this.path = path
    this.limits = limits
    this.#alternates = beside === undefined ? undefined : [join(beside, 'objects')]
    this.store = this.#open()
  }

  /**
   * Gives `work` a reader that keeps no more than `cacheBytes` and has what it dropped collected, for work that reads very much. In a small
   * repository that is the store that is open: opening one of many packs anew takes longer than the work.
   */
  async readFrugally<T>(cacheBytes: number, work: (reader: ObjectReader) => Promise<T>): Promise<T> {
    const own = countPacked(this.store) > MANY_OBJECTS ? this.#open(cacheBytes) : undefined
    try {
      return await work(new FrugalReader(own ?? this.store, new CollectedBudget()))
    } finally {
      own?.close()
    }
  }

  #open(cacheBytes?: number): DiskStore {
    return DiskStore.open(this.path, {
      limits: this.limits,
      ...(this.#alternates && { alternates: this.#alternates }),
      ...(cacheBytes !== undefined && { cacheBytes }),
    })
  }

  /** Its history for one walk, on the commit-graph as it is now. */
  commits(): CommitSource {
    return new CommitSource(this.store, this.graph())
  }

  /** The commit-graph as it is now; kept open until upkeep replaces it. Where the system does not let it be read there is none, and the next look may find it. */
  graph(): CommitGraph | undefined {
    try {
      return this.#currentGraph()
    } catch {
      this.#graph = undefined
      return undefined
    }
  }

  #currentGraph(): CommitGraph | undefined {
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

/** A repository, and how many work in it. */
interface Opened {
  readonly repo: OpenRepo
  users: number
}

/** The repositories a worker has files of open; those that nobody works in are closed, the least recently used first. */
export class OpenRepos {
  readonly #open = new Map<string, Opened>()

  /** Works in a repository, which stays open until that is over: what upkeep replaces meanwhile could not be opened again. */
  async use<T>(place: RepoPlace, work: (repo: OpenRepo) => Promise<T>): Promise<T> {
    const opened = this.#openLast(place)
    opened.users++
    try {
      return await work(opened.repo)
    } finally {
      opened.users--
      this.#closeUnused()
    }
  }

  /** Closes all files of a repository, whoever works in it. */
  forget(path: string): void {
    for (const key of [...this.#open.keys()]) if (key.split(BESIDE).includes(path)) this.#close(key)
  }

  #openLast(place: RepoPlace): Opened {
    const key = place.beside === undefined ? place.path : `${place.path}${BESIDE}${place.beside}`
    const opened = this.#open.get(key) ?? { repo: new OpenRepo(place), users: 0 }
    this.#open.delete(key)
    this.#open.set(key, opened)
    return opened
  }

  #closeUnused(): void {
    for (const [key, { users }] of this.#open) {
      if (this.#open.size <= MAX_OPEN) return
      if (users === 0) this.#close(key)
    }
  }

  #close(key: string): void {
    this.#open.get(key)?.repo.close()
    this.#open.delete(key)
  }
}

function countPacked({ packs }: DiskStore): number {
  return packs.reduce((sum, { index }) => sum + index.count, 0)
}
