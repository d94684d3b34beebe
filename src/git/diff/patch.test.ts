import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { git as runGit } from '../../../test/git-fixture.ts'
import { MapStore } from '../../../test/map-store.ts'
import { soak } from '../../../test/soak.ts'
import { hashObject, type Oid, SHA1 } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { ByteWriter } from './byte-writer.ts'
import { diffLines } from './line-diff.ts'
import { type PatchOptions, writePatch } from './patch.ts'
import { RandomChanges } from './random-changes.fixture.ts'
import { detectRenames } from './renames.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'

const history = new RandomChanges(11, 60)
afterAll(() => history[Symbol.dispose]())

function patchBetween(from: Oid, to: Oid, options: PatchOptions): Buffer {
  const out = new ByteWriter()
  for (const change of finish(detectRenames(history.store, [...diffTrees(history.store, from, to)])).changes)
    finish(writePatch(out, history.store, change, options))
  return Buffer.from(out.take())
}

test.each<[string[], PatchOptions]>([
  [[], {}],
  [['-U0'], { context: 0 }],
  [['-U1'], { context: 1 }],
  [['-U25'], { context: 25 }],
  [['-U1', '--inter-hunk-context=4'], { context: 1, interHunkContext: 4 }],
  [['--minimal'], { minimal: true }],
  [['-w'], { ignoredSpace: 'all' }],
  [['-b'], { ignoredSpace: 'change' }],
  [['--ignore-space-at-eol'], { ignoredSpace: 'at-eol' }],
  [['--ignore-cr-at-eol'], { ignoredSpace: 'cr-at-eol' }],
  [['--ignore-blank-lines'], { ignoreBlankLines: true }],
  [['--ignore-blank-lines', '-U0'], { ignoreBlankLines: true, context: 0 }],
  [['--ignore-blank-lines', '-b'], { ignoreBlankLines: true, ignoredSpace: 'change' }],
  [['--abbrev=9'], { abbreviate: (oid) => oid.slice(0, 9) }],
])('patches with %j are those of git diff, byte for byte', (flags, options) => {
  const ids = options.abbreviate === undefined ? ['--full-index'] : []
  const expected = history.diffs(history.pairs(), '-r', '-p', '-M', ...ids, ...flags)
  for (const [at, [a, b]] of history.pairs().entries()) {
    expect(patchBetween(history.tree(a), history.tree(b), options).toString()).toBe(expected[at]?.toString() as string)
  }
})

test('with binaries, a patch is all that stock git needs to make one tree of the other', () => {
  const every = soak(3, 1)
  for (const [a, b] of history.pairs().filter((_, at) => at % every === 0)) {
    const [from, to] = [history.tree(a), history.tree(b)]
    const index = join(history.gitDir, 'test-index')
    const inIndex = (args: string[], stdin?: Uint8Array) =>
      runGit(['-c', 'core.bare=false', ...args], {
        cwd: history.gitDir,
        stdin,
        env: { GIT_INDEX_FILE: index, GIT_DIR: history.gitDir, GIT_WORK_TREE: history.gitDir },
      })
    inIndex(['read-tree', from])
    const patch = patchBetween(from, to, { binary: true })
    if (patch.length > 0) inIndex(['apply', '--cached', '--whitespace=nowarn'], patch)
    expect(inIndex(['write-tree']).toString().trim()).toBe(to)
    rmSync(index, { force: true })
  }
})

/** One file that changed from one content to the other. */
function modified(before: string, after: string): { store: MapStore; change: TreeChange } {
  const store = new MapStore()
  const side = (text: string) => {
    const data = Buffer.from(text)
    const oid = hashObject(SHA1, 'blob', data)
    store.objects.set(oid, { type: 'blob', data })
    return { mode: 0o100644, oid }
  }
  return { store, change: { status: 'modified', path: 'a', old: side(before), new: side(after) } }
}

function patchOf(before: string, after: string, options: PatchOptions): string {
  const { store, change } = modified(before, after)
  const out = new ByteWriter()
  finish(writePatch(out, store, change, options))
  return Buffer.from(out.take()).toString()
}

const shuffled = (step: number) => Array.from({ length: 5000 }, (_, i) => `${(i * step) % 4999}\n`).join('')

test('a file that would take too much work to compare is shown as differing', () => {
  expect(patchOf(shuffled(7), shuffled(1009), { effort: 10_000 })).toEndWith('Binary files a/a and b/a differ\n')
  expect(() => finish(diffLines(Buffer.from(shuffled(7)), Buffer.from(shuffled(1009)), { effort: 10_000 }))).toThrow('too many lines')
})

test('blank lines that came and went alone are no change', () => {
  expect(patchOf('a\nb\n', 'a\n\nb\n', { ignoreBlankLines: true })).toBe('')
})
