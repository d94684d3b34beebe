import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git-fixture.ts'
import { commitDetails } from '../browse/commit-details.ts'
import type { Oid } from '../objects/oid.ts'
import { diffFiles } from './diff-files.ts'
import { type Files, TwoTrees } from './two-trees.fixture.ts'
import { writeDiff } from './write-diff.ts'

/** What stock git prints where the attributes are those of the first tree. */
function diffByGit(trees: TwoTrees, ...args: string[]): string {
  const work = mkdtempSync(join(tmpdir(), 'pf-told-'))
  const env = { GIT_INDEX_FILE: join(work, 'index'), GIT_DIR: trees.gitDir, GIT_WORK_TREE: work }
  const inWork = (...line: string[]) => git(['-c', 'core.bare=false', ...line], { cwd: work, env })
  inWork('read-tree', trees.from)
  inWork('checkout-index', '-a')
  const text = inWork('diff-tree', '-r', '-M', ...args, trees.from, trees.to).toString('latin1')
  rmSync(work, { recursive: true, force: true })
  return text
}

async function diffByUs(trees: TwoTrees, binary: boolean): Promise<string> {
  const pieces: Uint8Array[] = []
  await writeDiff(trees.store, trees.from, trees.to, { attributes: trees.from, binary }, async (piece) => void pieces.push(piece.slice()))
  return Buffer.concat(pieces).toString('latin1')
}

const text = (word: string, ending = '\n') => Array.from({ length: 40 }, (_, i) => `${word} ${i}${i % 7 === 0 ? ' odd' : ''}${ending}`).join('')
const nul = (word: string) => `${word}\0\n${text(word)}`

const before: Files = {
  '.gitattributes': '*.lock -diff\n*.dat diff\n*.bin binary\nsub/*.lock diff\n*.txt -text\n*.py diff=python\nodd/* !diff\n',
  'odd/.gitattributes': 'no.md -diff\n',
  'a.lock': text('a'),
  'sub/a.lock': text('b'),
  'a.dat': nul('c'),
  'a.bin': text('d'),
  'a.txt': text('e'),
  'a.raw': nul('f'),
  'odd/no.md': text('g'),
  'odd/a.lock': text('h'),
  'mode.lock': { mode: '100755', content: text('i') },
  'gone.lock': text('j'),
  'moves.lock': text('k'),
  'windows.lock': text('l', '\r\n'),
  'windows.dat': nul('m').replaceAll('\n', '\r\n'),
  'leaves.txt': text('n'),
  link: { mode: '120000', content: 'a.lock' },
}
const after: Files = {
  ...before,
  ...{ 'a.lock': text('A'), 'sub/a.lock': text('B'), 'a.dat': nul('C'), 'a.bin': text('D'), 'a.txt': text('E'), 'a.raw': nul('F') },
  ...{ 'odd/no.md': text('G'), 'odd/a.lock': text('H'), 'mode.lock': { mode: '100755', content: text('I') }, 'new.lock': text('new') },
  ...{ 'moved.lock': `${text('k')}more\n`, 'unix.lock': text('l'), 'unix.dat': nul('m'), 'left.lock': `${text('n')}more\n` },
  link: { mode: '120000', content: 'a.bin' },
  // What comes with the change hides nothing of it.
  '.gitattributes': '* -diff\n',
}
for (const path of ['gone.lock', 'moves.lock', 'windows.lock', 'windows.dat', 'leaves.txt']) delete (after as Record<string, unknown>)[path]

test('what is text and what is not, and what was renamed, is as stock git says by the attributes that were there before', async () => {
  using trees = new TwoTrees(before, after)
  const told = diffByGit(trees, '-p', '--full-index')
  expect(told.match(/^Binary files .*$/gm)?.length).toBeGreaterThan(6)
  expect(await diffByUs(trees, false)).toBe(told)
  // How contents are packed is anybody's own.
  const heads = (patch: string) => patch.match(/^(?:diff --git|similarity|GIT binary patch|Binary files|@@).*$/gm)
  expect(heads(await diffByUs(trees, true))).toEqual(heads(diffByGit(trees, '-p', '--full-index', '--binary')))
})

test('pages and numbers say the same', async () => {
  using trees = new TwoTrees(before, after)
  const { files } = await diffFiles(trees.store, trees.from, trees.to, { attributes: trees.from, detail: 'lines', totals: true })
  const numbers = diffByGit(trees, '--numstat', '-z', '--no-renames').split('\0').slice(0, -1)
  const plain = await diffFiles(trees.store, trees.from, trees.to, { attributes: trees.from, renames: false })
  expect(plain.files.map(({ path, additions, deletions, isBinary }) => (isBinary ? `-\t-\t${path}` : `${additions}\t${deletions}\t${path}`))).toEqual(numbers)
  const lock = files.find(({ path }) => path === 'a.lock')
  expect([lock?.isBinary, lock?.hunks, lock?.new?.isBinary]).toEqual([true, undefined, true])
  const commit = git(['rev-parse', 'refs/heads/t2'], { cwd: trees.gitDir }).toString().trim() as Oid
  const { stats } = await commitDetails(trees.store, commit, { files: false, stat: true })
  const [, added, deleted] = /(\d+) insertions\(\+\), (\d+) deletions/.exec(diffByGit(trees, '--shortstat')) ?? []
  expect(stats).toEqual({ additions: Number(added), deletions: Number(deleted) })
})

test('files that programs make are told by attributes first, then by their names and texts', async () => {
  const attributes = 'made/* linguist-generated\npackage-lock.json linguist-generated=false\nkept/* -linguist-generated\n'
  const some = {
    'made/a.c': 'a',
    'package-lock.json': '{',
    'kept/Cargo.lock': 'a',
    'Cargo.lock': 'a',
    'a.go': '// Code generated by x. DO NOT EDIT.\n',
    'own.go': 'a\n',
  }
  using trees = new TwoTrees({ '.gitattributes': attributes }, { '.gitattributes': attributes, ...some })
  const { files } = await diffFiles(trees.store, trees.from, trees.to, { attributes: trees.from, detail: 'lines' })
  expect(files.filter(({ isGenerated }) => isGenerated).map(({ path }) => path)).toEqual(['Cargo.lock', 'a.go', 'made/a.c'])
})

test('attributes beyond measure say nothing, and keep no diff from being shown', async () => {
  const hostile = `${'**/'.repeat(300)}*a/b -diff\n`
  const deep = `${'a/'.repeat(200)}x`
  using trees = new TwoTrees({ '.gitattributes': hostile, [deep]: 'a\n' }, { '.gitattributes': hostile, [deep]: 'b\n' })
  const { files } = await diffFiles(trees.store, trees.from, trees.to, { attributes: trees.from, detail: 'lines' })
  expect(files.map(({ additions, isBinary }) => [additions, isBinary])).toEqual([[1, false]])
})
