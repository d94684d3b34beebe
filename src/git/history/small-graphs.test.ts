import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { property, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { aheadBehindSteps } from './ahead-behind.ts'
import { findCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { HandHistory } from './hand-history.fixture.ts'
import { Lanes } from './lanes.ts'
import { ancestorSteps, mergeBaseSteps } from './merge-base.ts'
import { pushedCommits } from './pushed-commits.ts'
import { dateOrder, topologicalOrder } from './topological-order.ts'
import { countCommits, listCommits, reachable } from './walk.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

/** What each commit reaches, itself included, worked out from the parents alone. */
function ancestorsOf(parents: readonly (readonly number[])[]): Set<number>[] {
  const sets: Set<number>[] = []
  for (const [i, own] of parents.entries()) sets.push(new Set([i, ...own.flatMap((parent) => [...(sets[parent] as Set<number>)])]))
  return sets
}

/** The best of the common ancestors: those that no other one descends from. */
function basesOf(reach: readonly Set<number>[], a: number, others: readonly number[]): number[] {
  const right = others.reduce((all, other) => all.union(reach[other] as Set<number>), new Set<number>())
  const common = [...(reach[a] as Set<number>).intersection(right)]
  return common.filter((base) => !common.some((other) => other !== base && (reach[other] as Set<number>).has(base)))
}

/** Every history of `count` commits there can be, each commit with any of those before as parents. */
function* allGraphs(count: number): Generator<number[][]> {
  const bits = (count * (count - 1)) / 2
  for (let code = 0; code < 2 ** bits; code += soak(3, 1)) {
    let left = code
    const parents = Array.from({ length: count }, (_, i) => {
      const own: number[] = []
      for (let parent = 0; parent < i; parent++, left >>= 1) if (left & 1) own.push(parent)
      return own
    })
    yield parents
  }
}

function built(parents: readonly (readonly number[])[], dates?: readonly number[]) {
  const history = new HandHistory()
  const oids: Oid[] = []
  for (const [i, own] of parents.entries())
    oids.push(history.commit({ parents: own.map((parent) => oids[parent] as Oid), ...(dates ? { date: dates[i] as number } : {}) }))
  return { history, oids }
}

describe('every history of five commits', () => {
  test('has the merge bases, ancestors and counts that its sets of ancestors say', () => {
    for (const parents of allGraphs(5)) {
      const { history, oids } = built(parents)
      const reach = ancestorsOf(parents)
      const source = new CommitSource(history.store)
      const of = (i: number) => oids[i] as Oid
      const [answers, wanted]: [object[], object[]] = [[], []]
      for (let a = 0; a < 5; a++) {
        for (let b = 0; b < 5; b++) {
          const [left, right] = [reach[a] as Set<number>, reach[b] as Set<number>]
          const found = {
            isAncestor: finish(ancestorSteps(source, of(a), of(b))),
            bases: finish(mergeBaseSteps(source, of(a), of(b))).toSorted(),
            counts: finish(aheadBehindSteps(source, of(a), of(b))),
            range: finish(countCommits(source, { include: [of(a)], exclude: [of(b)] })),
          }
          const expected = {
            isAncestor: right.has(a),
            bases: basesOf(reach, a, [b]).map(of).sort(),
            counts: { ahead: left.difference(right).size, behind: right.difference(left).size },
            range: left.difference(right).size,
          }
          answers.push({ a, b, ...found })
          wanted.push({ a, b, ...expected })
        }
      }
      expect({ parents, answers }).toEqual({ parents, answers: wanted })
    }
  })

  test('is listed by date and by shape, each commit once, no parent before a child where shape counts', () => {
    for (const parents of allGraphs(5)) {
      const { history, oids } = built(parents)
      const source = new CommitSource(history.store)
      const include = oids.filter((_, i) => !parents.some((own) => own.includes(i)))
      const place = (list: readonly Oid[]) => new Map(list.map((oid, at) => [oid, at]))
      for (const order of ['date', 'topo'] as const) {
        const list = finish(listCommits(source, { include, order })).map((id) => source.oid(id))
        expect(list.toSorted()).toEqual(oids.toSorted())
        const at = place(list)
        for (const [i, own] of parents.entries())
          for (const parent of own) expect(at.get(oids[i] as Oid) as number).toBeLessThan(at.get(oids[parent] as Oid) as number)
      }
    }
  })
})

describe('larger histories', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-graphs-'))
  const path = join(directory, 'commit-graph')

  property('are the same with a commit-graph of all, of part, and without, whatever the clocks say', soak(5, 12), async (random) => {
    const parents = Array.from({ length: 40 }, (_, i) =>
      i === 0 || random.chance(0.04) ? [] : [...new Set(Array.from({ length: 1 + random.skewed(4) }, () => Math.max(0, i - 1 - random.skewed(9))))],
    )
    const isSkewed = random.chance(0.5)
    const dates = parents.map((_, i) => (isSkewed && random.chance(0.3) ? random.below(2_000_000) : 1_000_000 + i * random.below(3)))
    const { history, oids } = built(parents, dates)
    const reach = ancestorsOf(parents)
    await writeCommitGraph(history.store, oids.slice(0, 25), path)
    const part = findCommitGraph(path, SHA1)
    await writeCommitGraph(history.store, oids, path)
    const whole = findCommitGraph(path, SHA1)
    for (let round = 0; round < 30; round++) {
      const [a, b, c] = shuffled(random, oids.keys().toArray()).slice(0, 3) as [number, number, number]
      for (const graph of [undefined, part, whole]) {
        // Without numbers of generations, a clock that goes wrong may mislead a walk about what it leaves out, as it does git.
        const source = new CommitSource(history.store, graph)
        const of = (i: number) => oids[i] as Oid
        expect(finish(ancestorSteps(source, of(a), of(b)))).toBe((reach[b] as Set<number>).has(a))
        expect(new Set(Array.from(reachable(source, [of(a), of(b)]), (id) => source.oid(id)))).toEqual(
          new Set([...(reach[a] as Set<number>).union(reach[b] as Set<number>)].map(of)),
        )
        if (isSkewed && graph !== whole) continue
        expect(finish(mergeBaseSteps(source, of(a), [of(b), of(c)])).toSorted()).toEqual(basesOf(reach, a, [b, c]).map(of).sort())
        expect(finish(aheadBehindSteps(source, of(a), of(b)))).toEqual({
          ahead: (reach[a] as Set<number>).difference(reach[b] as Set<number>).size,
          behind: (reach[b] as Set<number>).difference(reach[a] as Set<number>).size,
        })
      }
    }
  })

  property('in order of shape and of dates keep children before parents, and take lines of one branch together', 40, (random) => {
    const parents = Array.from({ length: 25 }, (_, i) =>
      i === 0 ? [] : [...new Set([Math.max(0, i - 1 - random.skewed(6)), Math.max(0, i - 1 - random.skewed(6))])],
    )
    const { history, oids } = built(
      parents,
      parents.map(() => random.below(1000)),
    )
    const source = new CommitSource(history.store)
    const ids = oids.map((oid) => source.idOf(oid)).reverse()
    for (const order of [topologicalOrder, dateOrder]) {
      const at = new Map(order(source, ids).map((id, place) => [id, place]))
      expect(at.size).toBe(25)
      for (const [i, own] of parents.entries()) {
        for (const parent of own) expect(at.get(source.idOf(oids[i] as Oid)) as number).toBeLessThan(at.get(source.idOf(oids[parent] as Oid)) as number)
      }
    }
  })

  property('drawn in lanes have each line begin at a child and end at its parent, in one column at a time', 40, (random) => {
    const parents = Array.from({ length: 30 }, (_, i) =>
      i === 0 || random.chance(0.05) ? [] : [...new Set(Array.from({ length: 1 + random.below(3) }, () => Math.max(0, i - 1 - random.skewed(8))))],
    )
    const { history, oids } = built(parents)
    const source = new CommitSource(history.store)
    const include = oids.filter((_, i) => !parents.some((own) => own.includes(i)))
    /** By column, the commit that the line in it goes to. */
    let lanes = new Map<number, number>()
    const drawn = new Lanes(100)
    for (const id of finish(listCommits(source, { include, order: 'topo' }))) {
      const row = drawn.place(id, source.parents(id))
      const mine = [...lanes].filter(([, next]) => next === id).map(([column]) => column)
      expect(row.into).toEqual(mine.sort((x, y) => x - y))
      expect(row.through).toEqual(
        [...lanes]
          .filter(([, next]) => next !== id)
          .map(([column]) => column)
          .sort((x, y) => x - y),
      )
      expect(row.through).not.toContain(row.column)
      lanes = new Map([...lanes].filter(([, next]) => next !== id))
      const wanted = [...source.parents(id)]
      expect(row.out.length).toBe(wanted.length)
      for (const [i, parent] of wanted.entries()) {
        const column = row.out[i] as number
        expect(lanes.get(column) ?? parent).toBe(parent)
        lanes.set(column, parent)
      }
      // No two lines go to one commit.
      expect(new Set(lanes.values()).size).toBe(lanes.size)
    }
  })
  test('nothing of them is left on disk', () => rmSync(directory, { recursive: true }))
})

describe('drawn by hand', () => {
  const names = (commits: Record<string, Oid>, oids: readonly Oid[]) => oids.map((oid) => Object.keys(commits).find((name) => commits[name] === oid)).sort()

  test.each<[string, string[], [string, string], string[]]>([
    ['the same commit', ['a'], ['a', 'a'], ['a']],
    ['a line', ['a', 'b: a', 'c: b'], ['c', 'a'], ['a']],
    ['a fork', ['a', 'b: a', 'c: a'], ['b', 'c'], ['a']],
    ['two roots', ['a', 'b'], ['a', 'b'], []],
    ['two roots that met', ['a', 'b', 'm: a b', 'c: a', 'd: b'], ['m', 'c'], ['a']],
    ['a criss-cross', ['o', 'a: o', 'b: o', 'c: a b', 'd: b a'], ['c', 'd'], ['a', 'b']],
    ['a criss-cross of three', ['o', 'a: o', 'b: o', 'c: o', 'x: a b c', 'y: c b a'], ['x', 'y'], ['a', 'b', 'c']],
    ['criss-crosses on one another', ['o', 'a: o', 'b: o', 'c: a b', 'd: b a', 'e: c d', 'f: d c'], ['e', 'f'], ['c', 'd']],
    ['a base that is an ancestor of another', ['o', 'a: o', 'b: a', 'c: b o', 'd: b'], ['c', 'd'], ['b']],
    ['a merge taken in by one side alone', ['o', 'a: o', 'b: o', 'm: a b', 'c: m', 'd: b'], ['c', 'd'], ['b']],
    ['an octopus', ['o', 'a: o', 'b: o', 'c: o', 'm: a b c', 'd: c'], ['m', 'd'], ['c']],
    ['a parent named twice by way of another', ['o', 'a: o', 'm: a o', 'b: o'], ['m', 'b'], ['o']],
  ])('%s has the bases that it has', (_, drawing, [a, b], expected) => {
    const history = new HandHistory()
    const commits = history.draw(drawing)
    const source = new CommitSource(history.store)
    const [left, right] = [commits[a] as Oid, commits[b] as Oid]
    expect(names(commits, finish(mergeBaseSteps(source, left, right)))).toEqual(expected)
    expect(names(commits, finish(mergeBaseSteps(source, right, left)))).toEqual(expected)
  })

  test.each<
    [
      string,
      Parameters<typeof pushedCommits>[1] extends infer Ref ? Omit<Ref & object, 'before' | 'after'> & { before?: string; after: string } : never,
      Record<string, string>,
      number,
      string[],
    ]
  >([
    ['a branch that went on', { name: 'main', before: 'b', after: 'd' }, { main: 'd' }, 10, ['c', 'd']],
    ['a branch that went back', { name: 'main', before: 'd', after: 'b' }, { main: 'b' }, 10, []],
    ['a branch that is new', { name: 'new', after: 'd' }, { main: 'b', new: 'd' }, 10, ['c', 'd']],
    ['a branch that is new where another is', { name: 'new', after: 'd' }, { main: 'd', new: 'd' }, 10, []],
    ['a branch that is alone', { name: 'new', after: 'd' }, { new: 'd' }, 10, ['a', 'b', 'c', 'd']],
    ['a branch that brings all', { name: 'new', after: 'b', bringsAll: true }, { main: 'd', new: 'b' }, 10, ['a', 'b']],
    ['no more than are listed, the newest', { name: 'new', after: 'd' }, { new: 'd' }, 2, ['c', 'd']],
    ['a branch that left its line', { name: 'main', before: 'd', after: 'e' }, { main: 'e' }, 10, ['e']],
  ] as never)('%s: what it brings is what it had not', (_, ref, refs, limit, expected) => {
    const history = new HandHistory()
    const commits = history.draw(['a', 'b: a', 'c: b', 'd: c', 'e: b'])
    const { before, after, ...rest } = ref as { name: string; before?: string; after: string; bringsAll?: boolean }
    const others = Object.entries(refs as Record<string, string>).map(([name, commit]) => ({ name, oid: commits[commit] as Oid }))
    const pushed = { ...rest, before: before === undefined ? undefined : commits[before], after: commits[after] as Oid }
    expect(names(commits, finish(pushedCommits(new CommitSource(history.store), pushed, { others, limit: limit as number })))).toEqual(expected as string[])
  })
})
