import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../app.ts'
import type { UserRow } from '../access/index.ts'
import { type ConfigInput, makeConfig } from '../config.ts'
import { type Context, openContext } from '../context.ts'
import type { Oid } from '../git/objects/oid.ts'
import { Database, migrate } from '../kernel/db.ts'
import { silentLog } from '../kernel/log.ts'
import { migrations } from '../migrations.ts'
import { updateRefs } from '../refs/index.ts'
import { createToken, createUser, type NewUser } from '../users/index.ts'

export interface Reply {
  status: number
  headers: Headers
  /** Parsed when it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  body: any
}

/** A forge in a directory of its own, asked in process. */
export interface TestForge extends AsyncDisposable {
  context: Context
  /** Makes a person; `as: <name>` signs requests in as them, with a token of all scopes. */
  person(name: string, more?: Partial<NewUser>): Promise<UserRow>
  /** A further token of `name`'s; pass it as `token`. */
  token(name: string, ...scopes: string[]): string
  /** `GET /repos/search?q=x`, path below `/api/v1`. */
  call(line: string, options?: { as?: string; token?: string; body?: unknown; headers?: Record<string, string> }): Promise<Reply>
}

let migrated: Uint8Array | undefined

export function testForge(config: ConfigInput = {}): TestForge {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const settings = makeConfig(directory, config)
  migrated ??= migratedDatabase()
  const context = openContext(settings, { db: new Database(migrated), log: silentLog })
  const app = build(context)
  const users = new Map<string, { row: UserRow; token: string }>()
  const userOf = (name: string) => {
    const user = users.get(name)
    if (!user) throw new Error(`There is no person called ${name} in this test`)
    return user
  }
  return {
    context,
    async person(name, more = {}) {
      const row = await createUser(context, { username: name, email: `${name}@example.org`, ...more })
      users.set(name, { row, token: createToken(context, row, 'test', ['all']).token })
      return row
    },
    token: (name, ...scopes) => createToken(context, userOf(name).row, `test ${scopes.join()}`, scopes).token,
    async call(line, { as, token = as && userOf(as).token, body, headers = {} } = {}) {
      const [method, path] = line.split(' ')
      const request = new Request(`http://localhost/api/v1${path}`, {
        method,
        headers: { ...headers, ...(token ? { Authorization: `token ${token}` } : {}), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const response = await app.handle(request)
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text !== '' && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
    },
    async [Symbol.asyncDispose]() {
      await context[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** In memory from the start: a copy of a database in WAL mode cannot be opened there. */
function migratedDatabase(): Uint8Array {
  const db = new Database(':memory:')
  migrate(db, migrations)
  return db.serialize()
}

/** Runs stock git; returns what it prints. */
export function git(directory: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...identity }
  const run = Bun.spawnSync(['git', '-C', directory, '-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', ...args], { env })
  if (run.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`)
  return run.stdout.toString()
}

const identity = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' }

/** Fills a repository with what `make` does in a working copy: its objects are pushed, its refs become rows. */
export function fillRepo(forge: TestForge, repoId: number, make: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const bare = forge.context.git.pathOf(repoId)
  try {
    git(directory, 'init', '-q')
    make(directory)
    git(directory, 'push', '-q', '--mirror', bare)
    const lines = git(directory, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)').trim().split('\n')
    const updates = lines.map((line) => line.split(' ')).map(([name, oid, peeled]) => ({ name, new: oid as Oid, peeled: (peeled || undefined) as Oid | undefined }))
    const results = forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId, actorId: 1, message: 'push', updates }))
    const refused = results.find((result) => !result.ok)
    if (refused) throw new Error(`Cannot fill the repository: ${JSON.stringify(refused)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
