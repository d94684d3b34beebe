import { describe, expect, test } from 'bun:test'
import { messageOf } from '#kernel/errors.ts'
import { initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { idOf, makeTree, PackBuilder } from '../../../test/pack-builder.ts'
import { soak } from '../../../test/soak.ts'
import type { CopiedRuns, TreeEdges } from './check-tree.ts'
import { edgesAtMost, TreeChecker } from './check-tree.ts'

type Entry = [mode: string, name: string, id: string]

/** A small random generator, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
}

/** Names that begin with one another, so that order and twins are hard. */
function randomEntry(random: (below: number) => number): Entry {
  const stem = 'ab'.repeat(3).slice(0, 1 + random(3))
  const tail = ['', '-x', '.c', '0', `${random(90)}`, `${random(90)}`, `${random(90)}`][random(7)]
  return [['100644', '100755', '40000', '40000', '120000', '160000'][random(6)] as string, stem + tail, random(256).toString(16).padStart(2, '0').repeat(20)]
}

function sortKey([mode, name]: Entry): string {
  return mode === '40000' ? `${name}/` : name
}

function sorted(entries: Entry[]): Entry[] {
  const byName = new Map(entries.map((entry) => [entry[1], entry]))
  return [...byName.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** Takes some entries out, puts some in; mostly where they belong, sometimes anywhere. */
function changed(entries: Entry[], random: (below: number) => number): Entry[] {
  const result = entries.filter(() => random(20) > 0)
  for (let count = random(4); count > 0; count--) result.push(randomEntry(random))
  const isKeptValid = random(3) > 0
  return isKeptValid ? sorted(result) : random(2) ? result.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) : result
}

/** Runs as a delta might have them: greedy matches, cut anywhere. */
function copiedRuns(base: Uint8Array, result: Uint8Array, random: (below: number) => number): CopiedRuns {
  const runs: [to: number, from: number, length: number][] = []
  const text = Buffer.from(base)
  for (let to = 0; to + 12 <= result.length; ) {
    const from = text.indexOf(result.subarray(to, to + 12))
    let length = 0
    if (from >= 0) while (to + length < result.length && from + length < base.length && result[to + length] === base[from + length]) length++
    if (length > 12) length -= random(12)
    if (length > 0 && random(5) > 0) runs.push([to, from, length])
    to += Math.max(1, length)
  }
  return {
    count: runs.length,
    to: Float64Array.from(runs, (run) => run[0]),
    from: Float64Array.from(runs, (run) => run[1]),
    length: Float64Array.from(runs, (run) => run[2]),
  }
}

function emptyEdges(size: number): TreeEdges {
  return { edges: new Uint32Array(edgesAtMost(size, 20)), at: 0, count: 0 }
}

interface Verdict {
  error: string | undefined
  links: Set<string>
  edges: number[]
}

function judge(tree: Uint8Array, check: (checker: TreeChecker, into: TreeEdges) => void): Verdict {
  const links = new Set<string>()
  const into = emptyEdges(tree.length)
  const checker = new TreeChecker(20, 1000, (at, type) => links.add(`${type} ${Buffer.from(tree).toString('hex', at, at + 20)}`))
  try {
    check(checker, into)
    return { error: undefined, links, edges: [...into.edges.subarray(0, into.count + 1)] }
  } catch (error) {
    return { error: messageOf(error), links, edges: [] }
  }
}

test('a tree made by a delta is judged by its changes as it would be as a whole', () => {
  let told = 0
  let refused = 0
  for (let seed = 1; seed <= soak(800, 3000); seed++) {
    const random = randomFrom(seed)
    const entries = sorted(Array.from({ length: random(60) }, () => randomEntry(random)))
    const base = makeTree(entries)
    const result = makeTree(changed(entries, random))
    const baseVerdict = judge(base, (checker, into) => checker.check(base, 0, base.length, into))
    if (baseVerdict.error !== undefined) continue
    const whole = judge(result, (checker, into) => checker.check(result, 0, result.length, into))
    const baseEdges = { edges: Uint32Array.from(baseVerdict.edges), at: 0, count: baseVerdict.edges.length - 1 }
    let isTold = true
    const partly = judge(result, (checker, into) => {
      isTold = checker.checkChanged(result, 0, result.length, baseEdges, copiedRuns(base, result, random), into)
    })
    if (!isTold) continue
    told++
    if (whole.error !== undefined) refused++
    expect([seed, partly.error === undefined, partly.edges]).toEqual([seed, whole.error === undefined, whole.edges])
    const known = new Set([...baseVerdict.links, ...partly.links])
    if (whole.error === undefined) for (const link of whole.links) expect(known).toContain(link)
  }
  expect(told).toBeGreaterThan(soak(400, 1500))
  expect(refused).toBeGreaterThan(soak(50, 200))
})

describe('git and the checker agree on the order of', () => {
  using directory = temporaryDirectory()
  initBare(directory.path)
  const blob = idOf('blob', '')
  const entry = (name: string): Entry => (name.endsWith('/') ? ['40000', name.slice(0, -1), idOf('tree', '')] : ['100644', name, blob])
  const rows = [
    'a a.b',
    'a a/',
    'a a.b a/',
    'a. a/',
    'a/ a.b',
    'a.b a/',
    'a a.b a.b.c a.b/ a/',
    'a- a-/',
    'a a-b a/ a0',
    'b a',
    'a0 a/',
    'x x.y x.y.z x.y/',
    'a a-b a.c a.d/',
    'a a',
  ]
  for (const row of rows) {
    const tree = makeTree(row.split(' ').map(entry))
    const builder = new PackBuilder()
    builder.add('blob', '')
    builder.add('tree', '')
    builder.add('tree', tree)
    const { exitCode } = Bun.spawnSync(['git', 'index-pack', '--strict', '--stdin'], { cwd: directory.path, stdin: builder.build() })
    test(row, () => expect(judge(tree, (checker) => checker.check(tree, 0, tree.length)).error === undefined).toBe(exitCode === 0))
  }
})
