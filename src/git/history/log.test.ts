import { afterAll, describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { git } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { aheadBehindSteps } from './ahead-behind.ts'
import { commitGraphPath, findCommitGraph } from './commit-graph.ts'
import { CommitQueue } from './commit-queue.ts'
import { CommitSource } from './commit-source.ts'
import { Marks } from './marks.ts'
import { ancestorSteps, mergeBaseSteps } from './merge-base.ts'
import { pathHistory } from './path-history.ts'
import { RandomHistory } from './random-history.fixture.ts'
import { countCommits, listCommits, reachable } from './walk.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

interface Question {
  include: Oid[]
  exclude: Oid[]
  path?: string
  since?: number
  until?: number
  skip?: number
  limit?: number
}

/** A question that some page or client of the API might ask: every filter, in every company. */
function someQuestion(random: Random, history: RandomHistory, dates: readonly number[]): Question {
  const question: Question = { include: shuffled(random, history.oids).slice(0, 1 + random.below(2)), exclude: [] }
  if (random.chance(0.5)) question.exclude = shuffled(random, history.oids).slice(0, 1 + random.below(2))
  if (random.chance(0.5)) question.path = random.pick(['a', 'b', 'd', 'd/x', 'd/e', 'd/e/y', 'f-g', 'ü/ñ', 'absent'])
  if (random.chance(0.4)) question.since = random.pick(dates)
  if (random.chance(0.4)) question.until = random.pick(dates)
  if (random.chance(0.3)) question.skip = random.below(5)
  if (random.chance(0.3)) question.limit = random.below(6)
  return question
}

function flagsOf({ include, exclude, path, since, until, skip, limit }: Question): string[] {
  const bounds = [
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
    ...(skip === undefined ? [] : [`--skip=${skip}`]),
    ...(limit === undefined ? [] : [`-n${limit}`]),
  ]
  return [...bounds, ...include, ...exclude.map((oid) => `^${oid}`), '--', ...(path === undefined ? [] : [path])]
}

async function ours(source: CommitSource, question: Question): Promise<Oid[]> {
  const found: Oid[] = []
  const ids = question.path === undefined ? finish(listCommits(source, question)) : pathHistory(source, { ...question, path: question.path })
  for await (const id of ids) found.push(source.oid(id))
  return found
}

property('a log by dates, path, range, page and first parents is git’s, with a commit-graph and without', 4, async (random, seed) => {
  // Every other history has clocks that go wrong: there git itself may be wrong about ranges, and is not asked.
  const skew = seed % 2 === 0 ? 0.3 : 0
  using history = new RandomHistory({ seed: seed + 60, commits: 120, merges: 0.35, octopuses: 0.1, skew })
  const dates = history.lines('log', '--format=%ct', ...history.oids, '--').map(Number)
  const store = DiskStore.open(history.gitDir)
  await writeCommitGraph(store, history.oids.slice(0, 100), commitGraphPath(history.gitDir), { changedPaths: true })
  const graph = findCommitGraph(commitGraphPath(history.gitDir), SHA1)
  for (let round = 0; round < 80; round++) {
    const question = someQuestion(random, history, dates)
    if (skew > 0) question.exclude = []
    const expected = history.lines('-c', 'core.commitGraph=false', 'rev-list', ...flagsOf(question)) as Oid[]
    for (const [label, source] of [
      ['no graph', new CommitSource(store)],
      ['a graph', new CommitSource(store, graph)],
    ] as const) {
      expect({ label, question, found: await ours(source, question) }).toEqual({ label, question, found: expected })
    }
  }
  store.close()
})

property('counts, ancestry and bases of many commits are what their sets of ancestors say', 3, (random, seed) => {
  using history = new RandomHistory({ seed: seed + 90, commits: 60, merges: 0.4, octopuses: 0.2, roots: 0.05 })
  const store = DiskStore.open(history.gitDir)
  const ancestors = new Map<Oid, Set<Oid>>()
  for (const line of history.lines('rev-list', '--parents', '--reverse', '--topo-order', ...history.oids)) {
    const [oid, ...parents] = line.split(' ') as [Oid, ...Oid[]]
    ancestors.set(oid, new Set([oid, ...parents.flatMap((parent) => [...(ancestors.get(parent) as Set<Oid>)])]))
  }
  const of = (oid: Oid): Set<Oid> => ancestors.get(oid) as Set<Oid>
  for (let round = 0; round < 60; round++) {
    const [a, b, c] = shuffled(random, history.oids).slice(0, 3) as [Oid, Oid, Oid]
    const source = new CommitSource(store)
    expect(finish(ancestorSteps(source, a, b))).toBe(of(b).has(a))
    expect(finish(aheadBehindSteps(source, a, b))).toEqual({ ahead: of(a).difference(of(b)).size, behind: of(b).difference(of(a)).size })
    expect(new Set(Array.from(reachable(source, [a, b]), (id) => source.oid(id)))).toEqual(of(a).union(of(b)))
    expect(finish(countCommits(source, { include: [a, b], exclude: [c] }))).toBe(of(a).union(of(b)).difference(of(c)).size)
    // The best bases: common ancestors that no other common ancestor descends from.
    const common = of(a).intersection(of(b).union(of(c)))
    const best = [...common].filter((oid) => ![...common].some((other) => other !== oid && of(other).has(oid)))
    expect(finish(mergeBaseSteps(source, a, [b, c])).toSorted()).toEqual(best.sort())
  }
  store.close()
})

describe('what walks stand on', () => {
  property('the queue gives the newest first, and of equals the one that came first', 20, (random) => {
    const queue = new CommitQueue()
    const model: { id: number; date: number; generation: number; turn: number }[] = []
    for (let step = 0; step < 400; step++) {
      if (model.length === 0 || random.chance(0.6)) {
        const one = { id: step, date: random.below(20), generation: random.pick([Infinity, 1, 2, 3]), turn: step }
        model.push(one)
        queue.push(one.id, one.date, one.generation)
      } else {
        model.sort((a, b) => (a.generation === b.generation ? 0 : b.generation - a.generation) || b.date - a.date || a.turn - b.turn)
        expect(queue.topDate).toBe(model[0]?.date as number)
        expect(queue.pop()).toBe(model.shift()?.id as number)
      }
      expect(queue.size).toBe(model.length)
    }
  })

  property('marks are eight flags for each of any number of ids', 10, (random) => {
    const [marks, model] = [new Marks(random.below(50)), new Map<number, number>()]
    for (let step = 0; step < 1000; step++) {
      const [id, bits] = [random.skewed(5000), 1 + random.below(255)]
      const before = model.get(id) ?? 0
      if (random.chance(0.6)) {
        marks.add(id, bits)
        model.set(id, before | bits)
      } else if (random.chance(0.5)) {
        marks.remove(id, bits)
        model.set(id, before & ~bits)
      }
      const now = model.get(id) ?? 0
      expect([marks.of(id), marks.has(id, bits)]).toEqual([now, (now & bits) === bits])
    }
  })
})

describe('a history with a hole', () => {
  const history = new RandomHistory({ seed: 5, commits: 20, merges: 0, roots: 0 })
  afterAll(() => history[Symbol.dispose]())
  const gone = '1'.repeat(40) as Oid
  const orphan = git(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], {
    cwd: history.gitDir,
    stdin: `tree ${SHA1.emptyTree}\nparent ${gone}\nauthor A <a@b> 2000000000 +0000\ncommitter A <a@b> 2000000000 +0000\n\nx\n`,
  })
    .toString()
    .trim() as Oid
  const [tip] = [history.oids[19] as Oid]
  const questions: [string, (source: CommitSource) => unknown][] = [
    ['a list', (source) => finish(listCommits(source, { include: [orphan] }))],
    ['a range', (source) => finish(listCommits(source, { include: [tip], exclude: [orphan] }))],
    ['a count', (source) => finish(countCommits(source, { include: [orphan] }))],
    ['the bases', (source) => finish(mergeBaseSteps(source, orphan, tip))],
    ['how far two are apart', (source) => finish(aheadBehindSteps(source, tip, orphan))],
    ['the history of a path', (source) => Array.fromAsync(pathHistory(source, { include: [orphan], path: 'a' }))],
  ]
  test.each(questions)('%s names what is missing, and is not just shorter', async (_, ask) => {
    const store = DiskStore.open(history.gitDir)
    const failure = await Promise.try(() => ask(new CommitSource(store))).catch((error: unknown) => error)
    expect(String(failure)).toContain(gone)
    store.close()
  })
})

test('a long history is counted in steps, a range of it too', () => {
  using history = new RandomHistory({ seed: 7, commits: 300, merges: 0, roots: 0 })
  const store = DiskStore.open(history.gitDir)
  const first = history.oids[0] as Oid
  const stepsOf = (exclude: Oid[]) => {
    const steps = countCommits(new CommitSource(store), { include: history.oids, exclude })
    let count = 0
    while (!steps.next().done) count++
    return count
  }
  expect(stepsOf([])).toBeGreaterThan(2)
  expect(stepsOf([first])).toBeGreaterThan(2)
  store.close()
})
