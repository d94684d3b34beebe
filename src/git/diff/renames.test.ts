import { afterAll, expect, test } from 'bun:test'
import { MapStore } from '../../../test/map-store.ts'
import { hashObject, type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { RandomChanges } from './random-changes.fixture.ts'
import { detectRenames, type FileChange, type RenameOptions } from './renames.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'

const history = new RandomChanges(4, 60)
afterAll(() => history[Symbol.dispose]())

/** As `git diff-tree -z` prints raw changes. */
function raw(change: FileChange): string {
  const letter = { added: 'A', deleted: 'D', modified: 'M', 'type-changed': 'T', renamed: 'R', copied: 'C' }[change.status]
  const side = (at: FileChange['old']) => [(at?.mode ?? 0).toString(8).padStart(6, '0'), at?.oid ?? SHA1.zero]
  const [old, now] = [side(change.old), side(change.new)]
  const score = 'similarity' in change ? String(change.similarity).padStart(3, '0') : ''
  const paths = 'oldPath' in change ? `${change.oldPath}\0${change.path}` : change.path
  return `:${old[0]} ${now[0]} ${old[1]} ${now[1]} ${letter}${score}\0${paths}\0`
}

test.each<[string, string[], RenameOptions]>([
  ['renames', ['-M'], {}],
  ['copies', ['-C'], { copies: true }],
  ['renames of what is the same', ['-M100%'], { threshold: 100 }],
  ['renames of what is a little similar', ['-M20%'], { threshold: 20 }],
  ['copies with a limit', ['-C', '-l3'], { copies: true, limit: 3 }],
])('%s are those of git diff-tree %j', (_, flags, options) => {
  let moved = 0
  const expected = history.diffs(history.pairs(), '-r', '-z', ...flags)
  for (const [at, [a, b]] of history.pairs().entries()) {
    const [from, to] = [history.tree(a), history.tree(b)]
    const { changes } = finish(detectRenames(history.store, [...diffTrees(history.store, from, to)], options))
    moved += changes.filter((change) => 'oldPath' in change).length
    expect(changes.map(raw).join('')).toBe(expected[at]?.toString() as string)
  }
  expect(moved).toBeGreaterThan(10)
})

/** Changes without trees: `D` and `A` with contents. */
function changesOf(store: MapStore, files: [kind: 'added' | 'deleted', path: string, content: string, mode?: number][]): TreeChange[] {
  return files.map(([status, path, content, mode = 0o100644]) => {
    const data = Buffer.from(content)
    const side = { mode, oid: hashObject(SHA1, 'blob', data) as Oid }
    store.objects.set(side.oid, { type: 'blob', data })
    return (status === 'added' ? { status, path, old: undefined, new: side } : { status, path, old: side, new: undefined }) as TreeChange
  })
}

const lines = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `line ${from + i}\n`).join('')

test('a merge takes no empty file for a renamed one', () => {
  const store = new MapStore()
  const changes = changesOf(store, [
    ['deleted', 'a', ''],
    ['added', 'b', ''],
  ])
  expect(finish(detectRenames(store, changes)).changes).toHaveLength(1)
  expect(finish(detectRenames(store, changes, { renameEmpty: false })).changes).toEqual(changes)
})

test('a link is renamed only where it leads to the same place, and never into a file', () => {
  const store = new MapStore()
  const changes = changesOf(store, [
    ['deleted', 'a', 'target', 0o120000],
    ['added', 'b', 'target'],
    ['added', 'c', 'target', 0o120000],
  ])
  expect(finish(detectRenames(store, changes)).changes.map(({ path, status }) => [path, status])).toEqual([
    ['b', 'added'],
    ['c', 'renamed'],
  ])
})

test('with too many candidates only same contents are found, and that is told', () => {
  const store = new MapStore()
  const changes = changesOf(store, [
    ['deleted', 'a', lines(50)],
    ['deleted', 'b', lines(50, 100)],
    ['added', 'c', lines(50)],
    ['added', 'd', lines(49, 100)],
    ['added', 'e', lines(9, 700)],
  ])
  const { changes: found, isLimited } = finish(detectRenames(store, changes, { limit: 1 }))
  expect(isLimited).toBe(true)
  expect(found.map(({ path, status }) => [path, status])).toEqual([
    ['b', 'deleted'],
    ['c', 'renamed'],
    ['d', 'added'],
    ['e', 'added'],
  ])
  expect(finish(detectRenames(store, changes)).isLimited).toBe(false)
})

test('what is known about contents stays within its memory: the rest is like nothing else', () => {
  const store = new MapStore()
  const changes = changesOf(store, [
    ['deleted', 'a', lines(500)],
    ['added', 'b', lines(499)],
  ])
  expect(finish(detectRenames(store, changes)).changes).toHaveLength(1)
  expect(finish(detectRenames(store, changes, { maxBytes: 100 })).changes).toHaveLength(2)
  expect(finish(detectRenames(store, changes, { maxFileBytes: 100 })).changes).toHaveLength(2)
})

test('a comparison of many with many can be interrupted after each pair', () => {
  const store = new MapStore()
  const files = Array.from({ length: 40 }, (_, i): ['added' | 'deleted', string, string] => [i % 2 === 0 ? 'added' : 'deleted', `f${i}`, lines(20, i * 40)])
  const steps = detectRenames(store, changesOf(store, files))
  let count = 0
  while (!steps.next().done) count++
  expect(count).toBeGreaterThanOrEqual(400)
})
