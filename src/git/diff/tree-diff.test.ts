import { afterAll, describe, expect, test } from 'bun:test'
import { gitDiffTrees } from '../../../test/git-fixture.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { parseCommit } from '../objects/commit.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import type { ObjectReader } from '../store/types.ts'
import { changedFiles } from './changed-files.ts'
import { diffTrees, type TreeChange, type TreeDiffOptions } from './tree-diff.ts'

const history = new RandomHistory({ seed: 9, commits: 60, skew: 0 })
const store = DiskStore.open(history.gitDir)
afterAll(() => {
  store.close()
  history[Symbol.dispose]()
})

/** As `git diff-tree -z` prints raw changes. */
function raw(change: TreeChange): string {
  const letter = { added: 'A', deleted: 'D', modified: 'M', 'type-changed': 'T' }[change.status]
  const mode = (side: TreeChange['old']) => (side?.mode ?? 0).toString(8).padStart(6, '0')
  return `:${mode(change.old)} ${mode(change.new)} ${change.old?.oid ?? SHA1.zero} ${change.new?.oid ?? SHA1.zero} ${letter}\0${change.path}\0`
}

function treeOf(oid: Oid): Oid {
  return parseCommit(store.get(oid, 'commit').data).tree
}

const questions: [string, TreeDiffOptions, string[]][] = [
  ['all files', {}, ['-r']],
  ['one level', { recursive: false }, []],
  ['files below some paths', { paths: ['d/e', '/a/', 'ü/'] }, ['-r', '--', 'd/e', 'a', 'ü']],
  ['one level of some paths', { paths: ['d', 'c.txt'], recursive: false }, ['--', 'd', 'c.txt']],
]

for (const [name, options, args] of questions) {
  test(`${name}: the changes are those of git diff-tree, in its order`, () => {
    const pairs = Array.from({ length: 15 }, () => [treeOf(history.pick()), treeOf(history.pick())] as const)
    const expected = gitDiffTrees(history.gitDir, pairs, ['-z', ...args])
    for (const [at, [a, b]] of pairs.entries()) {
      expect(Array.from(diffTrees(store, a, b, options), raw).join('')).toBe(expected[at]?.toString() as string)
    }
  })
}

test('against nothing, all is added or deleted', () => {
  const tree = treeOf(history.oids[50] as Oid)
  const files = history.lines('-c', 'core.quotepath=off', 'ls-tree', '-r', '--name-only', tree)
  expect(Array.from(diffTrees(store, undefined, tree), ({ status, path }) => [status, path])).toEqual(files.map((path) => ['added', path]))
  expect(Array.from(diffTrees(store, tree, SHA1.emptyTree), ({ status, path }) => [status, path])).toEqual(files.map((path) => ['deleted', path]))
  expect([...diffTrees(store, tree, tree)]).toEqual([])
})

