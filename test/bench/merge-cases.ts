import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLimits } from '#git/limits.ts'
import type { Mergeability } from '#git/merge/branch-merge.ts'
import { RandomMerges } from '#git/merge/random-merges.fixture.ts'
import type { Oid } from '#git/objects/oid.ts'
import { GitService } from '#git/workers/service.ts'
import { git, gitEnvironment } from '../git.ts'
import { median, quantile, timed } from './measure.ts'
import { ratio, seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atMost } from './verdicts.ts'

type Pair = readonly [ours: Oid, theirs: Oid]

const MERGES = 200
const MAX_SHARE_OF_GIT = 0.5
const COMMITS = 300
const SEED = 11

/**
 * What merges come to, in a worker that has done others before, against one `git merge-tree` for each: of made-up criss-crossing histories
 * full of renames, and those that the history of a repository at `repo` has.
 */
export async function measureMerges(directory: string, repo: string | undefined): Promise<ServerFindings> {
  using made = new RandomMerges(SEED, COMMITS)
  const findings = [await measureOn('made-up merges', made.gitDir, made.pairs(2 * MERGES), directory)]
  if (repo !== undefined) findings.push(await measureOn('merges of the input', repo, await mergesOf(repo), directory))
  return { verdicts: findings.flatMap(({ verdicts }) => verdicts), notes: findings.flatMap(({ notes }) => notes) }
}

/** The parents of merges from all over the history. */
async function mergesOf(repo: string): Promise<Pair[]> {
  const listed = (await git(['rev-list', '--all', '--min-parents=2', '--max-parents=2', '--parents'], { cwd: repo })).split('\n').filter((line) => line !== '')
  const step = Math.max(1, Math.floor(listed.length / (2 * MERGES)))
  return listed.filter((_, i) => i % step === 0).map((line) => line.split(' ').slice(1) as unknown as Pair)
}

/** Every other pair is for warming up. */
async function measureOn(name: string, repo: string, pairs: readonly Pair[], directory: string): Promise<ServerFindings> {
  const place = join(directory, name.replaceAll(' ', '-'))
  mkdirSync(place)
  symlinkSync(repo, join(place, '1.git'))
  const service = new GitService({ directory: place, limits: defaultLimits, workers: 1 })
  const ask = ([base, head]: Pair) => service.run('mergeability', 1, { base, head })
  const times = { ours: [] as number[], git: [] as number[] }
  let different = 0
  try {
    for (const pair of pairs.filter((_, i) => i % 2 === 1)) await ask(pair)
    for (const pair of pairs.filter((_, i) => i % 2 === 0)) {
      let [ours, theirs] = ['', '']
      times.ours.push(await timed(async () => (ours = outcomeOf(await ask(pair)))))
      times.git.push(await timed(async () => (theirs = await mergeTree(repo, pair))))
      if (ours !== '' && ours !== theirs) different++
    }
  } finally {
    await service.close()
  }
  return present(name, times, different)
}

/** The tree of a clean merge, or the paths in conflict; nothing where there is nothing to merge. */
function outcomeOf(outcome: Mergeability): string {
  if (outcome.status === 'up-to-date') return ''
  return outcome.status === 'conflict' ? outcome.conflicts.map(({ path }) => path).join('\0') : outcome.tree
}

async function mergeTree(repo: string, [ours, theirs]: Pair): Promise<string> {
  const command = ['git', 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories', ours, theirs]
  const child = Bun.spawn(command, { cwd: repo, env: gitEnvironment, stdin: 'ignore', stderr: 'ignore' })
  const [tree, ...paths] = (await new Response(child.stdout).text()).split('\0').filter((field) => field !== '')
  if ((await child.exited) === 0) return tree ?? ''
  // A file that makes way for a directory is named after its side, which is the commit's id here.
  return paths.join('\0').replaceAll(`~${ours}`, '~ours').replaceAll(`~${theirs}`, '~theirs')
}

function present(name: string, times: { ours: number[]; git: number[] }, different: number): ServerFindings {
  const shares = times.ours.map((ours, i) => ours / (times.git[i] as number))
  const ninth = (values: number[]) =>
    quantile(
      values.toSorted((a, b) => a - b),
      0.9,
    )
  const figures = (values: number[]) => `${seconds(median(values))}, nine in ten under ${seconds(ninth(values))}`
  return {
    verdicts: [
      atMost(`${name}: time beside git merge-tree's, median`, median(shares), MAX_SHARE_OF_GIT, (value) => value.toFixed(2)),
      atMost(`${name}: that come to something else than git's`, different, 0, String),
    ],
    notes: [
      [`${name}: ${shares.length}, ours`, figures(times.ours)],
      [`${name}: git merge-tree`, `${figures(times.git)}; of all together ours takes ${ratio(sum(times.ours), sum(times.git))}`],
    ],
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
