import { afterAll, describe, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { defaultLimits } from '../limits.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree } from '../objects/tree.ts'
import { finish } from '../steps.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import { ManyMerges, type Triple, type Version } from './judged-merges.fixture.ts'
import { Merger } from './merge-commits.ts'
import { openConflicts } from './open-conflicts.ts'
import { type Solution, solveConflicts } from './solve-conflicts.ts'

const person = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
const text = { message: 'Merge', author: person, committer: person }
const lines = (mark: string) => Array.from({ length: 9 }, (_, i) => (mark[0] === String(i) ? `${mark}\n` : `line ${i}\n`)).join('')
const file = (mark: string) => `100644 ${lines(mark)}`

const cases = {
  clean: [{ f: file('') }, { f: file('1o') }, { f: file('8t') }],
  'one line': [{ f: file('') }, { f: file('4o') }, { f: file('4t') }],
  'added twice': [{}, { f: '100644 a\n' }, { f: '100644 b\n' }],
  'removed here': [{ f: file('') }, {}, { f: file('4t') }],
  'removed there': [{ f: file('') }, { f: file('4o') }, {}],
  binary: [{ f: '100644 \0' }, { f: '100644 \0o' }, { f: '100644 \0t' }],
  'two files': [
    { f: file(''), g: file('') },
    { f: file('4o'), g: file('2o') },
    { f: file('4t'), g: file('2t') },
  ],
  'beside a clean one': [
    { f: file(''), g: file('') },
    { f: file('4o'), g: file('1o') },
    { f: file('4t'), g: file('8t') },
  ],
  'a program': [{ f: file('') }, { f: file('4o').replace('644', '755') }, { f: file('4t') }],
  renamed: [{ f: file('') }, { g: file('') }, { h: file('') }],
  link: [{ f: '120000 a' }, { f: '120000 b' }, { f: '120000 c' }],
  submodule: [{ s: `160000 ${'1'.repeat(40)}` }, { s: `160000 ${'2'.repeat(40)}` }, { s: `160000 ${'3'.repeat(40)}` }],
  'file and directory': [{}, { f: file('') }, { 'f/g': file('') }],
  'called binary': [
    { f: file(''), '.gitattributes': '100644 f -merge\n' },
    { f: file('4o'), '.gitattributes': '100644 f -merge\n' },
    { f: file('4t'), '.gitattributes': '100644 f -merge\n' },
  ],
  'long lines': [{ f: '100644 base' }, { f: `100644 ${'o'.repeat(1024 * 1024 + 1)}` }, { f: '100644 theirs' }],
  'a hundred and one': [{}, ...['o', 't'].map((side) => Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, `100644 ${side}\n`])))],
  'a hundred': [{}, ...['o', 't'].map((side) => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, `100644 ${side}\n`])))],
} as const satisfies Record<string, readonly Version[]>
type Case = keyof typeof cases

const keep = { keep: '100644 kept\n' }
const merges = new ManyMerges(Object.values(cases).map((versions) => versions.map((version) => ({ ...version, ...keep })) as unknown as Triple))
const store = DiskStore.open(merges.gitDir)
const pairOf = (name: Case) => merges.pairs[Object.keys(cases).indexOf(name)] as [Oid, Oid]

afterAll(() => {
  store.close()
  merges[Symbol.dispose]()
})

const merger = () => new Merger(store, undefined)
const open = (name: Case) => finish(openConflicts(merger(), ...pairOf(name)))

/** The solved tree: names, modes and contents of its entries but for the kept one; the commit's parents are what they should be. */
function solve(name: Case, solutions: readonly Solution[]): Record<string, string> | 'clean' {
  const [ours, theirs] = pairOf(name)
  const making = merger()
  const solved = finish(solveConflicts(making, { ours, theirs, solutions }, text))
  if (solved.status === 'clean') return 'clean'
  const commit = parseCommit(making.store.get(solved.commit, 'commit').data)
  expect([commit.parents, commit.message, commit.author.name]).toEqual([[ours, theirs], 'Merge\n', 'Ada'])
  const entries = parseTree(making.store.get(commit.tree, 'tree').data, defaultLimits).filter((entry) => entry.name !== 'keep')
  return Object.fromEntries(entries.map((entry) => [entry.name, `${entry.mode.toString(8)} ${Buffer.from(making.store.get(entry.oid).data).toString()}`]))
}

describe('conflicts that are open', () => {
  test.each<[Case, [string, number | undefined, boolean, boolean][]]>([
    ['clean', []],
    ['one line', [['f', 3, true, true]]],
    ['added twice', [['f', 3, true, true]]],
    ['removed here', [['f', undefined, false, true]]],
    ['removed there', [['f', undefined, true, false]]],
    ['binary', [['f', undefined, true, true]]],
    ['called binary', [['f', undefined, true, true]]],
    ['long lines', [['f', undefined, true, true]]],
    [
      'two files',
      [
        ['f', 3, true, true],
        ['g', 3, true, true],
      ],
    ],
    ['beside a clean one', [['f', 3, true, true]]],
    ['a program', [['f', 3, true, true]]],
  ])('%s: %j', (name, expected) => {
    expect(open(name).map(({ path, parts, ours, theirs }) => [path, parts?.length, ours !== undefined, theirs !== undefined])).toEqual(expected)
  })

  test(
    'in more than a hundred files are over the limit, in a hundred not',
    () => {
      expect(kindOf(() => open('a hundred and one'))).toBe('limit')
      expect(open('a hundred')).toHaveLength(100)
    },
    PATIENCE,
  )
})

