import { isDue } from '../breathe.ts'
import type { Clock } from '../clock.ts'
import type { Database, LongDb, Tx } from '../db.ts'
import { type DiskWatch, diskTroubleOf } from '../disk-trouble.ts'
import { Busy, messageOf, Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Page } from '../page.ts'
import type { Tasks } from '../tasks.ts'
import { type AnyAsyncJob, type AnyBatchJob, type AnyJobKind, done, type JobKind, type Json } from './define-job.ts'
import * as store from './store.ts'

export interface JobOptions<Cursor extends Json = Json> {
  /** Unix seconds; default: now. */
  runAt?: number
  /** Replaces the job with the same kind and key. Default: the job replaces none. */
  key?: string | number
  /** The progress to start from. Default: the start. */
  cursor?: Cursor
}

/** A job for site administrators. Times are Unix seconds. */
export interface JobSummary {
  id: number
  kind: string
  title: string
  key: string | null
  createdAt: number
  /** 0: now. */
  runAt: number
  attempts: number
  /** Empty if the job has not failed since it last made progress. */
  lastError: string
}

interface Parts {
  db: Database
  tasks: Tasks
  clock: Clock
  log: Log
  disk?: DiskWatch
  /** Whether a batch ends after this many steps. Default: when the thread has run for a few milliseconds without a pause. */
  isBatchOver?: ((steps: number) => boolean) | undefined
}

/** In characters. */
const MAX_ERROR_LENGTH = 2000
/** A job that failed is retried after this time, which doubles with each further failure. */
const FIRST_RETRY_SECONDS = 1
const MAX_RETRY_SECONDS = 300
/** How often to look for jobs that another process added, such as a command of the command line. */
const POLL_SECONDS = 60
const TASK_NAME = 'run_background_jobs'

/**
 * Durable background jobs. A job is a row, inserted in the transaction that makes the work necessary. After that commit, jobs run in batches, one
 * transaction each, and kinds take turns. A job that fails is retried with exponential back-off, and the next start resumes what a crash interrupts.
 */
export class Jobs<Context> {
  readonly #parts: Parts & { isBatchOver: (steps: number) => boolean }
  readonly #context: () => Context
  readonly #loadKinds: (room: string) => Promise<readonly AnyJobKind<Context>[]>
  readonly #kinds = new Map<string, AnyJobKind<Context>>()
  /** Names of kinds that may have due jobs. The next kind to run is first. */
  readonly #queue = new Set<string>()
  /** Async jobs that are running, by id. */
  readonly #running = new Map<number, { row: store.JobRow; finished: Promise<void> }>()
  readonly #stopping = new AbortController()
  /** Callers of `finished`, by kind and key. */
  readonly #waiters = new Map<string, PromiseWithResolvers<void>[]>()
  /** Names of kinds with an open batch. */
  readonly #inBatch = new Set<string>()
  /** Names of kinds that ran a first batch ahead of the queue and have more to do. The queue's next round clears it. */
  readonly #hasRunAhead = new Set<string>()
  #loop: Promise<void> | undefined
  /** How often in a row the database could not be written. */
  #failedWrites = 0
  /** When the loop starts by itself, in Unix seconds. */
  #wakesAt = Number.POSITIVE_INFINITY

  /**
   * @param context is called with the first job, because the context contains this object
   * @param loadKinds returns the kinds that the room's `slice.ts` lists
   */
  constructor(parts: Parts, context: () => Context, loadKinds: (room: string) => Promise<readonly AnyJobKind<Context>[]>) {
    this.#parts = { ...parts, isBatchOver: parts.isBatchOver ?? isDue }
    this.#context = context
    this.#loadKinds = loadKinds
  }

  /**
   * Adds a job. It starts when `tx` commits. The first batch runs before the code after the transaction; for most jobs, that is all.
   * @returns the job's id
   */
  enqueue<Args extends Json, Cursor extends Json>(
    tx: Tx,
    kind: JobKind<Context, Args, Cursor>,
    args: Args,
    { runAt = 0, key, cursor }: JobOptions<Cursor> = {},
  ): number {
    this.#kinds.set(kind.kind, kind)
    const id = store.insertJob(tx, {
      kind: kind.kind,
      key: key === undefined ? null : String(key),
      args: JSON.stringify(args),
      cursor: cursor === undefined ? null : JSON.stringify(cursor),
      run_at: runAt,
      created_at: this.#parts.clock.seconds(),
    })
    tx.onCommit(() => {
      this.#queue.add(kind.kind)
      if (runAt === 0 && 'step' in kind) this.#runAhead(kind, id)
      void this.#start()
    })
    return id
  }

