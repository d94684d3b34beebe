import type { Tx } from '../db.ts'

/** What a slice returns when nothing of its job is left. */
export const done = 'done'

/** What can be written down as JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

interface Named {
  /** `issues.takeForeignLabels`: the room whose `slice.ts` lists it, and what it does. It is written into the store, and stays as it is. */
  readonly kind: string
  /** What administrators read of it: “Take labels of former owners from issues”. */
  readonly title: string
  /** Which of its jobs is next. The last first: most are over with their first slice, and need not wait for a large one. Default: the first. */
  readonly order?: 'last first'
}

/** Work on the store alone. */
export interface SlicedJob<Context, Args extends Json, Cursor extends Json> extends Named {
  /**
   * Does a few milliseconds of the work, in a transaction that is not waited for (`Database.provisional`); the same is done once more after a crash or a failure.
   * @param cursor what it returned the last time; undefined at first
   * @returns how far it came, or `done`
   */
  readonly slice: (tx: Tx, args: Args, cursor: Cursor | undefined, turn: Turn<Context>) => Cursor | typeof done
}

/** Work that waits for something else: the network, files, threads. */
export interface AsyncJob<Context, Args extends Json, Cursor extends Json> extends Named {
  /** How many of them run at a time. Default: one. */
  readonly atOnce?: number
  /**
   * Does some of the work; the same may be done once more after a crash or a failure.
   * @returns how far it came, or `done`
   * @throws anything: it is tried again later, as administrators see, unless it `signal` is given: the server stops, and the job waits for the next start
   */
  readonly run: (args: Args, cursor: Cursor | undefined, turn: AsyncTurn<Context>) => Promise<Cursor | typeof done>
}

export interface Turn<Context> {
  readonly context: Context
  /** The job's. Jobs that are written down later have higher ones. */
  readonly id: number
}

export interface AsyncTurn<Context> extends Turn<Context> {
  /** Given when the server stops. */
  readonly signal: AbortSignal
  /** How often it failed before. */
  readonly attempts: number
}

/** A kind of durable work; made by `defineJob` and listed in its room's `slice.ts`. */
export type JobKind<Context, Args extends Json, Cursor extends Json> = SlicedJob<Context, Args, Cursor> | AsyncJob<Context, Args, Cursor>

// Their arguments and cursors come from the store, where `enqueue` and `slice` have put them with their types.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnySlicedJob<Context> = SlicedJob<Context, any, any>
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyAsyncJob<Context> = AsyncJob<Context, any, any>
export type AnyJobKind<Context> = AnySlicedJob<Context> | AnyAsyncJob<Context>

export function defineJob<Context, Args extends Json, Cursor extends Json>(kind: SlicedJob<Context, Args, Cursor>): SlicedJob<Context, Args, Cursor>
export function defineJob<Context, Args extends Json, Cursor extends Json>(kind: AsyncJob<Context, Args, Cursor>): AsyncJob<Context, Args, Cursor>
export function defineJob<Kind>(kind: Kind): Kind {
  return kind
}
