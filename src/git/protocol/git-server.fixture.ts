import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { parseOid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { advertiseUpload } from './advertise.ts'
import type { ByteSink, RefSnapshot, SnapshotRef, UploadContext } from './context.ts'
import { uploadPackV2 } from './upload-pack.ts'
import { uploadPackV0 } from './upload-pack-v0.ts'

export const agent = 'pocketforge/test'

export interface GitResult {
  code: number
  output: string
  errors: string
}

const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '0',
  GIT_SSH_COMMAND: `${process.execPath} ${join(import.meta.dir, 'stdio-server.fixture.ts')}`,
  GIT_SSH_VARIANT: 'ssh',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

/** Runs git without the user's settings. Not synchronous: the server it may talk to lives in this process. */
export async function tryGit(cwd: string, ...args: string[]): Promise<GitResult> {
  const settings = ['-c', 'init.defaultBranch=main', '-c', 'gc.auto=0', '-c', 'advice.detachedHead=false']
  const child = Bun.spawn(['git', ...settings, ...args], { cwd, env: environment, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, output: output.trim(), errors }
}

/** What git printed. @throws when it failed */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, output, errors } = await tryGit(cwd, ...args)
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output
}

/** All ids in a repository, sorted: two repositories with equal lists hold the same. */
export async function objectsOf(dir: string): Promise<string[]> {
  return (await git(dir, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)')).split('\n')
}

/** What was read of the refs of each directory, and the files that it was read from: most requests see refs that have not changed. */
const snapshots = new Map<string, { files: string; snapshot: RefSnapshot }>()

/** The refs of a repository on disk, as a forge would know them from its own rows. */
export async function snapshotOf(dir: string): Promise<RefSnapshot> {
  const files = refFilesOf(dir)
  const known = snapshots.get(dir)
  if (known?.files === files) return known.snapshot
  const snapshot = await readSnapshot(dir)
  snapshots.set(dir, { files, snapshot })
  return snapshot
}

/** All that git keeps of refs in a directory, as one text. */
function refFilesOf(dir: string): string {
  const loose = readdirSync(join(dir, 'refs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = ['HEAD', 'packed-refs', ...loose.map((entry) => relative(dir, join(entry.parentPath, entry.name))).sort()]
  return paths.map((path) => `${path}\n${existsSync(join(dir, path)) ? readFileSync(join(dir, path), 'utf8') : ''}\n`).join('')
}

async function readSnapshot(dir: string): Promise<RefSnapshot> {
  const refs: SnapshotRef[] = []
  for (const line of (await tryGit(dir, 'show-ref', '-d')).output.split('\n').filter((text) => text !== '')) {
    const [oid, name] = line.split(' ') as [string, string]
    const last = refs.at(-1)
    if (name.endsWith('^{}') && last) last.peeled = parseOid(oid)
    else refs.push({ oid: parseOid(oid), name })
  }
  return { head: { target: await git(dir, 'symbolic-ref', 'HEAD') }, refs }
}

export async function contextOf(dir: string, exact = false): Promise<UploadContext> {
  return { store: DiskStore.open(dir), refs: await snapshotOf(dir), limits: defaultLimits, exact, agent }
}

/** Keeps what is written to it. */
export class Collected implements ByteSink {
  readonly #parts: Uint8Array[] = []

  write(bytes: Uint8Array): void {
    this.#parts.push(bytes)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** What git says in its `Git-Protocol` header or variable. */
export function versionOf(protocol: string | null | undefined): 0 | 1 | 2 {
  const version = /version=([12])/.exec(protocol ?? '')?.[1]
  return version === '2' ? 2 : version === '1' ? 1 : 0
}

/** Bare repositories in a directory, behind a server that serves fetches and nothing else. */
export class GitServer {
  readonly root = mkdtempSync(join(tmpdir(), 'pf-'))
  /** Whether the server claims that refs reach everything in its stores. */
  exact = false
  /** What went wrong that was not a client's fault. */
  readonly failures: unknown[] = []
  readonly #http = Bun.serve({ port: 0, fetch: (request) => this.#answer(request) })

  path(name: string): string {
    return join(this.root, name)
  }

  url(name: string): string {
    return `http://localhost:${this.#http.port}/${name}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.stop(true)
    rmSync(this.root, { recursive: true, force: true })
  }

  async #answer(request: Request): Promise<Response> {
    const match = /^\/([a-z0-9-]+\.git)\/(info\/refs|git-upload-pack)$/.exec(new URL(request.url).pathname)
    if (!match) return new Response('Not found', { status: 404 })
    const context = await contextOf(this.path(match[1] as string), this.exact)
    const version = versionOf(request.headers.get('git-protocol'))
    return match[2] === 'info/refs' ? advertisement(version, context) : this.#uploadPack(version, request, context)
  }

  #uploadPack(version: 0 | 1 | 2, request: Request, context: UploadContext): Response {
    const isPacked = request.headers.get('content-encoding') === 'gzip'
    const body = request.body ?? new Blob().stream()
    const source = isPacked ? body.pipeThrough(new DecompressionStream('gzip')) : body
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const serve = (version === 2 ? uploadPackV2 : uploadPackV0)(source, context, writer, { stateless: true })
    void serve
      .then(
        () => writer.close(),
        (error) => {
          this.failures.push(error)
          return writer.abort(error)
        },
      )
      .finally(() => context.store.close())
    return new Response(readable, { headers: { 'content-type': 'application/x-git-upload-pack-result' } })
  }
}

async function advertisement(version: 0 | 1 | 2, context: UploadContext): Promise<Response> {
  const body = new Collected()
  await advertiseUpload(version, context.refs, { agent, http: true }, body)
  context.store.close()
  return new Response(body.bytes, { headers: { 'content-type': 'application/x-git-upload-pack-advertisement' } })
}

/** The error that `work` ends with, of the kind and text expected. */
export async function errorOf(work: () => Promise<unknown> | unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof GitError) return `${error.kind}: ${error.message}`
    throw error
  }
  return 'no error'
}
