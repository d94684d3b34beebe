import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executablePath } from '../build/executable-path.ts'

/** The compiled executable, serving. Disposing stops it, and removes the data directory unless one was given. */
export interface RunningBinary extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without the trailing slash. */
  origin: string
  /** Names the signed-in administrator for git: `http://admin:password@127.0.0.1:PORT`. */
  adminOrigin: string
  data: string
  pid: number
  /** Sends a signal and waits for the end. @returns the exit code */
  stop(signal?: NodeJS.Signals): Promise<number>
  /** What it has written to standard error so far. */
  log(): string
}

export interface BinaryOptions {
  /** Default: a new one, removed at the end. */
  data?: string
  env?: Record<string, string>
  args?: string[]
  /** A program that runs it in its own process, with its arguments: a tracer. */
  under?: string[]
}

const ADMIN = 'admin'
export const ADMIN_PASSWORD = 'a password for tests'
/** A machine under load takes its time. */
const START_MS = 30_000

/** Starts the executable on a free port with the administrator `admin`, and waits until it says where it listens. */
export async function startBinary({ data, env = {}, args = [], under = [] }: BinaryOptions = {}): Promise<RunningBinary> {
  const executable = await builtExecutable()
  const directory = data ?? mkdtempSync(join(tmpdir(), 'pf-'))
  const child = Bun.spawn([...under, executable, 'serve', '--data', directory, '--port', '0', ...args], {
    env: { PATH: '', HOME: directory, POCKETFORGE_ADMIN_USERNAME: ADMIN, POCKETFORGE_ADMIN_PASSWORD: ADMIN_PASSWORD, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const log = collect(child.stderr)
  const origin = await listeningOrigin(child.stdout, START_MS)
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return child.exited
  }
  if (origin === undefined) {
    await stop('SIGKILL')
    throw new Error(`Cannot start ${executable}: ${log()}`)
  }
  return {
    origin,
    adminOrigin: origin.replace('://', `://${ADMIN}:${encodeURIComponent(ADMIN_PASSWORD)}@`),
    data: directory,
    pid: child.pid,
    stop,
    log,
    async [Symbol.asyncDispose]() {
      await stop()
      if (data === undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Runs the executable to its end. */
export async function runBinary(args: string[], env: Record<string, string> = {}): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([await builtExecutable(), ...args], { env: { PATH: '', ...env }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { exitCode, stdout, stderr }
}

let built: Promise<string> | undefined

/** The executable's path, once it is as new as the sources. */
export function builtExecutable(): Promise<string> {
  built ??= build()
  return built
}

/** Set by `build/check.ts` once it has compiled the executable: looking for newer sources in each file of tests costs more than a start. */
const isBuilt = process.env.EXECUTABLE_IS_BUILT === '1'

/** In a process of its own: the bundler in this one would see modules that the tests have replaced. */
async function build(): Promise<string> {
  const path = executablePath()
  if (isBuilt || (existsSync(path) && statSync(path).mtimeMs > newestSource())) return path
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, join(import.meta.dir, '../build/compile.ts')])
  if (exitCode !== 0) throw new Error(`Cannot build the executable: ${stderr}`)
  return path
}

function newestSource(): number {
  const root = join(import.meta.dir, '..')
  const files = ['src', 'assets'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  )
  return Math.max(...[...files, join(root, 'package.json'), join(root, 'build/compile.ts')].map((file) => statSync(file).mtimeMs))
}

/** Reads until the line that programs wait for; undefined when the output ends or the time is up before it. */
async function listeningOrigin(output: ReadableStream<Uint8Array>, milliseconds: number): Promise<string | undefined> {
  const reader = output.getReader()
  const timer = setTimeout(() => reader.cancel(), milliseconds)
  const decoder = new TextDecoder()
  let text = ''
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    text += decoder.decode(chunk.value, { stream: true })
    const found = /^listening on (http:\/\/\S+)\/$/m.exec(text)?.[1]
    if (found !== undefined) {
      clearTimeout(timer)
      return found
    }
  }
  return undefined
}

function collect(output: ReadableStream<Uint8Array>): () => string {
  const chunks: Uint8Array[] = []
  const read = async () => {
    for await (const chunk of output) chunks.push(chunk)
  }
  read().catch(() => {})
  return () => Buffer.concat(chunks).toString()
}
