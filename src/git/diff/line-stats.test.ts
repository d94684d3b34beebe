import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { finish } from '../steps.ts'
import { lineStats } from './line-stats.ts'

const stats = (before: string, after: string) => finish(lineStats(Buffer.from(before), Buffer.from(after)))

test.each<[string, string, number, number]>([
  ['', '', 0, 0],
  ['', 'a\nb\n', 2, 0],
  ['a\nb\n', '', 0, 2],
  ['a\nb\nc\n', 'a\nx\nc\n', 1, 1],
  ['a\nb\nc\n', 'c\na\nb\n', 1, 1],
  ['a\n', 'a', 1, 1],
  ['a\r\n', 'a\n', 1, 1],
  ['a\0', 'b\0', 0, 0],
])('%j to %j adds %i and takes %i', (before, after, additions, deletions) => {
  expect(stats(before, after)).toEqual({ additions, deletions })
})

test('random edits have the counts of git diff', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  let state = 7
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 20; round++) {
    const before = Array.from({ length: random(200) }, () => `${random(40)}\n`)
    const after = before.filter(() => random(5) > 0).flatMap((line) => (random(5) === 0 ? [`${random(40)}\n`, line] : [line]))
    writeFileSync(join(directory, 'a'), before.join(''))
    writeFileSync(join(directory, 'b'), after.join(''))
    const { stdout } = Bun.spawnSync(['git', 'diff', '--no-index', '--numstat', 'a', 'b'], { cwd: directory })
    const [additions, deletions] = stdout.toString().split('\t').map(Number)
    expect(stats(before.join(''), after.join(''))).toEqual({ additions: additions || 0, deletions: deletions || 0 })
  }
  rmSync(directory, { recursive: true })
})

test('of texts with millions of lines all count: to compare them would take fifty bytes for each', () => {
  const lines = (count: number, end = '') => '\n'.repeat(count) + end
  expect(stats(lines(2_000_000), lines(2_000_000, 'a'))).toEqual({ additions: 2_000_001, deletions: 2_000_000 })
  expect(stats(lines(1_000_000), lines(1_000_000, 'a'))).toEqual({ additions: 1, deletions: 0 })
})

test('two files of many lines with nothing in order take no longer than the limit on edits lets them', () => {
  const lines = (step: number) => Array.from({ length: 60_000 }, (_, i) => `${(i * step) % 59_999}\n`).join('')
  const spent = cpuMeter()
  const { additions, deletions } = stats(lines(7919), lines(104_729))
  expect(additions - deletions).toBe(0)
  expect(additions).toBeLessThanOrEqual(60_000)
  expect(spent()).toBeLessThan(60_000)
})
