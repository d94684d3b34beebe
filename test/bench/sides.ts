import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningBinary, runBinary, startBinary } from '../binary.ts'
import { git } from '../git.ts'
import type { Cost, SideName } from './measure.ts'
import { cpuSecondsOf, forgetPeak, peakBytesOf } from './process-usage.ts'
import { pushRefs } from './push-refs.ts'

export type Usage = Omit<Cost, 'wall'>

/** One of the two servers that are compared. */
export interface Side extends AsyncDisposable {
  readonly name: SideName
  /** Where git finds a repository, and what it must be told to get in. */
  url(repository: string): string
  readonly clientOptions: readonly string[]
  /** The same for requests made by hand. */
  readonly headers: Readonly<Record<string, string>>
  /** Makes an empty repository, where a push does not do that by itself. */
  create(repository: string): Promise<unknown>
  /** Takes over a repository with very many refs, packed as the server's own upkeep would leave them. */
  take(repository: string, source: string): Promise<unknown>
  /** What the server used since the last call. */
  takeUsage(): Promise<Usage>
}

/** Our executable, and a member of it who pushes and reads. */
export interface OurSide extends Side {
  readonly running: RunningBinary
  /** Value of an `Authorization` header. */
  readonly authorization: string
}

const USER = 'bench'

export async function startOurs(directory: string): Promise<OurSide> {
  const data = join(directory, 'our-side')
  const running = await startBinary({ data })
  const made = await runBinary(['admin', 'user', 'create', '--data', data, '--username', USER, '--email', 'bench@example.com', '--access-token', '--quiet'])
  if (made.exitCode !== 0) throw new Error(`Cannot create a user: ${made.stderr}`)
  const authorization = `Basic ${btoa(`${USER}:${made.stdout.trim()}`)}`
  let cpuBefore = 0
  return {
    name: 'pocketforge',
    running,
    authorization,
    url: (repository) => `${running.origin}/${USER}/${repository}.git`,
    headers: { Authorization: authorization },
    // git would ask without credentials first; the other side wants none, so that would be two requests against one.
    clientOptions: ['-c', `http.extraHeader=Authorization: ${authorization}`],
    create: async () => {},
    async take(repository, source) {
      const url = `${running.origin}/${USER}/${repository}.git`
      const listed = await git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/topic'], { cwd: source })
      await git(['-c', `http.extraHeader=Authorization: ${authorization}`, 'push', '--quiet', url, 'main', 'refs/heads/feature/*'], { cwd: source })
      await pushRefs(
        url,
        authorization,
        listed.split('\n').map((line) => ({ name: line.split(' ')[0] ?? '', oid: line.split(' ')[1] ?? '' })),
      )
    },
    async takeUsage() {
      const cpu = cpuSecondsOf(running.pid)
      const usage = { cpu: cpu - cpuBefore, peak: peakBytesOf(running.pid) }
      cpuBefore = cpu
      forgetPeak(running.pid)
      return usage
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

/** Stock git behind `cgi-host.ts`. @param branch what is cloned where nobody says what */
export async function startGit(directory: string, branch: string): Promise<Side> {
  const root = join(directory, 'git-side')
  mkdirSync(root, { recursive: true })
  const host = Bun.spawn([process.execPath, join(import.meta.dir, 'cgi-host.ts'), root], { stdout: 'pipe', stderr: 'inherit' })
  const port = await firstLine(host.stdout)
  return {
    name: 'git',
    url: (repository) => `http://127.0.0.1:${port}/${repository}.git`,
    clientOptions: [],
    headers: {},
    async create(repository) {
      const path = join(root, `${repository}.git`)
      await git(['init', '--quiet', '--bare', `--initial-branch=${branch}`, path])
      // What follows a push in the background would count for the wrong case.
      await git(['config', 'receive.autogc', 'false'], { cwd: path })
      await git(['config', 'uploadpack.allowFilter', 'true'], { cwd: path })
    },
    take: (repository, source) => git(['clone', '--quiet', '--mirror', source, join(root, `${repository}.git`)]),
    async takeUsage() {
      const { cpuSeconds, peakBytes } = (await (await fetch(`http://127.0.0.1:${port}/-/usage`)).json()) as { cpuSeconds: number; peakBytes: number }
      return { cpu: cpuSeconds, peak: peakBytes }
    },
    async [Symbol.asyncDispose]() {
      host.kill()
      await host.exited
    },
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return Buffer.from(chunk).toString().trim()
  throw new Error('Cannot start the CGI host: it ended without a word')
}

/** Less than this in a second is what a server does that nobody asks for anything. */
const QUIET_CPU_SECONDS = 0.03
/** So many such seconds in a row: what follows a large push begins after a while. */
const QUIET_SECONDS = 4
const MOST_SECONDS = 60

/** Lets end what follows a large push, which would count for the wrong case. @returns what it has used meanwhile, in seconds of a processor */
export async function untilQuiet(side: Side): Promise<number> {
  let [used, quiet] = [(await side.takeUsage()).cpu, 0]
  for (let second = 0; second < MOST_SECONDS && quiet < QUIET_SECONDS; second++) {
    await Bun.sleep(1000)
    const { cpu } = await side.takeUsage()
    used += cpu
    quiet = cpu < QUIET_CPU_SECONDS ? quiet + 1 : 0
  }
  return used
}