  /**
   * Waits for a job that was just added.
   * @throws the job's first error, although the job is retried; Problem 503 when the server stops before the job is done
   */
  finished({ kind }: Pick<AnyJobKind<Context>, 'kind'>, key: string | number): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.reject(stoppingError())
    const waiter = Promise.withResolvers<void>()
    const name = `${kind} ${key}`
    this.#waiters.set(name, [...(this.#waiters.get(name) ?? []), waiter])
    return waiter.promise
  }

  /** Starts the jobs of earlier runs and other processes, now and every minute. */
  async start(): Promise<void> {
    this.#parts.tasks.every(POLL_SECONDS, TASK_NAME, () => this.#poll())
    await this.#poll()
  }

  /** Runs all due jobs. Resolves when no job is due or running, or when the server stops. */
  async resume(): Promise<void> {
    await this.#poll()
    while (this.#loop || this.#running.size > 0) await Promise.all([this.#loop, ...[...this.#running.values()].map(({ finished }) => finished)])
  }

  /** Lists failing jobs first, then the oldest. @param line whose share of the reading thread's time it takes */
  async list(db: LongDb, line: string, page: Page): Promise<{ jobs: JobSummary[]; total: number }> {
    const jobs: JobSummary[] = []
    const { rows, total } = await store.listJobs(db, line, page)
    for (const row of rows) {
      const { id, kind, key, attempts, last_error: lastError, created_at: createdAt, run_at: runAt } = row
      jobs.push({ id, kind, title: (await this.#findKind(kind))?.title ?? kind, key, createdAt, runAt, attempts, lastError })
    }
    return { jobs, total }
  }

  /** Runs a job now, even if it waits for its retry. @returns false if the job does not exist */
  async retry(id: number): Promise<boolean> {
    const { db } = this.#parts
    const kind = store.findJob(db, id)?.kind
    if (kind === undefined || !db.tx((tx) => store.makeDue(tx, id))) return false
    if (await this.#findKind(kind)) this.#queue.add(kind)
    void this.#start()
    return true
  }

  /** Aborts async jobs. Call it before `Tasks.stop`, which waits for them. */
  stop(): void {
    this.#stopping.abort()
    for (const { reject } of [...this.#waiters.values()].flat()) reject(stoppingError())
    this.#waiters.clear()
  }

  async #poll(): Promise<void> {
    for (const kind of store.listKinds(this.#parts.db)) if (await this.#findKind(kind)) this.#queue.add(kind)
    void this.#start()
  }

  /** Returns undefined for kinds that this version does not have. */
  async #findKind(name: string): Promise<AnyJobKind<Context> | undefined> {
    const [room = ''] = name.split('.', 1)
    if (!this.#kinds.has(name)) for (const kind of await this.#loadKinds(room)) this.#kinds.set(kind.kind, kind)
    return this.#kinds.get(name)
  }

  /** Runs the first batch of a new job, unless other jobs of its kind are before it. */
  #runAhead(kind: AnyBatchJob<Context>, id: number): void {
    if (this.#inBatch.has(kind.kind) || this.#hasRunAhead.has(kind.kind) || this.#parts.tasks.isStopping) return
    if (this.#listDue(kind, 1)[0]?.id !== id) return
    try {
      this.#runBatch(kind)
      if (this.#listDue(kind, 1).length > 0) this.#hasRunAhead.add(kind.kind)
    } catch (error) {
      // The caller's own transaction succeeded. The queue runs the job later.
      this.#parts.log.warn('first batch of a background job failed, it will be retried', { kind: kind.kind, error: messageOf(error) })
    }
  }

  /** Runs due jobs. Resolves when no batch job is due, when the server stops, or when the database cannot be written. */
  #start(): Promise<void> {
    if (this.#loop) return this.#loop
    if (this.#parts.tasks.isStopping) return Promise.resolve()
    let isOver = false
    const loop = async () => {
      do {
        await this.#parts.db.rest()
        this.#hasRunAhead.clear()
      } while (!this.#parts.tasks.isStopping && this.#runNext())
      isOver = true
      this.#failedWrites = 0
      // A job that is added from here on needs a new loop.
      this.#loop = undefined
      this.#wakeForNextJob()
    }
    this.#loop = this.#parts.tasks.start(TASK_NAME, loop).then(() => {
      if (isOver || this.#parts.tasks.isStopping) return
      this.#loop = undefined
      this.#wakeAfter(retrySeconds(this.#failedWrites++))
    })
    return this.#loop
  }

  /** Runs the next kind that has something to do. @returns false if there is none */
  #runNext(): boolean {
    for (const name of [...this.#queue]) {
      const kind = this.#kinds.get(name)
      this.#queue.delete(name)
      // If the kind has something to do, or the database is busy, it goes to the end of the queue.
      let isIdle = false
      try {
        isIdle = !kind || !('step' in kind ? this.#runBatch(kind) : this.#startAsync(kind))
      } finally {
        if (!isIdle) this.#queue.add(name)
      }
      if (!isIdle) return true
    }
    return false
  }

  #listDue(kind: AnyJobKind<Context>, limit: number): store.JobRow[] {
    const { clock, db } = this.#parts
    return store.listDueJobs(db, kind.kind, clock.seconds(), kind.order, limit)
  }

  /** Runs steps of the kind's due jobs in one transaction, until the batch is over. @returns false if no job is due */
  #runBatch(kind: AnyBatchJob<Context>): boolean {
    const { db, isBatchOver } = this.#parts
    let [row] = this.#listDue(kind, 1)
    // Even an empty transaction invalidates cached responses.
    if (!row) return false
    this.#inBatch.add(kind.kind)
    try {
      return db.provisional((tx) => {
        row = this.#listDue(kind, 1)[0]
        for (let [next, steps] = [row, 1]; next; next = isBatchOver(steps++) ? undefined : this.#listDue(kind, 1)[0]) {
          row = next
          const cursor = next.cursor === null ? undefined : JSON.parse(next.cursor)
          this.#saveProgress(tx, next, kind.step(tx, JSON.parse(next.args), cursor, { context: this.#context(), id: next.id }))
        }
        return true
      })
    } catch (error) {
      // The whole batch is rolled back, but only this job is to blame.
      if (!row || isWriteFailure(error)) throw error
      this.#saveFailure(row, error)
      return true
    } finally {
      this.#inBatch.delete(kind.kind)
    }
  }

  /** Starts the kind's next job, unless the kind's concurrency is reached. @returns whether it started one */
  #startAsync(kind: AnyAsyncJob<Context>): boolean {
    const { tasks } = this.#parts
    const running = [...this.#running.values()].flatMap(({ row }) => (row.kind === kind.kind ? row : []))
    if (running.length >= (kind.concurrency ?? 1)) return false
    const isRunning = ({ id, key }: store.JobRow) => running.some((one) => one.id === id || (key !== null && one.key === key))
    const row = this.#listDue(kind, running.length + 1).find((one) => !isRunning(one))
    if (!row) return false
    let isSaved = false
    const work = async () => {
      await this.#runAsync(kind, row)
      isSaved = true
    }
    const finished = tasks.start(kind.title, work).finally(() => {
      this.#running.delete(row.id)
      if (!isSaved) return this.#wakeAfter(retrySeconds(this.#failedWrites++))
      this.#queue.add(kind.kind)
      void this.#start()
    })
    this.#running.set(row.id, { row, finished })
    return true
  }

  async #runAsync(kind: AnyAsyncJob<Context>, row: store.JobRow): Promise<void> {
    const { signal } = this.#stopping
    try {
      const cursor = row.cursor === null ? undefined : JSON.parse(row.cursor)
      const result = await kind.run(JSON.parse(row.args), cursor, { context: this.#context(), id: row.id, signal, attempts: row.attempts })
      this.#parts.db.provisional((tx) => this.#saveProgress(tx, row, result))
    } catch (error) {
      // A job that fails because the server stops has not failed. The next start resumes it.
      if (!signal.aborted) this.#saveFailure(row, error)
    }
  }

  #saveProgress(tx: Tx, row: store.JobRow, cursor: Json): void {
    if (cursor !== done) return store.updateCursor(tx, row.id, JSON.stringify(cursor))
    store.deleteJob(tx, row.id)
    tx.onCommit(() => this.#settle(row, ({ resolve }) => resolve()))
  }

  #saveFailure(row: store.JobRow, error: unknown): void {
    const { id, kind, attempts } = row
    const { clock, db, disk, log } = this.#parts
    log.error(`background job "${kind}" failed`, error)
    disk?.report(error)
    this.#settle(row, ({ reject }) => reject(error))
    const failure = { run_at: clock.seconds() + retrySeconds(attempts), attempts: attempts + 1, last_error: messageOf(error).slice(0, MAX_ERROR_LENGTH) }
    db.provisional((tx) => store.updateFailure(tx, id, failure))
  }

  #settle({ kind, key }: store.JobRow, settle: (waiter: PromiseWithResolvers<void>) => void): void {
    const name = `${kind} ${key}`
    for (const waiter of this.#waiters.get(name) ?? []) settle(waiter)
    this.#waiters.delete(name)
  }

  #wakeForNextJob(): void {
    const { clock, db } = this.#parts
    const now = clock.seconds()
    const times = [...this.#kinds.keys()].flatMap((kind) => store.findNextRunAt(db, kind, now) ?? [])
    if (times.length > 0) this.#wakeAfter(Math.min(Math.min(...times) - now, POLL_SECONDS))
  }

  #wakeAfter(seconds: number): void {
    const { clock, tasks } = this.#parts
    const at = clock.seconds() + seconds
    if (at >= this.#wakesAt || tasks.isStopping) return
    this.#wakesAt = at
    tasks.later(seconds * 1000, TASK_NAME, () => {
      if (this.#wakesAt === at) this.#wakesAt = Number.POSITIVE_INFINITY
      for (const kind of this.#kinds.keys()) this.#queue.add(kind)
      return this.#start()
    })
  }
}

function stoppingError(): Problem {
  return new Problem(503, 'The server is stopping. The job continues after the next start.')
}

/** Whether the error says that nothing can be written now, whatever the job does. */
function isWriteFailure(error: unknown): boolean {
  return error instanceof Busy || diskTroubleOf(error) !== undefined
}

/** @param failures before this one */
function retrySeconds(failures: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** failures, MAX_RETRY_SECONDS)
}
