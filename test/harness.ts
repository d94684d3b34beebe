import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepoRow, UserRow } from '#access/index.ts'
import { type App, build } from '#app.ts'
import { type ConfigInput, makeConfig } from '#config.ts'
import { type Context, type ContextParts, openContext } from '#context.ts'
import { migrate } from '#kernel/database/migrate.ts'
import { Database } from '#kernel/db.ts'
import { silentLog } from '#kernel/log.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { createToken, createUser, type NewUser } from '#people/users/index.ts'
import { createRepo, type NewRepository } from '#repositories/repos/index.ts'
import { slices } from '#slices.ts'
import { type Client, clientOf, type Reply, replyOf, requestOf } from './client.ts'

export { type BinaryOptions, builtExecutable, type RunningBinary, runBinary, startBinary } from './binary.ts'
export type { Client, Reply } from './client.ts'
export { fillRepo } from './fill-repo.ts'
export { type GitResult, git, gitEnvironment, gitIn, tryGit } from './git.ts'

/** A context on a new database and a directory of its own, which goes when it is disposed of. Its jobs run in one batch, however long that takes. */
export function testContext(overrides: ConfigInput = {}, parts: ContextParts = {}): Context {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const context = openContext(makeConfig(directory, overrides), new Database(migratedBytes()), slices, { log: silentLog, isBatchOver: () => false, ...parts })
  const close = context[Symbol.asyncDispose]
  context[Symbol.asyncDispose] = async () => {
    await close()
    rmSync(directory, { recursive: true, force: true })
  }
  return context
}

/** Each batch of a job has one step. */
export const oneStepBatches: ContextParts = { isBatchOver: () => true }

let migrated: Uint8Array | undefined

/** All migrations applied once. In memory from the start: a copy of a database in WAL mode cannot be opened there. */
function migratedBytes(): Uint8Array {
  if (migrated) return migrated
  const db = new Database(':memory:')
  migrate(db, migrationsOf(slices))
  migrated = db.serialize()
  return migrated
}

/** A forge in process: its context, its routes, ways to fill it, and an anonymous client of its API. */
export interface TestForge extends AsyncDisposable, Client {
  context: Context
  app: App
  /** Makes a person with a token of all scopes; from then on they can be called by their name. */
  person(name: string, more?: Partial<NewUser>): Promise<Person>
  /** Makes an empty repository of theirs; public unless `more` says otherwise. */
  repo(owner: Person, name: string, more?: Partial<NewRepository>): RepoRow
  /** A further token, with these scopes. */
  token(person: Person | string, ...scopes: string[]): string
}

export interface Person {
  row: UserRow
  name: string
  token: string
}

export interface CallOptions {
  /** Whose token signs the request: a person or their name; or a token itself. */
  as?: Person | string
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export function testForge(overrides: ConfigInput = {}, parts: ContextParts = {}): TestForge {
  const context = testContext(overrides, parts)
  const app = build(context)
  const people = new Map<string, Person>()
  const personOf = (who: Person | string) => {
    const person = typeof who === 'string' ? people.get(who) : who
    if (!person) throw new Error(`There is no person called ${who} in this test`)
    return person
  }
  let tokens = 0
  const token = (row: UserRow, scopes: string[]) => createToken(context, row, `test ${++tokens}`, scopes).token
  return {
    ...clientOf({ fetch: (request) => app.handle(request), tokenOf: (name) => personOf(name).token }),
    context,
    app,
    async person(name, more = {}) {
      const row = await createUser(context, { username: name, email: `${name}@example.org`, ...more })
      const person = { row, name, token: token(row, ['all']) }
      people.set(name, person)
      return person
    },
    repo: (owner, name, more = {}) => createRepo(context, { owner: owner.row, actor: owner.row, name, private: false, ...more }),
    token: (who, ...scopes) => token(personOf(who).row, scopes),
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  }
}

/** Sends `METHOD /path` (below `/api/v1`) to an app in process. */
export function api<T>(app: Pick<App, 'handle'>, line: string, options: CallOptions = {}): Promise<Reply<T>> {
  return replyOf(app.handle(apiRequest('http://localhost', line, options)))
}

/** The request that `METHOD /path` stands for, at a server's `origin`. */
export function apiRequest(origin: string, line: string, { as, ...options }: CallOptions = {}): Request {
  return requestOf(origin, line, typeof as === 'string' ? as : as?.token, options)
}
