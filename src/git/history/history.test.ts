import { afterAll, describe, expect, test } from 'bun:test'
import { soak } from '../../../test/soak.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { aheadBehindSteps } from './ahead-behind.ts'
import { commitGraphPath, findCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { lastCommits } from './last-commits.ts'
import { ancestorSteps, mergeBaseSteps } from './merge-base.ts'
import { type PathHistoryOptions, pathHistory } from './path-history.ts'
import { type HistoryShape, RandomHistory } from './random-history.fixture.ts'
import { countCommits, type ListOptions, listCommits } from './walk.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

/**
 * Every question is asked four times, of sources without a commit-graph, with one of part of the history, with one of all
 * of it, and with changed-path filters in that; stock git's answer is the right one. Where clocks are skewed git itself may be wrong about what to
 * leave out; there the sources with a graph are held to the true answer.
 */
const shapes: (HistoryShape & { name: string })[] = [
  { name: 'a history with merges and criss-crosses', seed: 11, commits: 200, merges: 0.4 },
  { name: 'a history of octopuses and many roots', seed: 12, commits: 200, octopuses: 0.5, roots: 0.05 },
  { name: 'a history in which most dates are equal', seed: 13, commits: 200, equalDates: 0.9 },
  { name: 'a history with skewed clocks', seed: 14, commits: 200, skew: 0.3 },
]

for (const shape of shapes) describe(shape.name, () => compareWithGit(shape))

async function sourcesFor(history: RandomHistory, store: DiskStore) {
  const path = commitGraphPath(history.gitDir)
  await writeCommitGraph(store, [history.oids[80] as Oid, history.oids[70] as Oid], path)
  const part = findCommitGraph(path, SHA1)
  await writeCommitGraph(store, history.oids, path)
  const whole = findCommitGraph(path, SHA1)
  await writeCommitGraph(store, history.oids, path, { changedPaths: true })
  const filtered = findCommitGraph(path, SHA1)
  return {
    'no graph': () => new CommitSource(store),
    'a graph of part': () => new CommitSource(store, part),
    'a graph of all': () => new CommitSource(store, whole),
    'a graph with filters': () => new CommitSource(store, filtered),
  }
}

async function compareWithGit(shape: HistoryShape): Promise<void> {
  const history = new RandomHistory(shape)
  const store = DiskStore.open(history.gitDir)
  const ready = sourcesFor(history, store)
  afterAll(() => {
    store.close()
    history[Symbol.dispose]()
  })
  const cases = Array.from({ length: soak(3, 4) }, () => [history.pickLate(), history.pickLate(), history.pick()] as const)
  const git = (...args: string[]) => history.lines('rev-list', ...args) as Oid[]

  async function each(check: (source: () => CommitSource, label: string) => Promise<void> | void): Promise<void> {
    for (const [label, source] of Object.entries(await ready)) await check(source, label)
  }

  test('git accepts the commit-graph', async () => {
    await ready
    expect(history.git('commit-graph', 'verify')).toBe('')
  })

  test('lists, pages, dates and topological order are those of rev-list', async () => {
    for (const [a, b] of cases) {
      const [since, until] = [1_000_002_000, 1_000_006_000]
      const questions: [ListOptions, Oid[]][] = [
        [{ include: [a, b] }, git(a, b)],
        [{ include: [a, b], skip: 7, limit: 9 }, git('--skip=7', '-n9', a, b)],
        [{ include: [a, b], since, until }, git(`--since=${since}`, `--until=${until}`, a, b)],
        [{ include: [a, b], order: 'topo' }, git('--topo-order', a, b)],
      ]
      await each((source, label) => {
        for (const [options, answer] of questions) expect([label, walk(source(), options)]).toEqual([label, answer])
        expect(finish(countCommits(source(), { include: [a, b] }))).toBe(questions[0]?.[1].length as number)
      })
    }
  })

  test('what some commits reach and others do not is what rev-list says', async () => {
    for (const [a, b, c] of cases) {
      const without = new Set(git(c))
      const truth = git(a, b).filter((oid) => !without.has(oid))
      const [byDate, byTopo] = [git(a, b, `^${c}`), git('--topo-order', a, b, `^${c}`)]
      await each((source, label) => {
        const isExact = shape.skew !== undefined && label !== 'no graph'
        expect([label, walk(source(), { include: [a, b], exclude: [c] })]).toEqual([label, isExact ? truth : byDate])
        if (!isExact) expect(walk(source(), { include: [a, b], exclude: [c], order: 'topo' })).toEqual(byTopo)
      })
    }
  })

  test('merge bases, ancestry and ahead-behind counts are those of git', async () => {
    for (const [a, b, c] of [...cases, ...cases.map(([x, y]) => [x, y, y] as const)]) {
      const bases = basesOf(history, a, c)
      const [ofA, ofC] = [new Set<string>(git(a)), new Set<string>(git(c))]
      const counts = { ahead: ofA.difference(ofC).size, behind: ofC.difference(ofA).size }
      await each((source, label) => {
        expect([label, finish(mergeBaseSteps(source(), a, c))]).toEqual([label, bases])
        expect([finish(ancestorSteps(source(), c, a)), finish(ancestorSteps(source(), a, c))]).toEqual([ofA.has(c), ofC.has(a)])
        if (shape.skew === undefined || label !== 'no graph') expect(finish(aheadBehindSteps(source(), a, c))).toEqual(counts)
      })
      expect(finish(mergeBaseSteps((await ready)['no graph'](), b, b))).toEqual([b])
    }
  })

  test('the history of files and directories is that of rev-list with a path', async () => {
    for (const [a, b, c] of cases.slice(0, 2)) {
      for (const path of ['a', 'd', 'd/e/y', 'ü', '', 'absent/x']) {
        const all = git(a, b, '--', path || '.')
        const paged = git('--skip=2', '-n3', a, b, '--', path || '.')
        const range = git(a, `^${c}`, '--', path || '.')
        await each(async (source, label) => {
          expect([label, path, await walkPath(source(), { include: [a, b], path })]).toEqual([label, path, all])
          expect(await walkPath(source(), { include: [a, b], path, skip: 2, limit: 3 })).toEqual(paged)
          if (shape.skew === undefined || label === 'no graph') expect(await walkPath(source(), { include: [a], exclude: [c], path })).toEqual(range)
        })
      }
    }
  })

  test('the last commit of each entry is what rev-list -1 gives for it', async () => {
    for (const [tip, dir] of [
      [cases[0]?.[0] as Oid, ''],
      [cases[1]?.[0] as Oid, ''],
      [cases[2]?.[0] as Oid, 'd'],
    ] as const) {
      if (history.lines('ls-tree', '-d', tip, dir || '.').length === 0) continue
      const names = history.lines('-c', 'core.quotepath=off', 'ls-tree', '--name-only', `${tip}:${dir}`)
      const answer = names.map((name) => [name, git('-1', tip, '--', dir === '' ? name : `${dir}/${name}`)[0] as Oid] as const)
      await each(async (source) => {
        expect(await lastCommits(source(), tip, dir)).toEqual(new Map(answer))
        expect(await lastCommits(source(), tip, dir, { names: ['absent', ...names.slice(0, 1)] })).toEqual(new Map(answer.slice(0, 1)))
      })
    }
  })
}

function walk(source: CommitSource, options: ListOptions): Oid[] {
  return finish(listCommits(source, options)).map((id) => source.oid(id))
}

async function walkPath(source: CommitSource, options: PathHistoryOptions): Promise<Oid[]> {
  const oids: Oid[] = []
  for await (const id of pathHistory(source, options)) oids.push(source.oid(id))
  return oids
}

/** git ends with status 1 when there is none. */
function basesOf(history: RandomHistory, a: Oid, b: Oid): Oid[] {
  const found = Bun.spawnSync(['git', 'merge-base', '--all', a, b], { cwd: history.gitDir })
  return found.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '') as Oid[]
}

test('a commit that is not there is an error, not an empty history', () => {
  using history = new RandomHistory({ seed: 1, commits: 2 })
  const store = DiskStore.open(history.gitDir)
  const absent = '1'.repeat(40) as Oid
  expect(() => walk(new CommitSource(store), { include: [absent] })).toThrow(absent)
  expect(() => finish(mergeBaseSteps(new CommitSource(store), absent, history.oids[0] as Oid))).toThrow(absent)
  store.close()
})
