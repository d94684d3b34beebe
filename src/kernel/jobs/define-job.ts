import type { Tx } from '../db.ts'

/** The result of a job that has nothing left to do. */
export const done = 'done'

/** A value that JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

interface NamedKind {
  /** The room whose `slice.ts` lists the kind, and what the job does: `issues.removeForeignLabels`. The store contains this name, so it must not change. */
  readonly kind: string
  /** The name for site administrators: “Remove labels of the previous owner from issues”. */
  readonly title: string
  /** Which job of the kind runs first. With `newest first`, a small job does not wait for a large one. Default: `oldest first`. */
  readonly order?: 'newest first'
}

/** A job that only changes the database. */
export interface BatchJob<Context, Args extends Json, Cursor extends Json> extends NamedKind {
  /**
   * Does the next step of the job, which takes at most a few milliseconds. A step that a crash or an error interrupts runs again.
   * @param tx a transaction that does not wait for the disk (`Database.provisional`); it may contain several steps
   * @param cursor the previous step's result; undefined for the first step
   * @returns the job's progress, or `done`
   */
  readonly step: (tx: Tx, args: Args, cursor: Cursor | undefined, run: JobRun<Context>) => Cursor | typeof done
}

/** A job that waits for something else than the database: the network, files, workers. */
export interface AsyncJob<Context, Args extends Json, Cursor extends Json> extends NamedKind {
  /** How many jobs of the kind run at the same time. Default: 1. */
  readonly concurrency?: number
  /**
   * Does some of the job, or all of it. It runs again after a crash.
   * @param cursor the previous run's result; undefined for the first run
   * @returns the job's progress, or `done`
   * @throws any error: the job is retried later, unless the server is stopping
   */
  readonly run: (args: Args, cursor: Cursor | undefined, run: AsyncJobRun<Context>) => Promise<Cursor | typeof done>
}

export interface JobRun<Context> {
  readonly context: Context
  /** The job's id. Later jobs have higher ids. */
  readonly id: number
}

export interface AsyncJobRun<Context> extends JobRun<Context> {
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  /** The number of failures since the job last made progress. */
  readonly attempts: number
}

/** A kind of durable background job. Create one with `defineJob` and list it in the `slice.ts` of its room. */
export type JobKind<Context, Args extends Json, Cursor extends Json> = BatchJob<Context, Args, Cursor> | AsyncJob<Context, Args, Cursor>

// Arguments and cursors are read from the store, which got them from the typed functions above.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyBatchJob<Context> = BatchJob<Context, any, any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyAsyncJob<Context> = AsyncJob<Context, any, any>
export type AnyJobKind<Context> = AnyBatchJob<Context> | AnyAsyncJob<Context>

export function defineJob<Context, Args extends Json, Cursor extends Json>(kind: BatchJob<Context, Args, Cursor>): BatchJob<Context, Args, Cursor>
export function defineJob<Context, Args extends Json, Cursor extends Json>(kind: AsyncJob<Context, Args, Cursor>): AsyncJob<Context, Args, Cursor>
export function defineJob<Kind>(kind: Kind): Kind {
  return kind
}
