import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './git-client.ts'
import type { Cost, SideName } from './measure.ts'
import { cpuSecondsOf, forgetPeak, peakBytesOf } from './process-usage.ts'

export type Usage = Omit<Cost, 'wall'>

/** One of the two servers that are compared. */
export interface Side extends AsyncDisposable {
  readonly name: SideName
  /** Where git finds a repository, and what it must be told to get in. */
  url(repository: string): string
  readonly clientOptions: readonly string[]
  /** Makes an empty repository, where a push does not do that by itself. */
  create(repository: string): void
  /** Leaves a repository as the server's own upkeep would. */
  settle(repository: string): void
  /** What the server used since the last call. */
  takeUsage(): Promise<Usage>
}

/** Stock git behind `cgi-host.ts`. */
export async function startGit(directory: string): Promise<Side> {
  const root = join(directory, 'git-side')
  mkdirSync(root, { recursive: true })
  const host = Bun.spawn([process.execPath, join(import.meta.dir, 'cgi-host.ts'), root], { stdout: 'pipe', stderr: 'inherit' })
  const port = await firstLine(host.stdout)
  return {
    name: 'git',
    url: (repository) => `http://127.0.0.1:${port}/${repository}.git`,
    clientOptions: [],
    create(repository) {
      const path = join(root, `${repository}.git`)
      run('init', '--quiet', '--bare', '--initial-branch=main', path)
      // What follows a push in the background would count for the wrong case.
      run('-C', path, 'config', 'receive.autogc', 'false')
    },
    settle: (repository) => void run('-C', join(root, `${repository}.git`), 'pack-refs', '--all'),
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
