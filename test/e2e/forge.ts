import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executablePath } from '../../build/executable-path.ts'
import { ADMIN_PASSWORD, type BinaryOptions, builtExecutable, type RunningBinary, runBinary, startBinary } from '../binary.ts'
import { git } from '../git.ts'

/** What the stories share: the compiled executable as the server, stock git as the client. */

/** Stories need git; without it they are skipped by name. */
export const story = describe.skipIf(Bun.which('git') === null)

/** A member of the forge, as an address and a header name them. */
export interface Member {
  name: string
  token: string
  authorization: string
}

/** One server for the stories of a file, and a directory for their clones. */
export interface Forge {
  readonly server: RunningBinary
  readonly directory: string
  /** The member who tells most stories. */
  readonly ada: Member
  join(name: string): Promise<Member>
  /** Where git finds a repository as `member`, or as nobody. */
  url(repository: string, member?: Member): string
  api(line: string, member?: Member, body?: unknown): Promise<Response>
  /** Ends the server and starts it again on what it has stored. */
  restart(signal?: NodeJS.Signals): Promise<void>
  /** The same at the port that it had, as those see it who stay where they are. @param meanwhile what happens while there is no server */
  restartInPlace(meanwhile?: () => Promise<void>): Promise<void>
}

/** Makes a forge before the stories of the file and removes it after them. */
export function forgeForStories(options: BinaryOptions = {}): Forge {
  let server: RunningBinary
  let directory: string
  let ada: Member
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pf-'))
    const data = join(directory, 'data')
    ada = await copyStore(data)
    server = await startBinary({ ...options, data })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  }, 120_000)
  return {
    get server() {
      return server
    },
    get directory() {
      return directory
    },
    get ada() {
      return ada
    },
    join: (name) => enlist(server, name),
    url: (repository, member) => addressOf(server, repository, member),
    api: (line, member, body) => callApi(server, line, member, body),
    async restart(signal = 'SIGTERM') {
      await server.stop(signal)
      server = await startBinary({ ...options, data: server.data })
    },
    async restartInPlace(meanwhile) {
      const { port } = new URL(server.origin)
      await server.stop()
      await meanwhile?.()
      server = await startBinary({ ...options, data: server.data, args: [...(options.args ?? []), '--port', port] })
    },
  }
}

/**
 * A store with the accounts `admin` and `ada`, which files of tests in one process share: making one costs ten times as much as starting a
 * server on it. By the id of the process, because the environment of a file of tests is its own; whoever removes the directory of temporary files removes it.
 */
const template = () => join(tmpdir(), `pf-template-${process.pid}-${statSync(executablePath()).mtimeMs}`)

/** Copies the store with `admin` and `ada` to `data`, which must not exist. */
export async function copyStore(data: string): Promise<Member> {
  await builtExecutable()
  // Once: a process beside this one may compile the executable again.
  const path = template()
  if (!existsSync(path)) await makeStore(path)
  cpSync(join(path, 'data'), data, { recursive: true })
  return JSON.parse(readFileSync(join(path, 'ada.json'), 'utf8')) as Member
}

async function makeStore(path: string): Promise<void> {
  const directory = mkdtempSync(`${path}-`)
  const data = join(directory, 'data')
  const server = await startBinary({ data })
  const ada = await enlist(server, 'ada')
  await server.stop()
  cheapenPasswords(data)
  writeFileSync(join(directory, 'ada.json'), JSON.stringify(ada))
  renameSync(directory, path)
}

/** Both are tried out hundreds of times; `admin` keeps its password, and nobody knows that of `ada`. */
function cheapenPasswords(data: string): void {
  setCheapPassword(data, 'admin', ADMIN_PASSWORD)
  setCheapPassword(data, 'ada', crypto.randomUUID())
}

/** Gives an account a password that takes no time to check, whether a server has the store open or not. */
export function setCheapPassword(data: string, name: string, password: string): void {
  const hash = Bun.password.hashSync(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
  using db = new Database(join(data, 'pocketforge.db'))
  db.run('PRAGMA busy_timeout = 10000')
  db.run('UPDATE user SET password_hash = ? WHERE name = ?', [hash, name])
}

/** Makes a member on the command line, beside the running server. */
export async function enlist(server: RunningBinary, name: string, ...options: string[]): Promise<Member> {
  const made = await runBinary([
    'admin',
    'user',
    'create',
    '--data',
    server.data,
    '--username',
    name,
    '--email',
    `${name}@example.org`,
    '--access-token',
    '--quiet',
    ...options,
  ])
  if (made.exitCode !== 0) throw new Error(`Cannot create ${name}: ${made.stderr}`)
  const token = made.stdout.trim()
  return { name, token, authorization: `Basic ${btoa(`${name}:${token}`)}` }
}

export function addressOf(server: RunningBinary, repository: string, member?: Member): string {
  const origin = member === undefined ? server.origin : server.origin.replace('://', `://${member.name}:${member.token}@`)
  return `${origin}/${repository}.git`
}

/** Asks `GET /repos/ada/x` and the like, paths below `/api/v1`. */
export function callApi(server: RunningBinary, line: string, member?: Member, body?: unknown): Promise<Response> {
  const [method, path] = line.split(' ', 2)
  const headers: Record<string, string> = member === undefined ? {} : { Authorization: `token ${member.token}` }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  return fetch(`${server.origin}/api/v1${path}`, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
}

/** Unix time as the executable has it, to which no test can give a clock. */
export function systemSeconds(): number {
  return Date.now() / 1000
}

/** Refs of a repository and the ids of all objects they reach: equal for equal repositories. */
export async function contentOf(path: string): Promise<{ refs: string[]; objects: string[] }> {
  const refs = await git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'], { cwd: path })
  const objects = await git(['rev-list', '--objects', '--no-object-names', '--branches', '--tags'], { cwd: path })
  return { refs: refs.split('\n'), objects: objects.split('\n').sort() }
}

/** Commits files to a working copy and answers the commit's id. */
export async function commitFiles(cwd: string, message: string, files: Record<string, string | Uint8Array>): Promise<string> {
  for (const [name, content] of Object.entries(files)) await Bun.write(join(cwd, name), content)
  if (Object.keys(files).length > 0) await git(['add', '--all'], { cwd })
  // Nothing is to be maintained in a repository that is this young, and looking for it takes a process more.
  await git(['-c', 'maintenance.auto=false', 'commit', '--quiet', '--allow-empty', '-m', message], { cwd })
  return readHead(cwd)
}

/** What `git rev-parse HEAD` says right after a commit, which leaves its branch in a file. */
function readHead(cwd: string): string {
  const head = readFileSync(join(cwd, '.git/HEAD'), 'utf8').trim()
  return head.startsWith('ref: ') ? readFileSync(join(cwd, '.git', head.slice('ref: '.length)), 'utf8').trim() : head
}

/** An empty repository with a working copy, on branch `main`. */
export async function newWorkingCopy(path: string): Promise<string> {
  await git(['init', '--quiet', '--initial-branch=main', path])
  return path
}

/** Makes sure that a bare repository is as git wants it, to the last object. */
export async function fsck(path: string): Promise<string> {
  return git(['fsck', '--full', '--strict', '--no-dangling'], { cwd: path })
}

/** The bare repositories of a data directory. */
export function storedRepositories(data: string): string[] {
  return [...new Bun.Glob('*.git').scanSync({ cwd: join(data, 'repositories'), onlyFiles: false })].map((name) => join(data, 'repositories', name))
}
