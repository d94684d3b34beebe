import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { appendCommits, generateHistory } from '../generate-history.ts'
import { git } from '../git.ts'
import { type Comparison, type Cost, medianCost, timed } from './measure.ts'
import { HandMade } from './push-by-hand.ts'
import { type Side, untilQuiet } from './sides.ts'

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
  #work: Promise<string> | undefined

  constructor(directory: string, source: string, branch: string) {
    this.directory = directory
    this.source = source
    this.branch = branch
  }

  /** The name under which the side has the whole source; it is pushed there first when no case has done so. */
  async repositoryOn(side: Side): Promise<string> {
    const known = this.#pushed.get(side)
    if (known !== undefined) return known
    await side.create('whole')
    await this.pushAll(side, 'whole')
    return 'whole'
  }

  async pushAll(side: Side, repository: string): Promise<void> {
    await talk(side, ['push', '--quiet', side.url(repository), 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'], this.source)
    this.#pushed.set(side, repository)
  }

  /** A path where nothing is: what was there is removed. */
  fresh(name: string): string {
    const path = join(this.directory, name)
    rmSync(path, { recursive: true, force: true })
    return path
  }

  /** A copy of the source with `NEW_COMMITS` more on its branch. */
  work(): Promise<string> {
    this.#work ??= this.#makeWork()
    return this.#work
  }

  async #makeWork(): Promise<string> {
    const path = this.fresh('work.git')
    await git(['clone', '--quiet', '--bare', this.source, path])
    await appendCommits(path, this.branch, NEW_COMMITS)
    return path
  }
}

export function gitCases(shop: Workshop): GitCase[] {
  return [
    largePush(shop),
    clone(shop, 'full clone', 1),
    firstClone(shop),
    clone(shop, 'partial clone', 1, '--filter=blob:none'),
    clone(shop, 'shallow clone', 10, '--depth=1'),
    clone(shop, 'shallow clone of 50', 1, '--depth=50'),
    incrementalFetch(shop),
    smallPush(shop),
    smallPushByHand(shop),
    listRefs(shop),
  ]
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
    perform: async (side) => talk(side, ['clone', '--quiet', '--bare', ...options, side.url(await shop.repositoryOn(side)), 'clone.git'], shop.directory),
  }
}

/** What a clone costs right after a push, when nothing that upkeep derives knows of the new commits. */
function firstClone(shop: Workshop): GitCase {
  const branchOf = (side: Side) => `after-${side.name}`
  return {
    name: 'first clone after a push',
    repeats: 1,
    async setUp(side) {
      await git(['branch', '--force', branchOf(side), shop.branch], { cwd: await shop.work() })
      await shop.repositoryOn(side)
    },
    async prepare(side, step) {
      const work = await shop.work()
      await appendCommits(work, branchOf(side), 1, step)
      await talk(side, ['push', '--quiet', side.url(await shop.repositoryOn(side)), `${branchOf(side)}:refs/heads/after`], work)
      shop.fresh('clone.git')
      await side.takeUsage()
    },
    perform: async (side) => talk(side, ['clone', '--quiet', '--bare', side.url(await shop.repositoryOn(side)), 'clone.git'], shop.directory),
  }
}

function incrementalFetch(shop: Workshop): GitCase {
  const refspec = `refs/heads/${shop.branch}:refs/heads/${shop.branch}`
  return {
    name: 'incremental fetch',
    repeats: 20,
    setUp: async (side) => talk(side, ['push', '--quiet', side.url(await shop.repositoryOn(side)), refspec], await shop.work()),
    prepare: () => git(['clone', '--quiet', '--bare', '--local', shop.source, shop.fresh('fetch.git')]),
    perform: async (side) => talk(side, ['fetch', '--quiet', side.url(await shop.repositoryOn(side)), refspec], join(shop.directory, 'fetch.git')),
  }
}

function smallPush(shop: Workshop): GitCase {
  const branchOf = (side: Side) => `small-${side.name}`
  const push = async (side: Side) =>
    talk(side, ['push', '--quiet', side.url(await shop.repositoryOn(side)), `${branchOf(side)}:refs/heads/small`], await shop.work())
  return {
    name: 'small push',
    repeats: 20,
    async setUp(side) {
      await git(['branch', '--force', branchOf(side), shop.branch], { cwd: await shop.work() })
      await push(side)
    },
    prepare: async (side, step) => appendCommits(await shop.work(), branchOf(side), 1, step),
    perform: push,
  }
}

/** The requests of a small push alone: git's own client takes longer than the server. */
function smallPushByHand(shop: Workshop): GitCase {
  const branchOf = (side: Side) => `by-hand-${side.name}`
  const made = new Map<Side, HandMade>()
  return {
    name: 'small push by hand',
    repeats: 20,
    async setUp(side) {
      const work = await shop.work()
      await git(['branch', '--force', branchOf(side), shop.branch], { cwd: work })
      await talk(side, ['push', '--quiet', side.url(await shop.repositoryOn(side)), `${branchOf(side)}:refs/heads/by-hand`], work)
    },
    async prepare(side, step) {
      const work = await shop.work()
      const old = await git(['rev-parse', branchOf(side)], { cwd: work })
      made.set(side, await HandMade.of(work, { name: 'refs/heads/by-hand', old, new: await appendCommits(work, branchOf(side), 1, step) }))
    },
    perform: async (side) => made.get(side)?.send(side.url(await shop.repositoryOn(side)), side.headers),
  }
}

function listRefs(shop: Workshop): GitCase {
  const source = join(shop.directory, 'many-refs.git')
  return {
    name: `ls-refs, ${MANY_REFS.toLocaleString('en')} refs`,
    repeats: 20,
    async setUp(side) {
      if (!existsSync(source)) await generateHistory(source, { commits: 200, files: 40, bigFileBytes: 0, extraBranches: MANY_REFS })
      await side.take('many-refs', source)
    },
    perform: (side) => talk(side, ['ls-remote', side.url('many-refs')], shop.directory),
  }
}

export function talk(side: Side, args: readonly string[], cwd: string): Promise<string> {
  return git([...side.clientOptions, ...args], { cwd })
}

/** Runs a case on both sides in turn, the first one changing from run to run. */
export async function compare(one: GitCase, ours: Side, theirs: Side, runs: number, tell: (text: string) => void): Promise<Comparison> {
  const costs = new Map<Side, Cost[]>([ours, theirs].map((side) => [side, []]))
  tell(`${one.name}: preparing`)
  for (const side of [ours, theirs]) await one.setUp?.(side)
  await untilQuiet(ours)
  for (let round = 0; round < runs; round++) {
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      tell(`${one.name}: run ${round + 1} of ${runs}, ${side.name}`)
      costs.get(side)?.push(await runOnce(one, side, round * one.repeats))
    }
  }
  return { name: one.name, runs, ours: medianCost(costs.get(ours) ?? []), git: medianCost(costs.get(theirs) ?? []) }
}

export async function runOnce(one: GitCase, side: Side, firstStep: number): Promise<Cost> {
  await side.takeUsage()
  let wall = 0
  for (let step = firstStep; step < firstStep + one.repeats; step++) {
    await one.prepare?.(side, step)
    wall += await timed(() => one.perform(side, step))
  }
  const { cpu, peak } = await side.takeUsage()
  return { wall: wall / one.repeats, cpu: cpu / one.repeats, peak }
}
