import { join } from 'node:path'
import { findStoreById } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type ObjectType, type Oid, SHA1 } from '#git/objects/oid.ts'
import type { PushedTip } from '#git/packs/receive/peel.ts'
import { publishPacks } from '#git/packs/write/publish.ts'
import { HEADS } from '#git/refs/names.ts'
import type { MakerInput, MakerName, MakerResult } from '#git/workers/makers.ts'
import type { BroughtObjects } from '#git/workers/stream-tasks.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { endDoubt, isInDoubt, markInexact } from './exactness-store.ts'
import { RefHooks } from './hooks.ts'
import { discard, quarantineName } from './leftovers.ts'
import { type ComingMove, type GuardFacts, type RefMove, Unprepared } from './ref-guard.ts'
import type { RefResult, RefUpdate } from './ref-update.ts'
import { isMany, type StagedRefs, stageRefs, unstageRefs } from './stage-refs.ts'
import { StagingMutex } from './staged-names.ts'
import { listBatches } from './store.ts'
import { policiesOf, type RefPolicy, type RefUpdates, updateRefs } from './update-refs.ts'

/** Objects that lie in a writing's quarantine. */
export interface NewObjects {
  /** The pack that holds them; undefined when nothing is new. */
  packPath: string | undefined
  /** What refs are to point to, among them what was stored before. */
  tips: readonly PushedTip[]
  /** Whether all of the pack is reachable from the tips. */
  isClosed: boolean
}

/** Moves refs to new objects as `updateRefs` does, and lets everybody see the objects when any of the refs moved. */
export type MoveRefs = (request: Omit<RefUpdates, 'repoId' | 'leavesUnreachable' | 'facts'>) => RefResult[]

/** So often a move is prepared: somebody changes the rules each time that it is about to land. */
const MAX_TRIES = 3

/**
 * The one way to change a repository's content, for pushes, API commits, merges, forks and mirrors alike. From the first object to
 * the ref that needs it the repository is held: upkeep, which asks for it alone, removes nothing meanwhile. Objects are made in a
 * worker (a maker of `git/workers/makers.ts`) and lie in quarantine, where nobody sees them; `land` moves the refs and publishes the
 * objects in one transaction, or does neither.
 *
 *     const oid = await writeObjects(context, repo.id, async (writing) => {
 *       const commit = await writing.make('firstCommit', { files, who, message })
 *       const request = { actorId, message, updates: [{ name, old: SHA1.zero, new: commit }] }
 *       await writing.landPrepared(request, (tx, move) => {
 *         recheckAccount(tx, actor)                       // whatever must hold is asked on rows read in this transaction
 *         const [result] = move(request)
 *         if (!result.ok) throw new Conflict(result.reason) // nothing moves, nothing is left behind
 *       })
 *       return commit
 *     })
 *
 * Whoever only points a ref at what is stored already holds it, too: `await writing.make('nothing', { tips: [oid] })`.
 * @throws NotFound when the repository goes meanwhile
 */
export async function writeObjects<T>(context: Context, repoId: number, write: (writing: ObjectWriting) => Promise<T>): Promise<T> {
  const writing = await ObjectWriting.begin(context, repoId)
  try {
    return await write(writing)
  } catch (error) {
    throw writing.isGone ? new NotFound(undefined, { cause: error }) : error
  } finally {
    await writing.end()
  }
}

/** A move before it is made. */
type Coming = RefMove & Pick<RefUpdates, 'updates'>

/** One change of a repository's content, under way. Whoever began it must call `end`. */
export class ObjectWriting {
  /** Where its objects lie until they are published; made by whoever writes the first. */
  readonly quarantine: string
  readonly #context: Context
  readonly #repoId: number
  readonly #leave: () => void
  #staged: StagedRefs | undefined
  #releaseStaging: (() => void) | undefined
  #brought: BroughtObjects | undefined
  #facts: GuardFacts | undefined
  #objects: NewObjects = { packPath: undefined, tips: [], isClosed: true }

  /** Waits while upkeep has the repository for itself, which is for a moment. */
  static async begin(context: Context, repoId: number): Promise<ObjectWriting> {
    return new ObjectWriting(context, repoId, await context.pushes.share(repoId))
  }

  private constructor(context: Context, repoId: number, leave: () => void) {
    this.#context = context
    this.#repoId = repoId
    this.#leave = leave
    this.quarantine = join(context.git.pathOf(repoId), 'objects', quarantineName('incoming'))
  }

