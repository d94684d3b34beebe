import { expect, test } from 'bun:test'
import { Random } from '../../../test/generate-history.ts'
import { git } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { RandomChanges } from '../diff/random-changes.fixture.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { RandomSeries } from './random-series.fixture.ts'
import { type CommitPair, type RangeDiff, type RangeDiffLimits, rangeDiff, type Series, type SeriesCommit } from './range-diff.ts'

/** As `git range-diff` prints it, with one blank wherever it has several in a heading. */
function printed({ pairs }: RangeDiff): string {
  return pairs.map((pair) => headingOf(pair) + pair.hunks.map(printedHunk).join('')).join('')
}

function headingOf({ status, old, new: now }: CommitPair): string {
  const side = (commit: SeriesCommit | undefined) => (commit ? `${commit.number}: ${commit.oid}` : `-: ${'-'.repeat(40)}`)
  return `${side(old)} ${status} ${side(now)} ${(old ?? now)?.title}\n`
}

const signs = { context: ' ', added: '+', deleted: '-' }

function printedHunk({ section, lines }: CommitPair['hunks'][number]): string {
  return [`@@ ${section}`.trimEnd(), ...lines.map(({ kind, text }) => signs[kind] + text)].map((line) => `    ${line}\n`).join('')
}

function stock(gitDir: string, before: Series, after: Series): string {
  const args = ['range-diff', '--no-color', `${before.base}..${before.head}`, `${after.base}..${after.head}`]
  const output = git(['-c', 'core.abbrev=40', ...args], { cwd: gitDir }).toString()
  const blanks = (line: string) => line.replace(/^ *(\d+|-): +(\S+) ([=!<>]) +(\d+|-): +(\S+)/, '$1: $2 $3 $4: $5').trimEnd()
  return output
    .split('\n')
    .map((line) => (line.startsWith('    ') ? line : blanks(line)))
    .join('\n')
}

function ours(store: ObjectReader, before: Series, after: Series): Promise<RangeDiff> {
  return rangeDiff(new CommitSource(store), before, after, { maxLines: 1_000_000 })
}

const withoutTrails = (text: string) => text.replace(/^(\d+|-)(: .*?) +$/gm, '$1$2')

property('reworked commits are paired, ordered and compared as git range-diff does it', soak(8, 25), async (random) => {
  using series = new RandomSeries(random)
  const { before, after, gitDir } = series
  expect(withoutTrails(printed(await ours(series.store, before, after)))).toBe(stock(gitDir, before, after))
})

property('so are commits that have little to do with each other, with moves, modes, binaries, links and odd names', 3, async (random, seed) => {
  using changes = new RandomChanges(seed, 24)
  for (let i = 0; i < 4; i++) {
    const range = (): Series => {
      const from = random.below(20)
      return { base: changes.commits[from] as Oid, head: changes.commits[from + 1 + random.below(23 - from)] as Oid }
    }
    const [before, after] = [range(), range()]
    expect(withoutTrails(printed(await ours(changes.store, before, after)))).toBe(stock(changes.gitDir, before, after))
  }
})

test('a comparison of more commits, or of more bytes, than are allowed is refused, and differences of more lines are left out', async () => {
  using series = new RandomSeries(new Random(2))
  const { before, after, store } = series
  const compare = (limits: RangeDiffLimits) => rangeDiff(new CommitSource(store), before, after, limits)
  expect(await outcome(compare({ maxCommits: 1 }))).toThrow(/^Cannot compare: there are \d+ commits; the limit is 1$/)
  expect(await outcome(compare({ maxBytes: 300 }))).toThrow('Cannot compare: a commit changes too much')
  const { pairs, isCut } = await compare({ maxLines: 0 })
  expect([isCut, pairs.some(({ status }) => status === '!'), pairs.flatMap(({ hunks }) => hunks)]).toEqual([true, true, []])
})

test('a history without a base is compared from its first commit on', async () => {
  using series = new RandomSeries(new Random(3))
  const { pairs } = await rangeDiff(new CommitSource(series.store), { ...series.before, base: undefined }, { ...series.after, base: undefined })
  expect(pairs[0]).toMatchObject({ status: '=', old: { number: 1, title: 'Base' }, new: { number: 1, title: 'Base' } })
})
