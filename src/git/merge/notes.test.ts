import { describe, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { ManyMerges, type Triple, type Version } from './judged-merges.fixture.ts'
import { Merger } from './merge-commits.ts'
import type { ConflictKind } from './merge-state.ts'
import { RandomMerges } from './random-merges.fixture.ts'

/** What git's message of a conflict begins with, and what it is here. */
const kinds: Record<string, ConflictKind> = {
  content: 'content',
  binary: 'binary',
  'add/add': 'add/add',
  'modify/delete': 'modify/delete',
  'rename/rename': 'rename/rename',
  'rename/delete': 'rename/delete',
  'rename involved in collision': 'rename/collision',
  'file/directory': 'file/directory',
  'distinct types': 'distinct types',
  submodule: 'submodule',
  'directory rename split': 'directory rename split',
  'implicit dir rename': 'directory rename collision',
  'file location': 'file location',
}

/** Kinds of conflicts and the paths they are about, as git tells them for each pair. */
function gitNotes(gitDir: string, pairs: readonly (readonly [Oid, Oid])[]): string[][] {
  const input = Buffer.from(pairs.map(([ours, theirs]) => `${ours} ${theirs}\n`).join(''))
  const { stdout } = Bun.spawnSync(['git', 'merge-tree', '--write-tree', '--stdin', '--messages', '--allow-unrelated-histories'], {
    cwd: gitDir,
    stdin: input,
    env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' },
  })
  // What to do about submodules stands where the next answer should.
  const fields = stdout
    .toString()
    .replace(/Recursive merging with submodules[^\0]*/g, '')
    .split('\0')
  let at = 0
  return pairs.map(() => {
    // Whether it is clean, the tree, and the stages up to an empty field.
    for (at += 2; fields[at] !== ''; at++);
    at++
    const notes: string[] = []
    while (at < fields.length && fields[at] !== '') {
      const count = Number(fields[at])
      const [paths, message] = [fields.slice(at + 1, at + 1 + count), fields[at + count + 2] as string]
      const kind = /^CONFLICT \(([^)]+)\)/.exec(message)?.[1] ?? (message.startsWith('warning: Cannot merge binary') ? 'binary' : undefined)
      if (kind !== undefined) notes.push(`${kinds[kind] ?? kind}: ${paths[0]}`)
      at += count + 3
    }
    at++
    return notes.sort()
  })
}

function ourNotes(gitDir: string, pairs: readonly (readonly [Oid, Oid])[]): string[][] {
  const store = DiskStore.open(gitDir)
  const all = pairs.map(([ours, theirs]) => {
    const { notes } = finish(new Merger(store, undefined, { labels: { ours, theirs } }).mergeCommits(ours, theirs))
    return notes.map(({ kind, paths }) => `${kind}: ${paths[0]}`).sort()
  })
  store.close()
  return all
}

const text = (mark: string) => Array.from({ length: 10 }, (_, i) => `line ${i}${mark.includes(String(i)) ? mark : ''}\n`).join('')
const file = (mark: string) => `100644 ${text(mark)}`

describe('a merge says of what is in conflict what git says', () => {
  const dir = (at: string, marks: string): Version => Object.fromEntries([...marks].map((mark) => [`${at}/${mark}`, `100644 ${text('')}${mark}\n`]))
  const rows: [string, Triple, string[]][] = [
    ['nothing', [{ f: file('') }, { f: file('1a') }, { f: file('9b') }], []],
    ['one line changed twice', [{ f: file('') }, { f: file('1a') }, { f: file('1b') }], ['content: f']],
    ['a file added twice', [{}, { f: file('1a') }, { f: file('1b') }], ['add/add: f']],
    ['a file removed here', [{ f: file('') }, {}, { f: file('1b') }], ['modify/delete: f']],
    ['a file removed there', [{ f: file('') }, { f: file('1b') }, {}], ['modify/delete: f']],
    ['a binary file', [{ f: '100644 \0' }, { f: '100644 \0\0' }, { f: '100644 \0x' }], ['binary: f']],
    ['a file renamed to two names', [{ f: file('') }, { g: file('') }, { h: file('') }], ['rename/rename: f']],
    ['two files renamed to one name', [{ f: file('1a'), g: file('9b').repeat(2) }, { h: file('1a') }, { h: file('9b').repeat(2) }], []],
    ['a file renamed here and removed there', [{ f: file('') }, { g: file('') }, {}], ['rename/delete: g']],
    ['a file where a directory is', [{}, { f: file('') }, { 'f/g': file('1a') }], ['file/directory: f~']],
    ['a file and a link', [{}, { f: file('') }, { f: '120000 x' }], ['distinct types: f']],
    ['a submodule', [{ s: `160000 ${'1'.repeat(40)}` }, { s: `160000 ${'2'.repeat(40)}` }, { s: `160000 ${'3'.repeat(40)}` }], ['submodule: s']],
    ['a file added to a directory that was renamed', [dir('a', '123'), { ...dir('a', '123'), 'a/n': '100644 new' }, dir('b', '123')], ['file location: b/n']],
    [
      'a directory that went to two',
      [dir('a', '1234'), { ...dir('b', '12'), ...dir('c', '34') }, { ...dir('a', '1234'), 'a/n': '100644 new' }],
      ['directory rename split: a'],
    ],
  ]
  const withRoot = (versions: Triple): Triple => versions.map((version) => ({ ...version, keep: '100644 k' })) as unknown as Triple

  test('in every kind of conflict', () => {
    using merges = new ManyMerges(rows.map(([, triple]) => withRoot(triple)))
    const [expected, ours] = [gitNotes(merges.gitDir, merges.pairs), ourNotes(merges.gitDir, merges.pairs)]
    for (const [i, [name, , notes]] of rows.entries()) {
      expect([name, ours[i]]).toEqual([name, expected[i] as string[]])
      for (const [at, note] of notes.entries()) expect([name, ours[i]?.[at]?.startsWith(note)]).toEqual([name, true])
    }
  })

  test.each([31, 32])(
    'in histories full of renames, seed %d',
    (seed) => {
      using history = new RandomMerges(seed, 70)
      const pairs = history.pairs(100)
      const [expected, ours] = [gitNotes(history.gitDir, pairs), ourNotes(history.gitDir, pairs)]
      for (const [i, pair] of pairs.entries()) expect([pair, ours[i]]).toEqual([pair, expected[i]])
      expect(new Set(expected.flat().map((note) => note.slice(0, note.indexOf(':')))).size).toBeGreaterThan(5)
    },
    PATIENCE,
  )
})