describe('conflicts that are solved', () => {
  test.each<[string, Case, Solution[], Record<string, string> | 'clean']>([
    ['nothing to solve is told', 'clean', [], 'clean'],
    ['by ours', 'one line', [{ path: 'f', choices: ['ours'] }], { f: `100644 ${lines('4o')}` }],
    ['by theirs', 'one line', [{ path: 'f', choices: ['theirs'] }], { f: `100644 ${lines('4t')}` }],
    ['by both', 'one line', [{ path: 'f', choices: ['both'] }], { f: `100644 ${lines('4o').replace('4o\n', '4o\n4t\n')}` }],
    ['by other words', 'one line', [{ path: 'f', choices: [{ text: 'neither' }] }], { f: `100644 ${lines('4x').replace('4x', 'neither')}` }],
    ['by our whole file', 'one line', [{ path: 'f', side: 'ours' }], { f: `100644 ${lines('4o')}` }],
    ['by their whole file', 'one line', [{ path: 'f', side: 'theirs' }], { f: `100644 ${lines('4t')}` }],
    ['by our removal', 'removed here', [{ path: 'f', side: 'ours' }], {}],
    ['by their change', 'removed here', [{ path: 'f', side: 'theirs' }], { f: `100644 ${lines('4t')}` }],
    ['by their removal', 'removed there', [{ path: 'f', side: 'theirs' }], {}],
    ['by our binary', 'binary', [{ path: 'f', side: 'ours' }], { f: '100644 \0o' }],
    ['by their binary', 'binary', [{ path: 'f', side: 'theirs' }], { f: '100644 \0t' }],
    ['by neither', 'one line', [{ path: 'f', side: 'neither' }], {}],
    ['by both, each whole', 'binary', [{ path: 'f', side: 'both' }], { f: '100644 \0o', 'f~theirs': '100644 \0t' }],
    ['with their mode', 'a program', [{ path: 'f', choices: ['ours'], mode: 'theirs' }], { f: `100644 ${lines('4o')}` }],
    [
      'by one of two new names',
      'renamed',
      [
        { path: 'g', side: 'ours' },
        { path: 'h', side: 'ours' },
      ],
      { g: file('') },
    ],
    [
      'by both new names',
      'renamed',
      [
        { path: 'g', side: 'ours' },
        { path: 'h', side: 'theirs' },
      ],
      { g: file(''), h: file('') },
    ],
    ['with our mode', 'a program', [{ path: 'f', choices: ['theirs'] }], { f: `100755 ${lines('4t')}` }],
    [
      'in several files, each its own way, whatever their order',
      'two files',
      [
        { path: 'g', side: 'theirs' },
        { path: 'f', choices: ['ours'] },
      ],
      { f: `100644 ${lines('4o')}`, g: `100644 ${lines('2t')}` },
    ],
    [
      'with what merged by itself kept',
      'beside a clean one',
      [{ path: 'f', choices: ['ours'] }],
      { f: `100644 ${lines('4o')}`, g: `100644 ${lines('1o').replace('line 8', '8t')}` },
    ],
  ])('%s', (_, name, solutions, expected) => {
    expect(solve(name, solutions)).toEqual(expected)
  })

  test.each<[string, Case, Solution[]]>([
    ['nothing is chosen', 'one line', []],
    ['another file is chosen for', 'one line', [{ path: 'g', side: 'ours' }]],
    ['one of two files is left', 'two files', [{ path: 'f', side: 'ours' }]],
    ['choices are too few', 'one line', [{ path: 'f', choices: [] }]],
    ['choices are too many', 'one line', [{ path: 'f', choices: ['ours', 'ours'] }]],
    ['lines of a binary file are chosen', 'binary', [{ path: 'f', choices: ['ours'] }]],
    ['what only one side has is to be kept twice', 'removed here', [{ path: 'f', side: 'both' }]],
    ['a file that was not moved is to go elsewhere', 'one line', [{ path: 'f', side: 'elsewhere' }]],
    ['a conflict is to be taken as it is', 'one line', [{ path: 'f', side: 'done' }]],
    ['lines of a removed file are chosen', 'removed here', [{ path: 'f', choices: ['theirs'] }]],
  ])('are not when %s', (_, name, solutions) => {
    expect(kindOf(() => solve(name, solutions))).toBe('refused')
  })

  test('a link in conflict is taken from one side whole', () => {
    expect(open('link').map(({ parts }) => parts)).toEqual([undefined])
    expect(solve('link', [{ path: 'f', side: 'theirs' }])).toEqual({ f: '120000 c' })
  })
})
