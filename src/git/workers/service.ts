import { existsSync, renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LruMap } from '#kernel/lru-map.ts'
import { type ArchiveOptions, archiveTag, checkPrefix } from '../archive/options.ts'
import type { BundleRef } from '../archive/write-bundle.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { releaseMapsSoon } from '../mapped-files.ts'
import type { ObjectFormat, Oid } from '../objects/oid.ts'
import type { WholeTrailer } from '../packs/write/write-pack.ts'
import { Budget } from '../store/budget.ts'
import { completeBareRepository, DiskStore, initBareRepository, listMissingParts } from '../store/disk.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import { namesIn } from '../store/loose.ts'
import { removeTree, removeTreeNow } from '../store/remove-tree.ts'
import type { ObjectIndex, ObjectReader } from '../store/types.ts'
import { type LookInput, type LookName, type LookResult, looks } from './looks.ts'
import type { MadeObjects } from './make-tasks.ts'
import type { MakerInput, MakerName, MakerResult } from './makers.ts'
import type { RepoPlace } from './open-repos.ts'
import { type LateInput, type StreamCall, WorkerPool } from './pool.ts'
import type { BroughtObjects } from './stream-tasks.ts'
import type { TaskName, TaskOutput } from './tasks.ts'

export interface GitServiceOptions {
  /** Where repositories live, `<id>.git` each, and those with a negative id as `<id>.wiki.git`. */
  directory: string
  limits: GitLimits
  /** Worker threads. */
  workers: number
  /** Bytes that the work in them may reserve together. */
  memoryBytes?: number
  /** Hears why work in one of them failed, whatever is made of that. */
  onFailure?: (error: Error) => void
}

/** A repository by its id; or one with the objects of another, for what compares the two. */
export type Where = number | { id: number; beside: number }

const MAX_OPEN_STORES = 128
/** What one look may inflate on the main thread: enough for a list of fifty ordinary commits, and soon done. */
const LOOK_BYTES = 128 * 1024
/** How names of directories begin that were set aside. */
const ASIDE = 'aside-'

/**
 * The git engine as the main thread sees it: repositories by id, looks at single small objects here, everything else in a worker.
 */
export class GitService {
  readonly limits: GitLimits
  readonly pool: WorkerPool
  /** What those repositories end with that were last sent whole, by their ids: the threads that found it have ended by the next time. */
  readonly trailers = new LruMap<number, WholeTrailer>(MAX_OPEN_STORES)
  readonly #directory: string
  readonly #stores = new LruMap<number, DiskStore>(MAX_OPEN_STORES, { onDrop: (store) => store.close() })

  constructor(options: GitServiceOptions) {
    this.#directory = options.directory
    this.limits = options.limits
    this.pool = new WorkerPool(options.workers, options.onFailure, options.memoryBytes)
  }

