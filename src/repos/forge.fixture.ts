import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitEnvironment } from '../../test/git.ts'
import { type Person, testForge as plainForge, type Reply } from '../../test/harness.ts'
import type { UserRow } from '../access/index.ts'
import type { ConfigInput } from '../config.ts'
import type { Context } from '../context.ts'
import type { Oid } from '../git/objects/oid.ts'
import { updateRefs } from '../refs/index.ts'
import type { NewUser } from '../users/index.ts'

export interface NamedCall {
  /** The name of whoever signs the request. */
  as?: string
  /** A token to sign it with instead. */
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The test forge with people called by their names, for tables of roles. */
export interface NamedForge extends AsyncDisposable {
  context: Context
  person(name: string, more?: Partial<NewUser>): Promise<UserRow>
  token(name: string, ...scopes: string[]): string
  /** `GET /repos/search?q=x`: a path below `/api/v1`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  call(line: string, options?: NamedCall): Promise<Reply<any>>
}

export function testForge(config: ConfigInput = {}): NamedForge {
  const forge = plainForge(config)
  const people = new Map<string, Person>()
  const personOf = (name: string) => {
    const person = people.get(name)
    if (!person) throw new Error(`There is no person called ${name} in this test`)
    return person
  }
  return {
    context: forge.context,
    async person(name, more) {
      const person = await forge.person(name, more)
      people.set(name, person)
      return person.row
    },
    token: (name, ...scopes) => forge.token(personOf(name), ...scopes),
    call: (line, { as, token, ...options } = {}) => forge.call(line, { ...options, as: token ?? (as && personOf(as)) }),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}

/** Runs stock git in a directory; returns what it prints. */
export function git(directory: string, ...args: string[]): string {
  const dates = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^GIT_\w+_DATE$/.test(name)))
  const run = Bun.spawnSync(['git', '-C', directory, '-c', 'init.defaultBranch=main', ...args], { env: { ...gitEnvironment, ...dates } })
  if (run.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`)
  return run.stdout.toString()
}

/** Fills a repository with what `make` does in a working copy: its objects are pushed, its refs become rows. */
export function fillRepo(forge: NamedForge, repoId: number, make: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const bare = forge.context.git.pathOf(repoId)
  try {
    git(directory, 'init', '-q')
    make(directory)
    git(directory, 'push', '-q', '--mirror', bare)
    const lines = git(directory, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)').trim().split('\n')
    const updates = lines
      .map((line) => line.split(' '))
      .map(([name, oid, peeled]) => ({ name, new: oid as Oid, peeled: (peeled || undefined) as Oid | undefined }))
    const results = forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId, actorId: 1, message: 'push', updates }))
    const refused = results.find((result) => !result.ok)
    if (refused) throw new Error(`Cannot fill the repository: ${JSON.stringify(refused)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
