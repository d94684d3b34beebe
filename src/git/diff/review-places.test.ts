import { afterAll, expect, test } from 'bun:test'
import { openPath } from '../browse/open-path.ts'
import type { Oid } from '../objects/oid.ts'
import { digestChanges } from './change-digest.ts'
import { treeOf } from './changed-files.ts'
import { diffFiles, type FileDiff, type FileHunk } from './diff-files.ts'
import { followLines } from './follow-lines.ts'
import { findPlaces, HunkFinder } from './line-hunks.ts'
import { Lines } from './lines.ts'
import { RandomChanges } from './random-changes.fixture.ts'

const history = new RandomChanges(41, 30)
afterAll(() => history[Symbol.dispose]())
const { store } = history

/** Hunk headers of all changes, as git prints them. */
const gitHeaders = new Set(
  history
    .diffs(history.pairs(), '-r', '-p', '--no-renames')
    .flatMap((patch) => patch.toString().split('\n'))
    .filter((line) => line.startsWith('@@ ')),
)

/** What git's diff says beside where its lines stand. */
function telling(patch: Buffer): string {
  const text = patch.toString('latin1')
  const lines = text.split('\n')
  const binary = /\nGIT binary patch\n/.test(text)
  return lines
    .map((line) => (line.startsWith('@@ ') ? '@@' : line))
    .filter((line) => binary || !line.startsWith('index '))
    .join('\n')
}

test('two sets of changes have one digest exactly when git shows the same diff, wherever its lines stand', async () => {
  const pairs = [...history.pairs(), ...history.pairs().map(([a, b]) => [b, a] as [Oid, Oid]), ...history.pairs().slice(0, 5)]
  const keys = await Promise.all(pairs.map(async ([a, b]) => (await digestChanges(store, a, b)).key))
  const texts = history.diffs(pairs, '-r', '-p', '--no-renames', '--binary', '--full-index').map(telling)
  const groups = (values: readonly string[]) => values.map((value) => values.indexOf(value))
  expect(groups(keys)).toEqual(groups(texts))
})

test('changes of more files, or that take longer, than are looked at have no digest, but their tree', async () => {
  const [from, to] = [history.commits[0] as Oid, history.commits.at(-1) as Oid]
  const tree = history.tree(to)
  expect(await digestChanges(store, from, to, { maxFiles: 1 })).toEqual({ tree, key: '', isWhole: true })
  expect(await digestChanges(store, from, to, { deadline: -1 })).toEqual({ tree, key: '', isWhole: false })
})

function linesAt(commit: Oid, path: string): Lines | undefined {
  const data = openPath(store, treeOf(store, commit), path, 1 << 24)?.data
  return data && new Lines(data)
}

test('lines are followed to lines of the same text, in their order: all that git does not say are deleted', async () => {
  let followedLines = 0
  for (const [from, to] of history.pairs()) {
    const { files } = await diffFiles(store, from, to)
    for (const file of files.filter(isFollowed)) {
      const path = file.oldPath ?? file.path
      const before = linesAt(from, path) as Lines
      const after = linesAt(to, file.path) as Lines
      const asked = Array.from({ length: before.count }, (_, at) => ({ path, line: at + 1 }))
      const found = await followLines(store, from, to, asked)
      const kept = found.flatMap((place, at) => (place ? [{ at, place }] : []))
      expect([path, kept.length]).toEqual([path, before.count - file.deletions])
      for (const { at, place } of kept) {
        expect(place.path).toBe(file.path)
        expect(Buffer.compare(after.bytes(place.line - 1), before.bytes(at))).toBe(0)
      }
      expect(kept.every(({ place }, at) => at === 0 || place.line > (kept[at - 1]?.place.line ?? 0))).toBe(true)
      followedLines += kept.length
    }
  }
  expect(followedLines).toBeGreaterThan(100)
})

/** A text on both sides. */
function isFollowed({ status, isBinary, isTooLarge, old, new: now }: FileDiff): boolean {
  const isFile = (mode: number | undefined) => mode !== undefined && (mode & 0o170000) === 0o100000
  return ['modified', 'renamed'].includes(status) && !isBinary && !isTooLarge && isFile(old?.mode) && isFile(now?.mode)
}

test('files that are gone take their lines along, others keep them', async () => {
  for (const [from, to] of history.pairs()) {
    const { files } = await diffFiles(store, from, to)
    const deleted = files.filter(({ status }) => status === 'deleted').map(({ path }) => ({ path, line: 1 }))
    expect(await followLines(store, from, to, deleted)).toEqual(deleted.map(() => undefined))
    expect(await followLines(store, from, to, [{ path: 'never/there', line: 7 }])).toEqual([{ path: 'never/there', line: 7 }])
  }
})

test('a hunk up to a line ends with the line: a short one has the header that git prints, a later part one that counts its lines', async () => {
  for (const [from, to] of history.pairs()) {
    const { files } = await diffFiles(store, from, to, { detail: 'lines', renames: false })
    for (const { hunks = [] } of files) {
      const finder = new HunkFinder(hunks)
      for (const hunk of hunks) {
        for (let line = hunk.newStart; line < hunk.newStart + hunk.newLines; line++) checkHunk(hunk, finder.cut(line), line)
        for (let line = hunk.oldStart; line < hunk.oldStart + hunk.oldLines; line++) checkHunk(hunk, finder.cut(-line), -line)
      }
      expect(finder.cut(1_000_000)).toBe('')
    }
  }
})

function checkHunk(hunk: FileHunk, text: string, line: number): void {
  const [header = '', ...shown] = text.split('\n')
  if (shown.length < 4 || shown.join('\n') === hunk.lines.slice(0, 4).join('\n')) {
    expect(shown).toEqual(hunk.lines.slice(0, shown.length))
    expect(gitHeaders.has(header)).toBe(true)
    return
  }
  const [, ...numbers] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(header) ?? []
  const [oldStart = 0, oldCount = 0, newStart = 0, newCount = 0] = numbers.map(Number)
  const count = (sign: string) => shown.filter((one) => one[0] === ' ' || one[0] === sign).length
  expect([count('-'), count('+')]).toEqual([oldCount, newCount])
  expect(line < 0 ? oldStart + oldCount - 1 : newStart + newCount - 1).toBe(Math.abs(line))
}

test('a line is there or not on the side that is asked about', async () => {
  const [from, to] = history.pairs()[3] as [Oid, Oid]
  const { files } = await diffFiles(store, from, to)
  const file = files.find((one) => one.status === 'modified' && isFollowed(one)) as FileDiff
  const count = (linesAt(to, file.path) as Lines).count
  const places = [1, count, count + 1, 0, -1].map((line) => ({ path: file.path, line }))
  const found = await findPlaces(store, { from, to }, [...places, { path: 'never/there', line: 1 }])
  expect(found.map(({ isThere }) => isThere)).toEqual([true, true, false, true, true, false])
})
