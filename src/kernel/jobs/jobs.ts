import { isDue } from '../breathe.ts'
import type { Clock } from '../clock.ts'
import type { Database, Db, Tx } from '../db.ts'
import { type DiskWatch, diskTroubleOf } from '../disk-trouble.ts'
import { Busy, messageOf, Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Tasks } from '../tasks.ts'
import { type AnyAsyncJob, type AnyJobKind, type AnySlicedJob, done, type JobKind, type Json } from './define-job.ts'
import * as store from './store.ts'

export interface JobOptions<Cursor extends Json = Json> {
  /** Unix seconds; default: at once. */
  runAt?: number
  /** A job of the same kind and key makes room for this one, which begins anew. Default: none does. */
  key?: string | number
  /** How far it has come already. */
  cursor?: Cursor
}

/** A job as administrators see it. Times are Unix seconds. */
export interface WaitingJob {
  id: number
  kind: string
  title: string
  key: string | null
  createdAt: number
  /** 0: as soon as its turn comes. */
  runAt: number
  attempts: number
  lastError: string
}

interface Parts {
  db: Database
  tasks: Tasks
  clock: Clock
  log: Log
  disk?: DiskWatch
  /** Whether a slice of so many steps was long enough. Default: once the thread has worked for a few milliseconds without letting anybody else in. */
  isSliceOver?: ((steps: number) => boolean) | undefined
}

/** No message that somebody wants to read is longer. */
const LONGEST_ERROR = 2000
/** What failed is tried again so much later, and after each further failure after twice as long. */
const RETRY_SECONDS = 1
const LONGEST_RETRY_SECONDS = 300
/** How often the store is asked for jobs that another process has left there. */
const LOOK_SECONDS = 60
const LOOK_TASK = 'background jobs'

/**
 * Work that outlives its request: rows, written in the transaction that makes the work necessary, and done afterwards. A kind is done a slice in a
 * transaction, and kinds take turns; what fails is tried again, each time after twice as long; what a crash interrupts is gone on with at the next start.
 */
export class Jobs<Context> {
  readonly #parts: Parts & { isSliceOver: (steps: number) => boolean }
  readonly #context: () => Context
  readonly #load: (room: string) => Promise<readonly AnyJobKind<Context>[]>
  readonly #kinds = new Map<string, AnyJobKind<Context>>()
  /** Kinds of which there may be a job that is due, the next one first. */
  readonly #turns = new Set<string>()
  readonly #running = new Map<number, { row: store.JobRow; run: Promise<void> }>()
  readonly #stopping = new AbortController()
  /** Those who wait for a job, by its kind and key. */
  readonly #waiters = new Map<string, PromiseWithResolvers<void>[]>()
  #work: Promise<void> | undefined
  /** Kinds of which a slice is under way: what follows its commit may begin others. */
  readonly #slicing = new Set<string>()
  /** Kinds of which one had its first slice out of turn since the last turn, and that was not all. */
  readonly #hurried = new Set<string>()
  #refusals = 0
  /** When it looks again, in Unix seconds. */
  #nextLook = Number.POSITIVE_INFINITY

  /**
   * @param context asked for with the first job, since it holds this itself
   * @param load the kinds of a room, as its `slice.ts` lists them
   */
  constructor(parts: Parts, context: () => Context, load: (room: string) => Promise<readonly AnyJobKind<Context>[]>) {
    this.#parts = { ...parts, isSliceOver: parts.isSliceOver ?? isDue }
    this.#context = context
    this.#load = load
  }

  /**
   * Writes a job down; it begins when `tx` is committed, with a first slice before its caller goes on, which is all there is of most.
   * @returns its id
   */
  enqueue<Args extends Json, Cursor extends Json>(
    tx: Tx,
    kind: JobKind<Context, Args, Cursor>,
    args: Args,
    { runAt = 0, key, cursor }: JobOptions<Cursor> = {},
  ): number {
    this.#kinds.set(kind.kind, kind)
    const id = store.putJob(tx, {
      kind: kind.kind,
      key: key === undefined ? null : String(key),
      args: JSON.stringify(args),
      cursor: cursor === undefined ? null : JSON.stringify(cursor),
      run_at: runAt,
      created_at: this.#parts.clock.seconds(),
    })
    tx.onCommit(() => {
      this.#turns.add(kind.kind)
      if (runAt === 0 && 'slice' in kind) this.#hurry(kind, id)
      this.#begin()
    })
    return id
  }

  /** Takes back a job that is no longer necessary; one that runs now is not stopped. */
  cancel(tx: Tx, { kind }: Pick<AnyJobKind<Context>, 'kind'>, key: string | number): void {
    store.deleteByKey(tx, kind, String(key))
  }