  /** The bare repository's directory. */
  pathOf(repoId: number): string {
    return join(this.#directory, `${directoryName(repoId)}.git`)
  }

  /** Which objects are there. What is in them is told by `look`: on the main thread nothing is inflated without a bound. */
  storeOf(repoId: number): ObjectIndex & Pick<DiskStore, 'close'> {
    return this.#storeOf(repoId)
  }

  /**
   * Looks at single objects: here while that inflates little, else in a worker. An object's length does not tell which: the bases of its
   * delta may be a thousand times as long.
   */
  async look<K extends LookName>(name: K, repoId: number, input: LookInput<K>): Promise<LookResult<K>> {
    try {
      const look = looks[name] as (store: ObjectReader, input: LookInput<K>) => LookResult<K>
      return look(new FrugalReader(this.#storeOf(repoId), new Budget(LOOK_BYTES)), input)
    } catch (error) {
      if (!(error instanceof GitError) || error.kind !== 'limit') throw error
    }
    return (await this.run('look', repoId, { name, input })) as LookResult<K>
  }

  #storeOf(repoId: number): DiskStore {
    releaseMapsSoon()
    return this.#stores.getOrInsertComputed(repoId, () => DiskStore.open(this.pathOf(repoId), { limits: this.limits }))
  }

  create(repoId: number, defaultBranch: string, format: ObjectFormat): void {
    initBareRepository(this.pathOf(repoId), defaultBranch, format)
  }

  /** Returns which files and folders a repository's directory lacks; undefined when the directory is missing. */
  findMissingParts(repoId: number): string[] | undefined {
    const path = this.pathOf(repoId)
    return existsSync(path) ? listMissingParts(path) : undefined
  }

  /** Creates what `findMissingParts` returns. */
  complete(repoId: number, defaultBranch: string, format: ObjectFormat): void {
    this.#release(repoId)
    completeBareRepository(this.pathOf(repoId), defaultBranch, format)
  }

  /** Removes a repository's directory, whatever is left of it, on a thread of the file system's: a large one takes seconds. */
  async remove(repoId: number): Promise<void> {
    this.#release(repoId)
    await removeTree(this.pathOf(repoId))
  }

  /** The same at once, for a directory that holds no more than `create` makes. */
  clear(repoId: number): void {
    this.#release(repoId)
    removeTreeNow(this.pathOf(repoId))
  }

  /**
   * Moves a directory that holds objects which no row knows of out of the way, as a store restored from an older database has them.
   * @returns where it is now; undefined when there was none, or nothing in it, and it is simply gone
   */
  setAside(repoId: number, now: number): string | undefined {
    const path = this.pathOf(repoId)
    if (!holdsObjects(path)) {
      this.clear(repoId)
      return undefined
    }
    this.#release(repoId)
    const aside = join(this.#directory, `${ASIDE}${directoryName(repoId)}-${now}.git`)
    renameSync(path, aside)
    return aside
  }

  /** Ids of the directories there are. */
  async listIds(): Promise<number[]> {
    return (await readdir(this.#directory)).flatMap((name) => idOf(name) ?? [])
  }

  /** The directories that `setAside` moved, of those with one id the latest first. */
  async listAside(): Promise<{ id: number | undefined; path: string }[]> {
    const names = (await readdir(this.#directory)).filter((name) => name.startsWith(ASIDE))
    return names
      .sort()
      .reverse()
      .map((name) => ({ id: idOf(name.slice(ASIDE.length).replace(/-\d+(?=\.git$)/, '')), path: join(this.#directory, name) }))
  }

  /** Moves one of them back when it holds `oid` and what is in its place does not, which is then set aside. @returns whether it did */
  putBack(repoId: number, aside: string, oid: Oid, now: number): boolean {
    const path = this.pathOf(repoId)
    if (this.#holds(path, oid) || !this.#holds(aside, oid)) return false
    this.setAside(repoId, now)
    renameSync(aside, path)
    return true
  }

  #holds(path: string, oid: Oid): boolean {
    const store = DiskStore.open(path, { limits: this.limits })
    try {
      return store.has(oid)
    } finally {
      store.close()
    }
  }

  /** Runs a task on a repository in a worker. @param input and isBrief: see `WorkerPool.run` */
  run<K extends TaskName>(task: K, where: Where, input: LateInput<K>, isBrief?: boolean): Promise<TaskOutput<K>> {
    return this.pool.run(task, this.placeOf(where), input, isBrief)
  }

  /** What workers open. */
  placeOf(where: Where): RepoPlace {
    if (typeof where === 'number') return { path: this.pathOf(where), limits: this.limits }
    return { path: this.pathOf(where.id), limits: this.limits, beside: this.pathOf(where.beside) }
  }

  /**
   * Makes new objects in a worker; they are left in `quarantine`, a directory that is not there yet. See makers.ts.
   * @param brought a pack that nobody else sees yet, which they may stand on
   */
  async make<K extends MakerName>(
    maker: K,
    repoId: number,
    input: MakerInput<K>,
    quarantine: string,
    brought?: string,
  ): Promise<MadeObjects & { result: MakerResult<K> }> {
    const made = await this.run('makeObjects', repoId, { maker, input, quarantine, brought })
    return made as MadeObjects & { result: MakerResult<K> }
  }

  /**
   * Brings what commits of another repository reach into `quarantine`, a directory that is not there yet, but for what is stored here.
   * Upkeep must be kept off both.
   */
  bring(repoId: number, fromId: number, tips: readonly Oid[], quarantine: string): StreamCall<BroughtObjects> {
    return this.pool.stream('bring', { path: this.pathOf(repoId), limits: this.limits }, { from: this.pathOf(fromId), tips, quarantine })
  }

  /**
   * An archive of a commit, tag or tree. Its bytes are named by `tag` (of a resolved id: ask with that of the commit, not of a branch);
   * work begins with `open`; `isPaced` says that a client takes it as it is made.
   * @throws GitError `refused` for a bad prefix
   */
  archive(repoId: number, oid: Oid, options: ArchiveOptions): { tag: string; open(isPaced?: boolean): StreamCall<void> } {
    checkPrefix(options.prefix ?? '')
    const place = { path: this.pathOf(repoId), limits: this.limits }
    return { tag: archiveTag(oid, options), open: (isPaced = false) => this.pool.stream('archive', place, { oid, options, isPaced }) }
  }

  /** A git bundle of `refs` and all that they reach. */
  bundle(repoId: number, refs: readonly BundleRef[]): StreamCall<void> {
    return this.pool.stream('bundle', { path: this.pathOf(repoId), limits: this.limits }, { refs })
  }

  async close(): Promise<void> {
    for (const id of [...this.#stores.keys()]) this.#forget(id)
    await this.pool.close()
  }

  /** Nobody keeps its files open: some file systems remove no open ones. */
  #release(repoId: number): void {
    this.#forget(repoId)
    this.trailers.delete(repoId)
    this.pool.forget(this.pathOf(repoId))
  }

  #forget(repoId: number): void {
    this.#stores.get(repoId)?.close()
    this.#stores.delete(repoId)
  }
}

function directoryName(repoId: number): string {
  return repoId < 0 ? `${-repoId}.wiki` : String(repoId)
}

function idOf(name: string): number | undefined {
  const [, id, wiki] = /^(\d{1,15})(\.wiki)?\.git$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id) * (wiki ? -1 : 1)
}

/** Whether anything was ever stored in a bare repository's directory. @throws Error when it cannot be read: then nobody knows */
function holdsObjects(path: string): boolean {
  return namesIn(join(path, 'objects')).some((name) => /^[0-9a-f]{2}$/.test(name)) || namesIn(join(path, 'objects', 'pack')).length > 0
}