describe('hostile trees', () => {
  const trees = new Map<string, Uint8Array>()
  const reader = { format: SHA1, get: (oid: Oid) => ({ type: 'tree', data: trees.get(oid) }) } as unknown as ObjectReader
  const oid = (n: number): Oid => n.toString(16).padStart(40, '0') as Oid
  const entry = (mode: string, name: string, n: number) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid(n), 'hex')])

  /** Each level holds the one below it `width` times; 0 is a file. */
  function tower(levels: number, width: number): Oid {
    for (let level = 1; level <= levels; level++) {
      const mode = level === 1 ? '100644' : '40000'
      trees.set(oid(level), Buffer.concat(Array.from({ length: width }, (_, i) => entry(mode, `d${i}`, level - 1))))
    }
    return oid(levels)
  }

  test('a git bomb of 10^10 files costs what is taken of it', () => {
    const bomb = tower(10, 10)
    expect(() => [...diffTrees(reader, undefined, bomb, { limit: 1000 })]).toThrow('more than 1000 changes')
    expect(diffTrees(reader, undefined, bomb).next().value?.path).toBe('d0/d0/d0/d0/d0/d0/d0/d0/d0/d0')
    expect([...diffTrees(reader, undefined, bomb, { recursive: false })]).toHaveLength(10)
  })

  /** The same with directories that hold nothing at the bottom. @param first the number of the lowest */
  function barrenTower(levels: number, width: number, first: number): Oid {
    trees.set(oid(first), Buffer.alloc(0))
    for (let level = 1; level <= levels; level++) {
      trees.set(oid(first + level), Buffer.concat(Array.from({ length: width }, (_, i) => entry('40000', `d${i}`, first + level - 1))))
    }
    return oid(first + levels)
  }

  test('of files that all change alike, as those of a git bomb, some ten thousand are told of', async () => {
    const { changes, isTruncated } = await changedFiles(reader, undefined, tower(10, 10), { renames: false })
    expect([changes.length, isTruncated]).toEqual([10_010, true])
    // The same number of files that differ is no bomb.
    trees.set(oid(99), Buffer.concat(Array.from({ length: 20_000 }, (_, i) => entry('100644', `f${100_000 + i}`, 1000 + Math.floor(i / 10)))))
    expect(await changedFiles(reader, undefined, oid(99), { renames: false })).toMatchObject({ changes: { length: 20_000 }, isTruncated: false })
  })

  test('directories without files that unfold into 10^14 cost what they are made of, and hide no file', () => {
    const [bomb, other] = [barrenTower(14, 10, 100), barrenTower(14, 9, 200)]
    expect([...diffTrees(reader, undefined, bomb), ...diffTrees(reader, bomb, other)]).toEqual([])
    trees.set(oid(300), Buffer.concat([entry('100644', 'a', 1), entry('40000', 'd', 114), entry('40000', 'e', 114), entry('100644', 'f', 1)]))
    expect(Array.from(diffTrees(reader, undefined, oid(300)), ({ path }) => path)).toEqual(['a', 'f'])
    expect(Array.from(diffTrees(reader, undefined, oid(300), { paths: ['e/d1', 'f'] }), ({ path }) => path)).toEqual(['f'])
  })

  test('what is left out of a directory at one place is given at another', () => {
    trees.set(oid(301), entry('100644', 'a', 1))
    trees.set(oid(302), Buffer.concat([entry('40000', 'd', 301), entry('40000', 'e', 301)]))
    expect(Array.from(diffTrees(reader, undefined, oid(302), { paths: ['d/b', 'e'] }), ({ path }) => path)).toEqual(['e/a'])
  })

  test('directories without files beyond measure are refused', () => {
    trees.set(oid(1000), Buffer.alloc(0))
    // Each is another one.
    for (let n = 1001; n <= 71_000; n++) trees.set(oid(n), entry('40000', `d${n}`, 1000))
    trees.set(oid(80_000), Buffer.concat(Array.from({ length: 70_000 }, (_, i) => entry('40000', `e${i}`, 1001 + i))))
    expect(() => [...diffTrees(reader, undefined, oid(80_000))]).toThrow('too many directories without files')
  })

  test('paths that no system opens are refused, however few trees they are made of', () => {
    trees.set(oid(1), entry('100644', 'file', 0))
    for (let level = 2; level <= 21; level++) trees.set(oid(level), entry('40000', 'n'.repeat(200), level - 1))
    expect(Array.from(diffTrees(reader, undefined, oid(21)), ({ path }) => path.length)).toEqual([20 * 201 + 4])
    trees.set(oid(22), entry('40000', 'n'.repeat(200), 21))
    expect(() => [...diffTrees(reader, undefined, oid(22))]).toThrow('a path has more than 4096 characters')
  })

  test('directories nested beyond the limit are refused', () => {
    expect(() => [...diffTrees(reader, undefined, tower(2000, 1))]).toThrow('more than 1024 levels deep')
  })

  const malformed: Record<string, Uint8Array> = {
    'no mode': Buffer.from(' a\0'.padEnd(30, 'x')),
    'a mode that is no number': Buffer.from('10x644 a\0'.padEnd(40, 'x')),
    'a mode too long': Buffer.from('1006440000 a\0'.padEnd(40, 'x')),
    'an empty name': Buffer.from('100644 \0'.padEnd(40, 'x')),
    'a name without end': Buffer.from('100644 aaaa'),
    'an id cut off': entry('100644', 'a', 1).subarray(0, -1),
    'a mode without end': Buffer.from('100644'),
  }
  for (const [name, data] of Object.entries(malformed)) {
    test(`a tree with ${name} is refused`, () => {
      trees.set(oid(77), data)
      expect(() => [...diffTrees(reader, undefined, oid(77))]).toThrow('Cannot read tree')
    })
  }

  test('unsorted and repeated names come to an end', () => {
    trees.set(oid(88), Buffer.concat([entry('100644', 'b', 1), entry('100644', 'a', 2), entry('100644', 'a', 2)]))
    trees.set(oid(89), Buffer.concat([entry('100644', 'a', 1), entry('40000', 'a', 3), entry('100644', 'b', 1)]))
    trees.set(oid(3), Buffer.alloc(0))
    expect([...diffTrees(reader, oid(88), oid(89))].length).toBeLessThan(7)
  })
})