  /**
   * Waits for the job with this key, which was just written down.
   * @throws what it fails with, though it is tried again; Problem 503 when the server stops before
   */
  finished({ kind }: Pick<AnyJobKind<Context>, 'kind'>, key: string | number): Promise<void> {
    const waiter = Promise.withResolvers<void>()
    const name = `${kind} ${key}`
    this.#waiters.set(name, [...(this.#waiters.get(name) ?? []), waiter])
    return waiter.promise
  }

  /** Goes on with the jobs of earlier runs and other processes, and looks for them again and again. */
  async start(): Promise<void> {
    this.#parts.tasks.every(LOOK_SECONDS, LOOK_TASK, () => this.resume())
    await this.resume()
  }

  /** Does what is due, whoever wrote it down. Resolves when nothing is left to do now, or the server stops. */
  async resume(): Promise<void> {
    for (const kind of store.listKinds(this.#parts.db)) if (await this.#find(kind)) this.#turns.add(kind)
    void this.#begin()
    while (this.#work || this.#running.size > 0) await Promise.all([this.#work, ...[...this.#running.values()].map(({ run }) => run)])
  }

  /** What waits, and what does not succeed: that comes first. */
  async list(db: Db, page: { limit: number; offset: number }): Promise<{ jobs: WaitingJob[]; total: number }> {
    const jobs: WaitingJob[] = []
    for (const row of store.listJobs(db, page.limit, page.offset)) {
      const { id, kind, key, attempts, last_error: lastError, created_at: createdAt, run_at: runAt } = row
      jobs.push({ id, kind, title: (await this.#find(kind))?.title ?? kind, key, createdAt, runAt, attempts, lastError })
    }
    return { jobs, total: store.countJobs(db) }
  }

  /** Has a job run now, whatever it waits for. @returns whether there is such a job */
  async retry(id: number): Promise<boolean> {
    const { db } = this.#parts
    const kind = store.findJob(db, id)?.kind
    if (kind === undefined || !db.tx((tx) => store.hasten(tx, id))) return false
    if (await this.#find(kind)) this.#turns.add(kind)
    void this.#begin()
    return true
  }

  /** Has what waits for something else break off; before `Tasks.stop`, which waits for it. */
  stop(): void {
    this.#stopping.abort()
    const stopped = new Problem(503, 'The server is stopping; it goes on with this when it is started again.')
    for (const { reject } of [...this.#waiters.values()].flat()) reject(stopped)
    this.#waiters.clear()
  }

  /** By the name that stands in the store; undefined: this version has no such kind. */
  async #find(name: string): Promise<AnyJobKind<Context> | undefined> {
    const [room = ''] = name.split('.', 1)
    if (!this.#kinds.has(name)) for (const kind of await this.#load(room)) this.#kinds.set(kind.kind, kind)
    return this.#kinds.get(name)
  }

  /** The first slice of what was just written down, unless others of its kind are before it, or it was another's turn a moment ago and that is not over. */
  #hurry(kind: AnySlicedJob<Context>, id: number): void {
    if (this.#slicing.has(kind.kind) || this.#hurried.has(kind.kind) || this.#parts.tasks.isStopping) return
    if (this.#due(kind, 1)[0]?.id !== id) return
    try {
      this.#slice(kind)
      if (this.#due(kind, 1).length > 0) this.#hurried.add(kind.kind)
    } catch (error) {
      // Whoever wrote the job down has what they asked for; the job has another turn.
      this.#parts.log.warn('a background job cannot begin yet', { kind: kind.kind, error: messageOf(error) })
    }
  }

  /** Works until nothing is left to do now. Resolves then, or when the server stops, or when the disk refuses. */
  #begin(): Promise<void> {
    if (this.#work) return this.#work
    if (this.#parts.tasks.isStopping) return Promise.resolve()
    let isOver = false
    const work = async () => {
      do {
        await this.#parts.db.rest()
        this.#hurried.clear()
      } while (!this.#parts.tasks.isStopping && this.#takeTurn())
      isOver = true
      this.#refusals = 0
      // Whatever is written down from here on begins anew.
      this.#work = undefined
      this.#beginInTime()
    }
    this.#work = this.#parts.tasks.start(LOOK_TASK, work).then(() => {
      if (isOver || this.#parts.tasks.isStopping) return
      this.#work = undefined
      this.#beginAfter(secondsAfter(this.#refusals++))
    })
    return this.#work
  }

  /** One kind after the other. @returns whether any had something to do */
  #takeTurn(): boolean {
    for (const name of [...this.#turns]) {
      const kind = this.#kinds.get(name)
      // Its next turn is after those of all others.
      this.#turns.delete(name)
      if (!kind || !('slice' in kind ? this.#slice(kind) : this.#launch(kind))) continue
      this.#turns.add(name)
      return true
    }
    return false
  }

  #due(kind: AnyJobKind<Context>, limit: number): store.JobRow[] {
    const { clock, db } = this.#parts
    return store.listDue(db, kind.kind, clock.seconds(), kind.order, limit)
  }

  /** As much as fits into a slice of the thread's time, in one transaction; of several jobs, where each is little. @returns whether there was anything */
  #slice(kind: AnySlicedJob<Context>): boolean {
    const { db, isSliceOver } = this.#parts
    let row: store.JobRow | undefined
    this.#slicing.add(kind.kind)
    try {
      return db.provisional((tx) => {
        row = this.#due(kind, 1)[0]
        for (let [next, steps] = [row, 1]; next; next = isSliceOver(steps++) ? undefined : this.#due(kind, 1)[0]) {
          row = next
          const cursor = next.cursor === null ? undefined : JSON.parse(next.cursor)
          this.#noteProgress(tx, next, kind.slice(tx, JSON.parse(next.args), cursor, { context: this.#context(), id: next.id }))
        }
        return row !== undefined
      })
    } catch (error) {
      if (!row || isRefusal(error)) throw error
      this.#fail(row, error)
      return true
    } finally {
      this.#slicing.delete(kind.kind)
    }
  }

  /** Starts the next job that waits for something else, unless as many run as may. @returns whether there was one */
  #launch(kind: AnyAsyncJob<Context>): boolean {
    const { tasks } = this.#parts
    const running = [...this.#running.values()].flatMap(({ row }) => (row.kind === kind.kind ? row : []))
    if (running.length >= (kind.atOnce ?? 1)) return false
    const isRunning = ({ id, key }: store.JobRow) => running.some((one) => one.id === id || (key !== null && one.key === key))
    const row = this.#due(kind, running.length + 1).find((one) => !isRunning(one))
    if (!row) return false
    let isNoted = false
    const work = async () => {
      await this.#run(kind, row)
      isNoted = true
    }
    const run = tasks.start(kind.title, work).finally(() => {
      this.#running.delete(row.id)
      if (!isNoted) return this.#beginAfter(secondsAfter(this.#refusals++))
      this.#turns.add(kind.kind)
      void this.#begin()
    })
    this.#running.set(row.id, { row, run })
    return true
  }

  async #run(kind: AnyAsyncJob<Context>, row: store.JobRow): Promise<void> {
    const { signal } = this.#stopping
    try {
      const cursor = row.cursor === null ? undefined : JSON.parse(row.cursor)
      const result = await kind.run(JSON.parse(row.args), cursor, { context: this.#context(), id: row.id, signal, attempts: row.attempts })
      this.#parts.db.provisional((tx) => this.#noteProgress(tx, row, result))
    } catch (error) {
      // A server that stops has made it fail; it is for the next start.
      if (!signal.aborted) this.#fail(row, error)
    }
  }

  #noteProgress(tx: Tx, row: store.JobRow, cursor: Json): void {
    if (cursor !== done) return store.moveCursor(tx, row.id, JSON.stringify(cursor))
    store.deleteJob(tx, row.id)
    tx.onCommit(() => this.#answer(row, ({ resolve }) => resolve()))
  }

  #answer({ kind, key }: store.JobRow, answer: (waiter: PromiseWithResolvers<void>) => void): void {
    const name = `${kind} ${key}`
    for (const waiter of this.#waiters.get(name) ?? []) answer(waiter)
    this.#waiters.delete(name)
  }

  #fail(row: store.JobRow, error: unknown): void {
    const { id, kind, attempts } = row
    const { clock, db, disk, log } = this.#parts
    log.error(`background job "${kind}" failed`, error)
    disk?.report(error)
    this.#answer(row, ({ reject }) => reject(error))
    const failure = { run_at: clock.seconds() + secondsAfter(attempts), attempts: attempts + 1, last_error: messageOf(error).slice(0, LONGEST_ERROR) }
    db.provisional((tx) => store.noteFailure(tx, id, failure))
  }

  /** Begins when the next job is due that waits for its time. */
  #beginInTime(): void {
    const { clock, db } = this.#parts
    const now = clock.seconds()
    const times = [...this.#kinds.keys()].flatMap((kind) => store.findNextTime(db, kind, now) ?? [])
    if (times.length > 0) this.#beginAfter(Math.min(Math.min(...times) - now, LOOK_SECONDS))
  }

  #beginAfter(seconds: number): void {
    const { clock, tasks } = this.#parts
    const at = clock.seconds() + seconds
    if (at >= this.#nextLook || tasks.isStopping) return
    this.#nextLook = at
    tasks.later(seconds * 1000, LOOK_TASK, () => {
      if (this.#nextLook === at) this.#nextLook = Number.POSITIVE_INFINITY
      for (const kind of this.#kinds.keys()) this.#turns.add(kind)
      return this.#begin()
    })
  }
}

/** The store does not take anything now, whatever the job: that is not its failure. */
function isRefusal(error: unknown): boolean {
  return error instanceof Busy || diskTroubleOf(error) !== undefined
}

/** @param failures before this one */
function secondsAfter(failures: number): number {
  return Math.min(RETRY_SECONDS * 2 ** failures, LONGEST_RETRY_SECONDS)
}
