import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { appendCommits, generateHistory } from '../generate-history.ts'
import { run, runAside } from './git-client.ts'
import { type Comparison, type Cost, medianCost, timed } from './measure.ts'
import type { Side } from './sides.ts'

/** Something a client does with a server, on both sides alike. */
export interface GitCase {
  name: string
  /** How often one run does it: what is over in milliseconds is repeated, and the run divided. */
  repeats: number
  /** Done once on each side before the first run, and not measured. */
  setUp?(side: Side): Promise<unknown>
  /** Done before each time, and not measured. It must not touch the server. */
  prepare?(side: Side, step: number): void | Promise<unknown>
  perform(side: Side, step: number): Promise<unknown>
}

const NEW_COMMITS = 10
const MANY_REFS = 10_000

/** The directories that the cases share. */
export class Workshop {
  readonly directory: string
  /** The bare repository that is pushed and cloned. */
  readonly source: string
  readonly branch: string
  readonly #pushed = new Map<Side, string>()
  #work: string | undefined

  constructor(directory: string, source: string) {
    this.directory = directory
    this.source = source
    this.branch = run('-C', source, 'symbolic-ref', '--short', 'HEAD')
  }

  /** The name under which the side has the whole source; it is pushed there first when no case has done so. */
  async repositoryOn(side: Side): Promise<string> {
    const known = this.#pushed.get(side)
    if (known !== undefined) return known
    side.create('whole')
    await this.pushAll(side, 'whole')
    return 'whole'
  }

  async pushAll(side: Side, repository: string): Promise<void> {
    await runAside([...side.clientOptions, '-C', this.source, 'push', '--quiet', side.url(repository), 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'])
    this.#pushed.set(side, repository)
  }

  /** A path for a clone to go to; what was there is removed. */
  fresh(name: string): string {
    const path = join(this.directory, name)
    rmSync(path, { recursive: true, force: true })
    return path
  }

  /** A copy of the source with `NEW_COMMITS` more on its branch. */
  async work(): Promise<string> {
    if (this.#work === undefined) {
      this.#work = this.fresh('work.git')
      run('clone', '--quiet', '--bare', this.source, this.#work)
      await appendCommits(this.#work, this.branch, NEW_COMMITS)
    }
    return this.#work
  }
}

export function gitCases(shop: Workshop): GitCase[] {
  return [largePush(shop), clone(shop, 'full clone', 1), clone(shop, 'shallow clone', 5, '--depth=1'), incrementalFetch(shop), smallPush(shop), listRefs(shop)]
}

function largePush(shop: Workshop): GitCase {
  return {
    name: 'large push',
    repeats: 1,
    prepare: (side, step) => side.create(`large-${step}`),
    perform: (side, step) => shop.pushAll(side, `large-${step}`),
  }
}

function clone(shop: Workshop, name: string, repeats: number, ...options: string[]): GitCase {
  return {
    name,
    repeats,
    setUp: (side) => shop.repositoryOn(side),
    prepare: () => void shop.fresh('clone.git'),
    perform: async (side) => runAside([...side.clientOptions, 'clone', '--quiet', '--bare', ...options, side.url(await shop.repositoryOn(side)), join(shop.directory, 'clone.git')]),
  }
}

function incrementalFetch(shop: Workshop): GitCase {
  const refspec = `refs/heads/${shop.branch}:refs/heads/${shop.branch}`
  return {
    name: 'incremental fetch',
    repeats: 10,
    async setUp(side) {
      await runAside([...side.clientOptions, '-C', await shop.work(), 'push', '--quiet', side.url(await shop.repositoryOn(side)), refspec])
    },
    prepare: () => void run('clone', '--quiet', '--bare', '--local', shop.source, shop.fresh('fetch.git')),
    perform: async (side) => runAside([...side.clientOptions, '-C', join(shop.directory, 'fetch.git'), 'fetch', '--quiet', side.url(await shop.repositoryOn(side)), refspec]),
  }
}

function smallPush(shop: Workshop): GitCase {
  return {
    name: 'small push',
    repeats: 10,
    async setUp(side) {
      run('-C', await shop.work(), 'branch', '--force', `small-${side.name}`, shop.branch)
      await pushSmall(side)
    },
    prepare: async (side, step) => appendCommits(await shop.work(), `small-${side.name}`, 1, step),
    perform: pushSmall,
  }

  async function pushSmall(side: Side): Promise<void> {
    await runAside([...side.clientOptions, '-C', await shop.work(), 'push', '--quiet', side.url(await shop.repositoryOn(side)), `small-${side.name}:refs/heads/small`])
  }
}

function listRefs(shop: Workshop): GitCase {
  const source = join(shop.directory, 'many-refs.git')
  return {
    name: `ls-refs, ${MANY_REFS.toLocaleString('en')} refs`,
    repeats: 10,
    async setUp(side) {
      if (!existsSync(source)) await generateHistory(source, { commits: 200, files: 40, bigFileBytes: 0, extraBranches: MANY_REFS })
      side.create('many-refs')
      await runAside([...side.clientOptions, '-C', source, 'push', '--quiet', '--mirror', side.url('many-refs')])
      side.settle('many-refs')
    },
    perform: (side) => runAside([...side.clientOptions, 'ls-remote', side.url('many-refs')]),
  }
}

/** Runs a case on all sides in turn, the first one changing from run to run. */
export async function compare(one: GitCase, ours: Side, git: Side, runs: number, tell: (text: string) => void): Promise<Comparison> {
  const costs = new Map<Side, Cost[]>([ours, git].map((side) => [side, []]))
  for (const side of [ours, git]) await one.setUp?.(side)
  for (let round = 0; round < runs; round++) {
    for (const side of round % 2 === 0 ? [ours, git] : [git, ours]) {
      tell(`${one.name}: run ${round + 1} of ${runs}, ${side.name}`)
      costs.get(side)?.push(await runOnce(one, side, round * one.repeats))
    }
  }
  return { name: one.name, runs, ours: medianCost(costs.get(ours) ?? []), git: medianCost(costs.get(git) ?? []) }
}

async function runOnce(one: GitCase, side: Side, firstStep: number): Promise<Cost> {
  await side.takeUsage()
  let wall = 0
  for (let step = firstStep; step < firstStep + one.repeats; step++) {
    await one.prepare?.(side, step)
    wall += await timed(() => one.perform(side, step))
  }
  const { cpu, peak } = await side.takeUsage()
  return { wall: wall / one.repeats, cpu: cpu / one.repeats, peak }
}
