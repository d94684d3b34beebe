import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { property } from '../../../test/seeds.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { keysOf } from './changed-paths.ts'
import { findCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { HandHistory } from './hand-history.fixture.ts'
import { lastCommits } from './last-commits.ts'
import { isSameEntry, PathFinder } from './path-finder.ts'
import { pathHistory } from './path-history.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-filters-'))
afterAll(() => rmSync(directory, { recursive: true }))
const path = join(directory, 'commit-graph')

async function filtered(history: HandHistory, tips: readonly Oid[]): Promise<CommitSource> {
  await writeCommitGraph(history.store, tips, path, { changedPaths: true })
  return new CommitSource(history.store, findCommitGraph(path, SHA1))
}

/** A path and all directories that it is in. */
const above = (file: string) => file.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))

describe('filters of changed paths', () => {
  property('never deny a change, and mostly deny what did not change', 6, async (random) => {
    const history = new HandHistory()
    const names = Array.from({ length: 60 }, (_, i) => `${random.pick(['', 'src/', 'src/deep/er/', 'x y/'])}file${i}`)
    const changes: { oid: Oid; paths: Set<string> }[] = []
    let files: Record<string, string> = {}
    for (let i = 0; i < 30; i++) {
      const touched = Array.from({ length: 1 + random.below(4) }, () => random.pick(names))
      const before = files
      files = { ...files }
      for (const name of touched) {
        if (name in files && random.chance(0.2)) delete files[name]
        else files[name] = `${i}`
      }
      const parents = changes.length > 0 ? [changes.at(-1)?.oid as Oid] : []
      changes.push({ oid: history.commit({ files, parents }), paths: new Set(touched.filter((name) => before[name] !== files[name]).flatMap(above)) })
    }
    const source = await filtered(history, [changes.at(-1)?.oid as Oid])
    let wrong = 0
    let asked = 0
    for (const { oid, paths } of changes) {
      for (const name of new Set(names.flatMap(above))) {
        const may = source.mayHaveChanged(source.idOf(oid), keysOf(name) as never)
        if (paths.has(name)) expect([name, may]).toEqual([name, true])
        else {
          asked++
          if (may) wrong++
        }
      }
    }
    expect(wrong).toBeLessThan(asked * 0.1)
  })

  test('of commits that change very much say nothing', async () => {
    const history = new HandHistory()
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`f${i}`, 'x']))
    const root = history.commit({ files: { a: '1' } })
    const big = history.commit({ files: { a: '1', ...many }, parents: [root] })
    const source = await filtered(history, [big])
    expect(source.mayHaveChanged(source.idOf(big), keysOf('nothing of it') as never)).toBe(true)
    expect(source.mayHaveChanged(source.idOf(root), keysOf('nothing of it') as never)).toBe(false)
  })

  test.each([
    ['', undefined],
    ['grüße', undefined],
    ['a', 1],
    ['a/b', 2],
    ['a/b/c', 3],
  ])('are asked about %j by keys of %p', (name, count) => {
    expect(keysOf(name)?.length).toBe(count as number)
  })
})

