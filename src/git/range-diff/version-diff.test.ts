import { expect, test } from 'bun:test'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { Merger } from '../merge/merge-commits.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import type { Series } from './range-diff.ts'
import { versionDiff } from './version-diff.ts'

const lines = (...changed: [at: number, text: string][]) => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}`)
  for (const [at, line] of changed) text[at] = line
  return `${text.join('\n')}\n`
}

/** Commits of one file each, by name: what the file says, and the parent. */
function repository(commits: Record<string, [content: string, parent?: string]>) {
  const directory = temporaryDirectory()
  initBare(directory.path)
  const stream = Object.entries(commits).map(([name, [content, parent]]) => {
    const who = 'Ada <ada@example.org> 1700000000 +0000'
    const from = parent === undefined ? '' : `from refs/heads/${parent}\n`
    return `commit refs/heads/${name}\ncommitter ${who}\ndata 1\nx\n${from}M 100644 inline a.txt\ndata ${content.length}\n${content}\n`
  })
  git(['fast-import', '--quiet'], { cwd: directory.path, stdin: stream.join('') })
  const store = DiskStore.open(directory.path)
  const oid = (name: string) => git(['rev-parse', name], { cwd: directory.path }).toString().trim() as Oid
  const series = (base: string, head: string): Series => ({ base: oid(base), head: oid(head) })
  const compare = async (before: Series, after: Series, maxBytes = 10_000) => {
    const { text, ...rest } = await versionDiff(new Merger(store, undefined), before, after, { maxBytes })
    return { text: text.toString(), ...rest }
  }
  const end = () => {
    store.close()
    directory[Symbol.dispose]()
  }
  return { compare, series, [Symbol.dispose]: end }
}

const changedLines = (text: string) => text.split('\n').filter((line) => /^[+-](?![+-])/.test(line))

test('what the base brought does not hide what the author changed', async () => {
  using repo = repository({
    base: [lines()],
    moved: [lines([2, 'from others']), 'base'],
    first: [lines([15, 'one']), 'base'],
    second: [lines([2, 'from others'], [15, 'two']), 'moved'],
  })
  const told = await repo.compare(repo.series('base', 'first'), repo.series('moved', 'second'))
  expect(changedLines(told.text)).toEqual(['-one', '+two'])
  expect([told.isCut, told.isContrary]).toEqual([false, false])
})

test('on the same base the two trees are compared as they are', async () => {
  using repo = repository({ base: [lines()], first: [lines([15, 'one']), 'base'], second: [lines([3, 'two']), 'base'] })
  const { text } = await repo.compare(repo.series('base', 'first'), repo.series('base', 'second'))
  expect(changedLines(text)).toEqual(['-line 3', '+two', '-one', '+line 15'])
})

test('an earlier version that contradicts the new base is shown with markers, and it is said', async () => {
  using repo = repository({
    base: [lines()],
    moved: [lines([15, 'theirs']), 'base'],
    first: [lines([15, 'mine']), 'base'],
    second: [lines([15, 'both']), 'moved'],
  })
  const { text, isContrary } = await repo.compare(repo.series('base', 'first'), repo.series('moved', 'second'))
  expect(isContrary).toBe(true)
  expect(changedLines(text)).toEqual(['-<<<<<<< ours', '-theirs', '-=======', '-mine', '->>>>>>> theirs', '+both'])
})

test('a text that is too long is cut at the end of a line', async () => {
  using repo = repository({ base: [lines()], first: [lines([15, 'one']), 'base'], second: [lines([3, 'two']), 'base'] })
  const { text, isCut } = await repo.compare(repo.series('base', 'first'), repo.series('base', 'second'), 100)
  expect([isCut, text.length <= 100, text.endsWith('\n')]).toEqual([true, true, true])
})
