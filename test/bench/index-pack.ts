import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLimits } from '#git/limits.ts'
import type { Oid } from '#git/objects/oid.ts'
import { receivePack } from '#git/packs/receive/receive.ts'
import { DiskStore } from '#git/store/disk.ts'
import { git, gitEnvironment } from '../git.ts'
import { type Comparison, type Cost, medianCost } from './measure.ts'
import { treePeakBytesOf } from './process-usage.ts'

/**
 * Our indexing of a pack, checks included, against `git index-pack --stdin` with the same checks; each in a process of its own.
 * Ours runs here on one thread, without the pool that serves it in the server: `bun test/bench/index-pack.ts PACK TARGET SOURCE`.
 */
export async function compareIndexPack(directory: string, source: string, runs: number, tell: (text: string) => void): Promise<Comparison> {
  const pack = join(directory, 'whole.pack')
  const listing = Bun.spawn(['git', 'pack-objects', '--all', '--stdout', '--quiet', '--delta-base-offset'], {
    cwd: source,
    env: gitEnvironment,
    stdin: 'ignore',
    stdout: Bun.file(pack),
  })
  if ((await listing.exited) !== 0) throw new Error('Cannot make a pack of the input')
  const costs: Record<'ours' | 'git', Cost[]> = { ours: [], git: [] }
  for (let round = 0; round < runs; round++) {
    for (const side of round % 2 === 0 ? (['ours', 'git'] as const) : (['git', 'ours'] as const)) {
      tell(`index-pack: run ${round + 1} of ${runs}, ${side}`)
      const target = join(directory, 'index-pack.git')
      rmSync(target, { recursive: true, force: true })
      await git(['init', '--quiet', '--bare', target])
      const command =
        side === 'git' ? ['git', 'index-pack', '--stdin', '--strict', '--fsck-objects'] : [process.execPath, import.meta.path, pack, target, source]
      costs[side].push(await costOf(command, target, pack))
    }
  }
  return { name: 'index-pack', runs, ours: medianCost(costs.ours), git: medianCost(costs.git) }
}

async function costOf(command: string[], cwd: string, input: string): Promise<Cost> {
  const start = performance.now()
  const child = Bun.spawn(command, { cwd, env: gitEnvironment, stdin: Bun.file(input), stdout: 'ignore', stderr: 'ignore' })
  let peak = 0
  const sampler = setInterval(() => {
    peak = Math.max(peak, treePeakBytesOf(child.pid))
  }, 10)
  const code = await child.exited
  clearInterval(sampler)
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${code}`)
  return { wall: (performance.now() - start) / 1000, cpu: Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1e6, peak }
}

async function indexHere(pack: string, repository: string, source: string): Promise<void> {
  const tips = (await git(['for-each-ref', '--format=%(objectname)'], { cwd: source })).split('\n') as Oid[]
  const directory = join(repository, 'objects', 'incoming')
  mkdirSync(directory)
  const store = DiskStore.open(repository, { limits: defaultLimits })
  await receivePack(Bun.file(pack).stream(), { directory, store, limits: defaultLimits, tips })
  store.close()
}

if (import.meta.main) {
  const [pack, repository, source] = process.argv.slice(2) as [string, string, string]
  await indexHere(pack, repository, source)
}
