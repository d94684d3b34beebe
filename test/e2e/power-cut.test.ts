import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BinaryOptions } from '../binary.ts'
import { eventually, turns } from '../eventually.ts'
import { git } from '../git.ts'
import { Deeds } from './deeds.ts'
import { commitFiles, forgeForStories, newWorkingCopy, storedRepositories } from './forge.ts'

/** What the server asks of the system is read by strace, which not every machine has, or lets anybody use. */
const canTrace = Bun.which('strace') !== null && Bun.which('git') !== null && Bun.spawnSync(['strace', '-o', '/dev/null', 'true']).exitCode === 0
const MS = 120_000
/** `packed-refs` of so many is not written whole for one that is new. */
const MANY = 1500

describe.skipIf(!canTrace)('the power is cut', () => {
  const options: BinaryOptions = {}
  const forge = forgeForStories(options)
  const deeds = new Deeds(forge)

  /** Starts the server anew, and has all that it asks of the system noted in a file. From its start, so that only these calls stop it. */
  async function restartTraced(log: string): Promise<void> {
    const calls = 'openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,fsync,fdatasync'
    options.under = [Bun.which('strace') ?? '', '-D', '-f', '--seccomp-bpf', '-y', '-q', '-o', log, '-e', `trace=${calls}`]
    await forge.restart()
  }

  /** Resolves when stock git finds a branch in the directory that the server keeps. */
  async function untilOnDisk(branch: string): Promise<void> {
    const [cwd = ''] = storedRepositories(forge.server.data).filter((path) => path.endsWith('/1.git'))
    await eventually(async () => {
      // To ask git costs more than what it waits for: not at every turn.
      await turns(20)
      return (await git(['branch', '--list', branch], { cwd })) !== ''
    })
  }

  /** Moves a branch back where there is older garbage, and waits until upkeep has put aside what it had. */
  async function loseCommit(cwd: string): Promise<void> {
    const packs = () =>
      storedRepositories(forge.server.data).flatMap((path) => readdirSync(join(path, 'objects/pack')).map((name) => join(path, 'objects/pack', name)))
    for (const path of packs()) utimesSync(path, 1_000_000_000, 1_000_000_000)
    await commitFiles(cwd, 'Lost', { lost: 'lost' })
    for (const tip of ['HEAD', 'HEAD^']) await git(['push', '--quiet', '--force', forge.url('ada/main', forge.ada), `${tip}:refs/heads/one/more`], { cwd })
    await eventually(() => packs().some((path) => path.endsWith('.mtimes')))
  }

  test(
    'what was put in its place stays there, with what it holds: both are synced',
    async () => {
      await deeds.prepare()
      const log = join(forge.directory, 'strace')
      await restartTraced(log)
      const { pid } = forge.server
      for (const [i, deed] of Object.values(deeds.all).entries()) {
        await deed.arrange?.(`p${i}`)
        expect(await deed.act(`p${i}`)).toBeUndefined()
      }
      const cwd = await newWorkingCopy(join(forge.directory, 'many'))
      const tip = await commitFiles(cwd, 'Many', {})
      const push = (branches: string[]) =>
        git(['push', '--quiet', forge.url('ada/main', forge.ada), ...branches.map((name) => `${tip}:refs/heads/${name}`)], { cwd })
      await push(Array.from({ length: MANY }, (_, i) => `many/of-them-with-a-long-name-${i}`))
      await untilOnDisk('many/of-them-with-a-long-name-0')
      await push(['one/more'])
      await untilOnDisk('one/more')
      await loseCommit(cwd)
      await forge.server.stop()
      await eventually(() => new RegExp(`^${pid} .*\\+\\+\\+ exited`, 'm').test(readFileSync(log, 'utf8')))
      const calls = [...callsOf(readFileSync(log, 'utf8'))]
      expect(calls.length).toBeGreaterThan(100)
      expect([unsynced(calls, forge.server.data), notWritten(calls, forge.server.data)]).toEqual([[], []])
    },
    MS,
  )
})

/** What was put into directories that were not synced since, and is there. Archives are made again. */
function unsynced(calls: readonly string[], data: string): string[] {
  const waiting = new Map<string, string[]>()
  for (const call of calls) {
    const path = [...call.matchAll(/"([^"]*)"/g)].at(-1)?.[1] ?? ''
    const synced = /^fsync\(\d+<([^>]*)>/.exec(call)?.[1]
    if (synced !== undefined) waiting.delete(synced)
    else if (!call.startsWith('openat') || call.includes('O_CREAT')) waiting.set(dirname(path), [...(waiting.get(dirname(path)) ?? []), path])
  }
  return [...waiting.values()].flat().filter((path) => isKept(path, data))
}

/** Files that were not synced since they were made, under whatever name. */
function notWritten(calls: readonly string[], data: string): string[] {
  const waiting = new Set<string>()
  for (const call of calls) {
    const [from = '', to = ''] = [...call.matchAll(/"([^"]*)"/g)].map(([, path]) => path)
    const synced = /^f(?:data)?sync\(\d+<([^>]*)>/.exec(call)?.[1]
    if (synced !== undefined) waiting.delete(synced)
    else if (call.startsWith('openat') && /O_CREAT/.test(call)) waiting.add(from)
    else if (call.startsWith('rename') && waiting.delete(from)) waiting.add(to)
  }
  return [...waiting].filter((path) => isKept(path, data))
}

function isKept(path: string, data: string): boolean {
  const kept = ['repositories', 'blobs', 'avatars'].map((name) => join(data, name))
  return kept.some((place) => path.startsWith(place)) && !/\/tmp[-_]/.test(path) && existsSync(path)
}

/** The calls that succeeded, whole, in the order of their ends. */
function* callsOf(log: string): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of log.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
    const call = rest === undefined ? text : (begun.get(thread) ?? '') + rest
    if (call.endsWith('<unfinished ...>')) begun.set(thread, call.slice(0, -'<unfinished ...>'.length))
    else if (/\)\s+= \d/.test(call)) yield call
  }
}