  /** The repository has been deleted since. */
  get isGone(): boolean {
    return findStoreById(this.#context.db, this.#repoId) === undefined
  }

  /**
   * Makes all that the change needs, at once, in a worker; what was brought before can be built upon.
   * @throws GitError as the maker does, and when a push of the same would be refused
   */
  async make<K extends MakerName>(maker: K, input: MakerInput<K>): Promise<MakerResult<K>> {
    const brought = this.#brought?.packPath
    const place = brought === undefined ? this.quarantine : join(this.quarantine, 'made')
    const { result, packPath, tips } = await this.#context.git.make(maker, this.#repoId, input, place, brought)
    this.take({ packPath, tips, isClosed: true })
    return result
  }

  /**
   * Brings what commits of another repository reach, and this one lacks: without a network, checked as a push would be. The refs that are
   * moved must reach all of it. Once at most, and before anything is made.
   * @throws GitError `missing` when the other one has them no more, and when a push of the same would be refused; NotFound when it is gone
   */
  async bring(fromId: number, commits: readonly Oid[]): Promise<void> {
    const { git, db, pushes, config } = this.#context
    const leave = await pushes.share(fromId)
    try {
      if (!findStoreById(db, fromId)) throw new NotFound()
      const call = git.bring(this.#repoId, fromId, commits, this.quarantine)
      const deadline = setTimeout(() => call.abort(), config.git.REQUEST_SECONDS * 1000)
      this.#brought = await call.result.finally(() => clearTimeout(deadline))
    } finally {
      leave()
    }
  }

  /** Says what somebody else has put into the quarantine. */
  take(objects: NewObjects): void {
    this.#objects = objects
  }

  /**
   * Writes very many moves of refs ahead, while others go on: what `land` is then asked for must be the same. For few, nothing happens.
   * When `land` throws StaleStage, once more.
   */
  async stage(request: Parameters<MoveRefs>[0]): Promise<void> {
    if (!isMany(this.#repoId, request.updates)) return
    this.#releaseStaging ??= await this.#context.services.get(StagingMutex).acquire(this.#repoId)
    if (this.#staged) await this.#unstage(this.#staged)
    await this.#prepare(request)
    const tips = this.#tips()
    const common = this.#common(request, tips)
    this.#staged = await stageRefs(this.#context, this.#repoId, request.updates, {
      complete: (update) => describe(tips, update),
      policies: (tx, repo) => policiesOf(this.#context, tx, repo, common),
    })
  }

  /**
   * Lands a move of branches, which rules of theirs may be about: what those ask of its objects is found out first, and again when the rules
   * have changed by the time it lands. For where no rule asks anything it is `land`.
   * @throws Unprepared when they change each time
   */
  async landPrepared<T>(coming: Coming, work: (tx: Tx, move: MoveRefs) => T extends PromiseLike<unknown> ? never : T): Promise<T> {
    for (let tries = 1; ; tries++) {
      // Of many that land together each waits for the disk, and nobody else is to wait for all of them.
      if (isDue()) await breathe()
      // What is written ahead was prepared, too.
      if (!this.#staged || tries > 1) await this.#prepare(coming)
      try {
        return this.land(work)
      } catch (error) {
        if (!(error instanceof Unprepared) || tries === MAX_TRIES) throw error
      }
    }
  }

  async #prepare(coming: Coming): Promise<void> {
    const facts = new Map<object, unknown>()
    const isCommit = commitsOnly(this.#tips())
    let commits: readonly RefUpdate[] | undefined
    const move: ComingMove = {
      ...coming,
      repoId: this.#repoId,
      packPaths: this.#packs(),
      // There may be very many, and seldom is anybody interested.
      get updates() {
        commits ??= coming.updates.filter((update) => isCommit(update) === undefined)
        return commits
      },
    }
    for (const { guard, find } of this.#context.services.get(RefHooks).finders) {
      const found = find(this.#context, move)
      if (found) facts.set(guard, await found)
    }
    this.#facts = facts
  }

  /**
   * One transaction without a pause, in which `work` judges and moves refs. The store counts as inexact, durably, before anything new is
   * published, and as exact as it was with the refs: a crash in between leaves an unreferenced pack that no fetch gives out and upkeep removes.
   * @throws NotFound when the repository is gone
   */
  land<T>(work: (tx: Tx, move: MoveRefs) => T extends PromiseLike<unknown> ? never : T): T {
    const { db } = this.#context
    if (this.isGone) throw new NotFound()
    const packs = this.#packs()
    const isSure = packs.length > 0 && !isInDoubt(db, this.#repoId)
    if (isSure) db.tx((tx) => markInexact(tx, this.#repoId))
    let isPublished = false
    try {
      return db.tx((tx) => {
        if (isSure) endDoubt(tx, this.#repoId)
        const moved = new Set<Oid>()
        const answer = work(tx, (request) => {
          const results = this.#move(tx, request)
          for (const target of this.#targetsOf(request, results)) moved.add(target)
          return results
        })
        if (moved.size > 0 && packs.length > 0) {
          isPublished = true
          // What came for a ref that did not move is reached by none.
          if (!this.#tipsOfRefs().every(({ oid }) => moved.has(oid))) markInexact(tx, this.#repoId)
          publishPacks(packs, join(this.#context.git.pathOf(this.#repoId), 'objects', 'pack'))
        }
        return answer
      }) as T
    } catch (error) {
      if (isSure && !isPublished) db.tx((tx) => endDoubt(tx, this.#repoId))
      throw error
    }
  }

  /** Leaves the repository to others. What did not land is removed; that it could not be is no reason to fail what did. */
  async end(): Promise<void> {
    this.#leave()
    if (this.#staged) await this.#unstage(this.#staged)
    this.#releaseStaging?.()
    await discard(this.#context, this.quarantine)
  }

  /** Nothing is left to take away where the refs have become visible. */
  async #unstage(staged: StagedRefs): Promise<void> {
    this.#staged = undefined
    staged.names.end(this.#context, this.#repoId)
    if (this.isGone) return
    // Rows of a batch that is listed no more are everybody's.
    if (!listBatches(this.#context.db).some(({ id }) => id === staged.batch)) return
    await unstageRefs(this.#context, staged).catch((error) => this.#context.log.error('cannot remove staged refs', error, { repo: this.#repoId }))
  }

  #move(tx: Tx, request: Parameters<MoveRefs>[0]): RefResult[] {
    const tips = this.#tips()
    const common = this.#common(request, tips)
    const staged = this.#staged
    if (staged?.asked === request.updates.length) return updateRefs(this.#context, tx, { ...common, staged })
    return updateRefs(this.#context, tx, { ...common, updates: request.updates.map((update) => describe(tips, update)) })
  }

  /** What the refs point to that moved. */
  *#targetsOf({ updates }: Parameters<MoveRefs>[0], results: RefResult[]): Iterable<Oid> {
    if (results === this.#staged?.results.done) return yield* this.#staged.targets
    for (const [i, result] of results.entries()) if (result.ok) yield updates[i]?.new as Oid
  }

  #common(request: Parameters<MoveRefs>[0], tips: ReadonlyMap<Oid, PushedTip>): RefUpdates {
    const isCommit = commitsOnly(tips)
    const branchesAreCommits: RefPolicy = Object.assign((_tx: Tx, _repo: unknown, update: RefUpdate) => isCommit(update), { basis: () => '' })
    const policies: RefPolicy[] = [branchesAreCommits, ...(request.policies ?? [])]
    return { ...request, policies, repoId: this.#repoId, leavesUnreachable: !this.#objects.isClosed, facts: this.#facts }
  }

  #tips(): Map<Oid, PushedTip> {
    return new Map([...(this.#brought?.tips ?? []), ...this.#objects.tips].map((tip) => [tip.oid, tip]))
  }

  /** What is made on top of what was brought reaches it. */
  #tipsOfRefs(): readonly PushedTip[] {
    return this.#objects.tips.length > 0 ? this.#objects.tips : (this.#brought?.tips ?? [])
  }

  #packs(): string[] {
    return [this.#brought?.packPath, this.#objects.packPath].filter((path) => path !== undefined)
  }
}

/** The update with what is known of its target. */
function describe(tips: ReadonlyMap<Oid, PushedTip>, update: RefUpdate): RefUpdate {
  const tip = tips.get(update.new)
  return { ...update, peeled: tip?.peeled, time: tip?.time }
}

/** Branches point to commits: anything else would break every reader of the branch. */
function commitsOnly(tips: ReadonlyMap<Oid, { type: ObjectType }>): (update: RefUpdate) => string | undefined {
  return (update) => {
    if (update.new === SHA1.zero || !update.name.startsWith(HEADS)) return undefined
    const type = tips.get(update.new)?.type
    return type === 'commit' ? undefined : `cannot update a branch to a ${type ?? 'missing object'}`
  }
}
