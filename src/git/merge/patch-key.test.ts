import { afterAll, describe, expect, test } from 'bun:test'
import { git } from '../../../test/git-fixture.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { ManyMerges, type Triple, type Version } from './judged-merges.fixture.ts'
import { changedPaths, patchKey } from './patch-key.ts'

const lines = (count: number, changed: Record<number, string> = {}) => Array.from({ length: count }, (_, i) => `${changed[i] ?? `line ${i}`}\n`).join('')
const file = (content: string, mode = '100644') => `${mode} ${content}`

/** Two changes, each from the first version to the second, and whether they are one and the same. */
const pairs: [name: string, one: [Version, Version], other: [Version, Version], isSame: boolean][] = [
  ['the very same', [{ f: file(lines(9)) }, { f: file(lines(9, { 4: 'x' })) }], [{ f: file(lines(9)) }, { f: file(lines(9, { 4: 'x' })) }], true],
  [
    'at another place in a longer file',
    [{ f: file(lines(9)) }, { f: file(lines(9, { 4: 'x' })) }],
    [{ f: file(`top\nmore\n${lines(9)}`) }, { f: file(`top\nmore\n${lines(9, { 4: 'x' })}`) }],
    true,
  ],
  [
    'next to something else',
    [{ f: file(lines(9)) }, { f: file(lines(9, { 4: 'x' })) }],
    [{ f: file(lines(9, { 3: 'other' })) }, { f: file(lines(9, { 3: 'other', 4: 'x' })) }],
    false,
  ],
  ['with other blanks', [{ f: file('a b\n') }, { f: file('c d\n') }], [{ f: file('ab\n') }, { f: file('c  d\n') }], true],
  ['in another file', [{ f: file('a\n') }, { f: file('b\n') }], [{ g: file('a\n') }, { g: file('b\n') }], false],
  ['the other way round', [{ f: file('a\n') }, { f: file('b\n') }], [{ f: file('b\n') }, { f: file('a\n') }], false],
  ['with a mode besides', [{ f: file('a\n') }, { f: file('b\n', '100755') }], [{ f: file('a\n') }, { f: file('b\n') }], false],
  ['of lines and a mode', [{ f: file('a\n') }, { f: file('b\n', '100755') }], [{ f: file('a\n') }, { f: file('b\n', '100755') }], true],
  ['of a mode', [{ f: file('a\n') }, { f: file('a\n', '100755') }], [{ f: file('a\n') }, { f: file('a\n', '100755') }], true],
  ['of a mode and back', [{ f: file('a\n') }, { f: file('a\n', '100755') }], [{ f: file('a\n', '100755') }, { f: file('a\n') }], false],
  ['of a binary with a mode besides', [{ f: file('\0a') }, { f: file('\0b', '100755') }], [{ f: file('\0a') }, { f: file('\0b') }], false],
  ['adding one file', [{}, { f: file('a\n') }], [{}, { f: file('a\n') }], true],
  ['adding a file of other content', [{}, { f: file('a\n') }], [{}, { f: file('b\n') }], false],
  ['removing one file', [{ f: file('a\n') }, {}], [{ f: file('a\n') }, {}], true],
  ['a removal and an addition', [{ f: file('a\n') }, {}], [{}, { f: file('a\n') }], false],
  ['of one binary', [{ f: file('\0a') }, { f: file('\0b') }], [{ f: file('\0a') }, { f: file('\0b') }], true],
  ['of a binary to something else', [{ f: file('\0a') }, { f: file('\0b') }], [{ f: file('\0a') }, { f: file('\0c') }], false],
  ['but for the line break at the end', [{ f: file('a\n') }, { f: file('b\n') }], [{ f: file('a\n') }, { f: file('b') }], true],
  [
    'of two files',
    [
      { f: file('a\n'), g: file('a\n') },
      { f: file('b\n'), g: file('b\n') },
    ],
    [
      { f: file('a\n'), g: file('a\n') },
      { f: file('b\n'), g: file('b\n') },
    ],
    true,
  ],
  ['of a link', [{ f: '120000 a' }, { f: '120000 b' }], [{ f: '120000 a' }, { f: '120000 c' }], false],
  [
    'of a submodule',
    [{ s: `160000 ${'1'.repeat(40)}` }, { s: `160000 ${'2'.repeat(40)}` }],
    [{ s: `160000 ${'1'.repeat(40)}` }, { s: `160000 ${'3'.repeat(40)}` }],
    false,
  ],
]

