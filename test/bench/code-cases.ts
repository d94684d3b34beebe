import { appendCommits } from '../generate-history.ts'
import { git, gitEnvironment } from '../git.ts'
import { type GitCase, runOnce, talk, type Workshop } from './git-cases.ts'
import { type Comparison, type Cost, medianCost } from './measure.ts'
import { type OurSide, type Side, untilQuiet } from './sides.ts'

/** What the server does of its own accord with code, against the git command that does the same on this machine. */
interface CodeCase {
  name: string
  /** How often one run does it. */
  repeats: number
  ours(step: number): Promise<unknown>
  /** The command's arguments, in `directory`. */
  theirs(step: number): Promise<readonly string[]>
  directory(): Promise<string>
}

const WIDE = 'wide'
const WIDE_FILES = 10_000

export const codeCaseNames = [
  'archive zip',
  'archive tar.gz',
  'archive tar.zst',
  'compare of 10,000 files',
  'diff of 10,000 files',
  'one file committed',
] as const

/** Runs those that are wanted. */
export async function measureCode(
  shop: Workshop,
  ours: OurSide,
  theirs: Side,
  { runs, isWanted, tell }: { runs: number; isWanted(name: string): boolean; tell(text: string): void },
): Promise<Comparison[]> {
  const found: Comparison[] = []
  for (const one of [...archives(shop, ours), ...comparisons(shop, ours)].filter(({ name }) => isWanted(name))) {
    tell(one.name)
    found.push(await compareWithCommand(one, ours, runs))
  }
  if (isWanted('one file committed')) found.push(await compareCommits(shop, ours, theirs, runs, tell))
  return found
}

/** Git has no zstd of its own, and is given the program; without it, it makes a plain archive. */
const zstd = Bun.which('zstd') === null ? ['archive', '--format=tar'] : ['-c', 'tar.tar.zst.command=zstd -c -3', 'archive', '--format=tar.zst']

/** Each of another commit: what was made once is kept. */
function archives(shop: Workshop, ours: OurSide): CodeCase[] {
  let listed: Promise<string[]> | undefined
  const commitOf = async (step: number) => {
    listed ??= git(['rev-list', '--first-parent', '--max-count=150', shop.branch], { cwd: shop.source }).then((text) => text.split('\n'))
    const oids = await listed
    return oids[step % oids.length] as string
  }
  return (['zip', 'tar.gz', 'tar.zst'] as const).map((format, nth) => {
    return {
      name: `archive ${format}`,
      repeats: 3,
      async ours(step) {
        await download(ours, `/repos/bench/${await shop.repositoryOn(ours)}/archive/${await commitOf(step + 50 * nth)}.${format}`)
      },
      theirs: async (step) => [...(format === 'tar.zst' ? zstd : ['archive', `--format=${format}`]), '--prefix=whole/', await commitOf(step + 50 * nth)],
      directory: async () => shop.source,
    }
  })
}

function comparisons(shop: Workshop, ours: OurSide): CodeCase[] {
  const wide = () => wideRepository(shop, ours)
  return [
    {
      name: 'compare of 10,000 files',
      repeats: 1,
      ours: async () => {
        await wide()
        await download(ours, `/repos/bench/${WIDE}/compare/before...after`)
      },
      theirs: async () => ['log', '--format=raw', '--raw', '--numstat', 'before..after'],
      directory: wide,
    },
    {
      name: 'diff of 10,000 files',
      repeats: 1,
      ours: async () => {
        await wide()
        await download(ours, `/repos/bench/${WIDE}/git/commits/${await git(['rev-parse', 'after'], { cwd: await wide() })}.diff`)
      },
      theirs: async () => ['diff', 'before', 'after'],
      directory: wide,
    },
  ]
}

let made: Promise<string> | undefined

/** Two commits: ten thousand files of a hundred lines, and each with a line changed. */
function wideRepository(shop: Workshop, ours: OurSide): Promise<string> {
  made ??= (async () => {
    const path = shop.fresh('wide.git')
    await git(['init', '--quiet', '--bare', path])
    const text = (file: number, line: string) => Array.from({ length: 100 }, (_, i) => (i === 50 ? line : `file ${file}, line ${i}`)).join('\n')
    const commit = (branch: string, line: string, from = '') => {
      const files = Array.from({ length: WIDE_FILES }, (_, i) => {
        const data = text(i, line)
        return `M 644 inline dir-${i % 100}/file-${i}.txt\ndata ${Buffer.byteLength(data)}\n${data}\n`
      })
      return `commit refs/heads/${branch}\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nx\n${from}${files.join('')}\n`
    }
    const input = `${commit('before', 'old')}${commit('after', 'new', 'from refs/heads/before\n')}done\n`
    const child = Bun.spawn(['git', 'fast-import', '--quiet', '--done'], { cwd: path, stdin: Buffer.from(input), env: gitEnvironment })
    if ((await child.exited) !== 0) throw new Error('Cannot make the wide repository')
    await talk(ours, ['push', '--quiet', ours.url(WIDE), 'before', 'after'], path)
    return path
  })()
  return made
}