describe('the history of a path', () => {
  const history = new HandHistory()
  const a = history.commit({ files: { f: '1', 'd/x': '1', 'd/y': '1' } })
  const b = history.commit({ files: { f: '2', 'd/x': '1', 'd/y': '1' }, parents: [a] })
  const c = history.commit({ files: { f: '2', 'd/x': '2', 'd/y': '1' }, parents: [b] })
  const side = history.commit({ files: { f: '1', 'd/x': '1', 'd/y': '3' }, parents: [a] })
  const taken = history.commit({ files: { f: '2', 'd/x': '2', 'd/y': '3' }, parents: [c, side] })
  const gone = history.commit({ files: { f: '2' }, parents: [taken] })
  const back = history.commit({ files: { f: '2', 'd/x': '2' }, parents: [gone] })
  const names = new Map(Object.entries({ a, b, c, side, taken, gone, back }).map(([name, oid]) => [oid, name]))

  const rows: [string, Parameters<typeof pathHistory>[1], string[]][] = [
    ['of a file is where it changed', { include: [back], path: 'f' }, ['b', 'a']],
    ['of a directory is where anything in it changed', { include: [back], path: 'd' }, ['back', 'gone', 'taken', 'side', 'c', 'a']],
    ['of a file that went and came has both', { include: [back], path: 'd/x' }, ['back', 'gone', 'c', 'a']],
    ['passes over a merge that took a side as it was', { include: [back], path: 'd/y' }, ['gone', 'side', 'a']],
    ['of what never was is empty', { include: [back], path: 'none' }, []],
    ['of a file taken for a directory is empty', { include: [back], path: 'f/x' }, []],
    ['does not mind slashes', { include: [back], path: '/d/x/' }, ['back', 'gone', 'c', 'a']],
    ['ends where it is told to', { include: [back], exclude: [c], path: 'd/x' }, ['back', 'gone']],
    ['is cut to a page', { include: [back], path: 'd/x', skip: 1, limit: 2 }, ['gone', 'c']],
    ['is cut to nothing', { include: [back], path: 'd/x', limit: 0 }, []],
  ]
  test.each(rows)('%s, with filters and without', async (_, options, expected) => {
    for (const source of [new CommitSource(history.store), await filtered(history, [back])]) {
      const found: (string | undefined)[] = []
      for await (const id of pathHistory(source, options)) found.push(names.get(source.oid(id)))
      expect(found).toEqual(expected)
    }
  })

  test.each<[string, string, Parameters<typeof lastCommits>[3], Record<string, string>]>([
    ['the root', '', {}, { f: 'b', d: 'taken' }],
    ['a directory', 'd', {}, { x: 'c', y: 'side' }],
    ['some names alone', 'd', { names: ['x', 'none'] }, { x: 'c' }],
    ['no names', 'd', { names: [] }, {}],
    ['one commit only', 'd', { maxCommits: 1 }, {}],
  ])('the last commits of the entries of %s are found', async (_, dir, options, expected) => {
    for (const source of [new CommitSource(history.store), await filtered(history, [back])]) {
      const found = await lastCommits(source, taken, dir, options)
      expect(Object.fromEntries([...found].map(([name, oid]) => [name, names.get(oid)]))).toEqual(expected)
    }
  })

  test('a directory that is not there has none, and that is told', async () => {
    for (const dir of ['none', 'f', 'd/x', 'd/none'])
      expect(await outcome(lastCommits(new CommitSource(history.store), taken, dir))).toThrow('Cannot find directory')
    expect(await outcome(lastCommits(new CommitSource(history.store), gone, 'd'))).toThrow('Cannot find directory')
  })
})

describe('one path in many trees', () => {
  const history = new HandHistory()
  const versions: Record<string, string>[] = [{ 'a/b/c': '1' }, { 'a/b/c': '2' }, { 'a/b': 'file' }, { a: 'file' }, {}, { 'a/b/c/d': '1' }, { 'a/bb/c': '1' }]
  const trees = versions.map((files) => history.tree(files))

  test.each([
    ['a/b/c', ['100644', '100644', '', '', '', '40000', '']],
    ['/a/b/', ['40000', '40000', '100644', '', '', '40000', '']],
    ['a', ['40000', '40000', '40000', '100644', '', '40000', '40000']],
    ['', ['40000', '40000', '40000', '40000', '', '40000', '40000']],
    ['none', ['', '', '', '', '', '', '']],
    ['a/b/c/d/e', ['', '', '', '', '', '', '']],
  ])('%j is what it is in each, in any order', (wanted, modes) => {
    const finder = new PathFinder(history.store, wanted)
    const modeOf = (tree: Oid) => finder.find(tree)?.mode.toString(8) ?? ''
    expect(trees.map(modeOf)).toEqual(modes)
    expect(trees.toReversed().map(modeOf)).toEqual(modes.toReversed())
  })

  test('is the same entry only with the same mode and id', () => {
    const entry = { mode: 0o100644, oid: trees[0] as Oid }
    expect([isSameEntry(entry, { ...entry }), isSameEntry(undefined, undefined)]).toEqual([true, true])
    expect([isSameEntry(entry, { ...entry, mode: 0o100755 }), isSameEntry(entry, { ...entry, oid: trees[1] as Oid }), isSameEntry(entry, undefined)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('that is too deep is over the limit', () => {
    expect(kindOf(() => new PathFinder(history.store, Array(5000).fill('a').join('/')))).toBe('limit')
  })
})

test('what is read of each entry of a directory does not grow with how many directories it lies in', async () => {
  const hashed = async (dir: string) => {
    const history = new HandHistory()
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${dir}/${i}`, '']))
    const tip = history.commit({ files })
    using counted = spyOn(Math, 'imul')
    expect((await lastCommits(new CommitSource(history.store, undefined), tip, dir)).size).toBe(50)
    return counted.mock.calls.length
  }
  expect(await hashed(Array(200).fill('dir').join('/'))).toBeLessThan(10 * (await hashed('d'.repeat(799))))
})
