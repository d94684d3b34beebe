import type { Database } from '../db.ts'
import { type DiskWatch, diskTroubleOf } from '../disk-trouble.ts'
import { Busy } from '../errors.ts'
import { JobThread } from '../job-thread.ts'
import type { Log } from '../log.ts'
import type { Tasks } from '../tasks.ts'
import { markComplete } from './store-state.ts'

export interface CheckpointJob {
  /** Of the database. */
  path: string
}

export interface Checkpoint {
  /** Pages that are in the log alone as before, because somebody reads what was there before them, or wrote them meanwhile. */
  left: number
  failed?: { message: string; code: string }
}

interface CheckpointContext {
  db: Pick<Database, 'path' | 'tx'>
  disk: DiskWatch
  tasks: Tasks
  log: Log
}

/** As long as the disk takes for it; what is under way is not given up. */
const MAX_MS = 3_600_000

/**
 * Brings what commits left in the write-ahead log into the database, in a thread of its own: it waits for the disk, and on the main thread
 * everybody would wait with it.
 */
export class Checkpoints implements Disposable {
  readonly #context: CheckpointContext
  readonly #thread = new JobThread<CheckpointJob, Checkpoint>(
    'write the log into the database',
    () => new Worker(new URL('./checkpoint-worker.ts', import.meta.url).href),
  )
  #underWay: Promise<void> | undefined

  constructor(context: CheckpointContext) {
    this.#context = context
  }

  /** Begins one unless it is under way; resolves when that is over, however it ended. `tasks.stop` waits for it. */
  begin(): Promise<void> {
    this.#underWay ??= this.#context.tasks
      .start('checkpoint', () => this.#write())
      .finally(() => {
        this.#underWay = undefined
      })
    return this.#underWay
  }

  async #write(): Promise<void> {
    const { db, disk, log } = this.#context
    // `begin` is called in a commit, and has to know that a checkpoint is under way before the next one.
    await Promise.resolve()
    this.#mark(false)
    const { failed } = await this.#thread.run({ path: db.path }, { milliseconds: MAX_MS }).finally(() => this.#mark(true))
    if (!failed) return
    const error = Object.assign(new Error(failed.message), { code: failed.code })
    log.error('database checkpoint failed', error)
    disk.report(error)
  }

  /** A checkpoint runs even if the mark cannot be written because the disk is full or another process writes. Only a warning about a copied file is lost. */
  #mark(isComplete: boolean): void {
    try {
      markComplete(this.#context.db, isComplete)
    } catch (error) {
      if (!(error instanceof Busy) && diskTroubleOf(error) === undefined) throw error
    }
  }

  [Symbol.dispose](): void {
    this.#thread.stop()
  }
}
