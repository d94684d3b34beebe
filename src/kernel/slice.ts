import type { AnyElysia } from 'elysia'
import type { Migration } from './database/migrate.ts'
import type { Tx } from './db.ts'
import type { Problem } from './errors.ts'
import type { AnyJobKind } from './jobs/define-job.ts'

/** What a route says of itself in the API document. */
export interface RouteDetail {
  hide?: boolean
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  deprecated?: boolean
  /** Statuses of what it answers in place of its success: to a client that has it already, or wants a part. */
  variants?: number[]
  /** Statuses with which it refuses, beside those that its terms, parameters and body bring with them. */
  errors?: number[]
  /** Media types of its success, where that is not JSON. */
  produces?: string[]
  /** Media types of the request body, if it is not JSON. */
  consumes?: string[]
  /** Schema of a body that the route reads itself. */
  reads?: Readonly<Record<string, unknown>>
  /** A second operation for the text form of the record. The route's query parameters belong to it alone. */
  asText?: TextForm
}

/** Describes, for the API document, the text form of a record, which has a path of its own. */
export interface TextForm {
  /** Below `/api/v1`: `/pulls/:index.:diffType` */
  path: string
  params: unknown
  detail: RouteDetail
}

/** What of a route its own description and the tests read. */
export interface RouteDeclaration {
  method: string
  path: string
  handler: unknown
  hooks: Readonly<Record<string, unknown>> & { readonly detail?: RouteDetail }
}

const READS_BODY = 'x-reads-body'

/** For the `detail` of a route that reads its body itself, as a stream or whatever it is said to be. */
export const readsBody = { [READS_BODY]: true }

export function doesReadBody({ hooks }: Pick<RouteDeclaration, 'hooks'>): boolean {
  return (hooks.detail as Partial<typeof readsBody> | undefined)?.[READS_BODY] === true
}

/** The whole server, for rooms that ask it. */
export interface RouteSource {
  /** Every route there is; asking loads all rooms. */
  routes(): Promise<readonly RouteDeclaration[]>
  /** Answers as it would from outside. */
  handle(request: Request): Promise<Response>
}

/**
 * Loads what builds a part of the server. It is called with the first request to one of its paths, so that a start costs the
 * same with any number of rooms.
 */
export type RouteLoader<Context> = () => Promise<(context: Context, all: RouteSource) => AnyElysia>

/**
 * What a room gives to the server, in its `slice.ts`, the one file of a room that every start loads: what it names is imported
 * when it is needed. `src/slices.ts` lists them all.
 */
export interface Slice<Context> {
  /** The room's folder: `stars`. */
  readonly name: string
  /** Its tables, in the order they are made; only ever appended to. Their names get the room's in front. */
  readonly migrations?: readonly Migration[]
  /** Its operations, below `/api/v1`. */
  readonly routes?: RouteLoader<Context>
  /** What it answers elsewhere: pages for people, pictures, git. */
  readonly pages?: RouteLoader<Context>
  /** How `pages` says what went wrong, where that is not the API's way. */
  readonly renderProblem?: (problem: Problem) => Response
  /** Called when the database turns out to be a copy, or a backup that was put back: what lies beside it may be of another time. */
  readonly doubt?: (tx: Tx) => void
  /** Puts into the context what rooms below this one ask of it; called when the server is built. */
  readonly attach?: (context: Context) => void
  /** Takes back what a killed server left half done and people would see; every start waits for it before it answers requests, so it is a question or two. */
  readonly settle?: (context: Context) => Promise<void>
  /** Finishes what an earlier run could not, and starts what repeats; called once the server answers requests. */
  readonly start?: (context: Context) => Promise<void>
  /** Its kinds of background jobs. They are loaded when the store contains a job of the room. */
  readonly jobs?: () => Promise<readonly AnyJobKind<Context>[]>
}

/** The migrations of all rooms, in the order in which a new store applies them. */
export function migrationsOf(slices: readonly Pick<Slice<never>, 'name' | 'migrations'>[]): Migration[] {
  return slices.flatMap((slice) => (slice.migrations ?? []).map((one) => ({ ...one, name: `${slice.name}/${one.name}` })))
}