/** Beside another file each, so that no two commits are one. */
const withKeep = (version: Version, kept: number): Version => ({ ...version, keep: file(`${kept}\n`) })
const triples = pairs.flatMap(([, one, other], i) =>
  [one, other].map(([before, after], at): Triple => [withKeep(before, i * 2 + at), withKeep(after, i * 2 + at), withKeep(before, i * 2 + at)]),
)
const merges = new ManyMerges(triples)
const store = DiskStore.open(merges.gitDir)
afterAll(() => {
  store.close()
  merges[Symbol.dispose]()
})

const run = (args: string[], stdin?: string) => git(args, { cwd: merges.gitDir, stdin }).toString().trim().split('\n')
const commits = merges.pairs.map(([after]) => after)
const trees = run(['cat-file', '--batch-check=%(objectname)'], commits.map((commit) => `${commit}^^{tree}\n${commit}^{tree}\n`).join('')) as Oid[]
const changeOf = (i: number) => ({ before: trees[i * 2], after: trees[i * 2 + 1] as Oid })

/** Whether git takes one of the two for the other when it looks for what is upstream already. */
function isSameForGit(one: Oid, other: Oid): boolean {
  return run(['rev-list', '--cherry-mark', '--left-right', `${one}...${other}`, `^${one}^`, `^${other}^`]).every((line) => line.startsWith('='))
}

describe('two changes have one key exactly when git takes them for one', () => {
  test.each(pairs.map(([name, , , isSame], i) => [name, i, isSame] as const))('%s', (_, i, isSame) => {
    const [one, other] = [finish(patchKey(store, changeOf(i * 2))), finish(patchKey(store, changeOf(i * 2 + 1)))]
    expect([one === other, isSameForGit(commits[i * 2] as Oid, commits[i * 2 + 1] as Oid)]).toEqual([isSame, isSame])
  })
})

describe('the paths of a change', () => {
  test.each(pairs.map(([name, , , isSame], i) => [name, i, isSame] as const))('are the same for the same change: %s', (_, i, isSame) => {
    if (isSame) expect(changedPaths(store, changeOf(i * 2))).toBe(changedPaths(store, changeOf(i * 2 + 1)) as string)
  })

  test('tell what happens to them', () => {
    const index = (name: string) => pairs.findIndex(([other]) => other === name) * 2
    expect(changedPaths(store, changeOf(index('adding one file')))).toBe('added f')
    expect(changedPaths(store, changeOf(index('removing one file')))).toBe('deleted f')
    expect(changedPaths(store, changeOf(index('of two files')))).toBe('modified f\0modified g')
    expect(changedPaths(store, { before: trees[0], after: trees[0] as Oid })).toBe('')
    expect(changedPaths(store, { before: undefined, after: trees[0] as Oid })).toBe('added f\0added keep')
  })

  test(
    'are not listed when there are more than ten thousand',
    () => {
      const wide = (count: number): Version => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, '100644 x']))
      using many = new ManyMerges([
        [{}, wide(10_001), {}],
        [{}, wide(10_000), {}],
      ])
      const disk = DiskStore.open(many.gitDir)
      const listed = many.pairs.map(([commit]) => {
        const tree = git(['rev-parse', `${commit}^{tree}`], { cwd: many.gitDir })
          .toString()
          .trim() as Oid
        return changedPaths(disk, { before: undefined, after: tree })?.split('\0').length
      })
      disk.close()
      expect(listed).toEqual([undefined, 10_000])
    },
    PATIENCE,
  )
})