async function download(side: OurSide, path: string): Promise<void> {
  const answer = await fetch(`${side.running.origin}/api/v1${path}`, { headers: { Authorization: side.authorization } })
  if (answer.status !== 200) throw new Error(`Cannot measure ${path}: ${answer.status} ${await answer.text()}`)
  for await (const _ of answer.body ?? []) {
    // It is thrown away.
  }
}

async function compareWithCommand(one: CodeCase, ours: OurSide, runs: number): Promise<Comparison> {
  const cwd = await one.directory()
  // What is done for the first time is not what people wait for day by day.
  await one.ours(runs * one.repeats)
  await untilQuiet(ours)
  const costs = { ours: [] as Cost[], git: [] as Cost[] }
  for (let run = 0; run < runs; run++) {
    const steps = Array.from({ length: one.repeats }, (_, i) => run * one.repeats + i)
    await ours.takeUsage()
    const began = performance.now()
    for (const step of steps) await one.ours(step)
    const wall = (performance.now() - began) / 1000
    const { cpu, peak } = await ours.takeUsage()
    costs.ours.push({ wall: wall / one.repeats, cpu: cpu / one.repeats, peak })
    const theirs = await sequence(steps, async (step) => commandCost(await one.theirs(step), cwd))
    costs.git.push(medianCost(theirs))
  }
  return { name: one.name, runs, ours: medianCost(costs.ours), git: medianCost(costs.git) }
}

async function sequence<T>(steps: readonly number[], work: (step: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (const step of steps) done.push(await work(step))
  return done
}

async function commandCost(args: readonly string[], cwd: string): Promise<Cost> {
  const began = performance.now()
  const child = Bun.spawn(['git', ...args], { cwd, stdout: 'ignore', stderr: 'inherit', env: gitEnvironment })
  if ((await child.exited) !== 0) throw new Error(`Cannot measure git ${args.join(' ')}`)
  const usage = child.resourceUsage()
  return { wall: (performance.now() - began) / 1000, cpu: Number(usage?.cpuTime.total ?? 0n) / 1e6, peak: usage?.maxRSS ?? Number.NaN }
}

/** A file changed through our API, against a push of the same to stock git: what Gitea does behind its API. */
async function compareCommits(shop: Workshop, ours: OurSide, theirs: Side, runs: number, tell: (text: string) => void): Promise<Comparison> {
  const name = 'one file committed'
  const repository = await shop.repositoryOn(ours)
  const commit = async (step: number) => {
    const answer = await fetch(`${ours.running.origin}/api/v1/repos/bench/${repository}/contents/bench/${process.pid}-${step}.txt`, {
      method: 'POST',
      headers: { Authorization: ours.authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: btoa(`${step}\n`), branch: shop.branch }),
    })
    if (answer.status !== 201) throw new Error(`Cannot measure "${name}": ${answer.status} ${await answer.text()}`)
    await answer.body?.cancel()
  }
  const branch = 'committed-git'
  const byApi: GitCase = { name, repeats: 20, perform: (_, step) => commit(step) }
  const byPush: GitCase = {
    name,
    repeats: 20,
    prepare: async (_, step) => appendCommits(await shop.work(), branch, 1, step),
    perform: async (side) => talk(side, ['push', '--quiet', side.url(await shop.repositoryOn(side)), `${branch}:refs/heads/committed`], await shop.work()),
  }
  await git(['branch', '--force', branch, shop.branch], { cwd: await shop.work() })
  await byPush.perform(theirs, 0)
  await commit(runs * byApi.repeats)
  await untilQuiet(ours)
  const costs = { ours: [] as Cost[], git: [] as Cost[] }
  for (let run = 0; run < runs; run++) {
    tell(`${name}: run ${run + 1} of ${runs}`)
    costs.ours.push(await runOnce(byApi, ours, run * byApi.repeats))
    costs.git.push(await runOnce(byPush, theirs, run * byPush.repeats))
  }
  return { name, runs, ours: medianCost(costs.ours), git: medianCost(costs.git) }
}
