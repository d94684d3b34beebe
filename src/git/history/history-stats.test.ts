import { expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { OpenRepo } from '../workers/open-repos.ts'
import { historyStats, startOfWeek, weekOf } from './history-stats.ts'
import { RandomHistory } from './random-history.fixture.ts'

const ask = (history: RandomHistory, options: { since?: number; milliseconds?: number } = {}) => {
  using repo = Object.assign(new OpenRepo({ path: history.gitDir, limits: defaultLimits }), {
    [Symbol.dispose](this: OpenRepo) {
      this.close()
    },
  })
  return historyStats(repo.commits(), { tip: history.oids.at(-1) as Oid, milliseconds: 20_000, maxAuthors: 100, ...options })
}

test(
  'commits and lines are as many as git counts, merges left out',
  async () => {
    for (const seed of [1, 2, 3]) {
      using history = new RandomHistory({ seed, commits: 60, merges: 0.3, lines: 4 })
      const tip = history.oids.at(-1) as string
      const stats = await ask(history)
      const numbers = history.lines('log', '--no-merges', '-M', '--numstat', '--format=', tip).map((line) => line.split('\t').map(Number))
      const sum = (column: number) => numbers.reduce((all, row) => all + (row[column] || 0), 0)
      expect(stats.commits).toBe(Number(history.git('rev-list', '--no-merges', '--count', tip)))
      const total = (of: 'commits' | 'additions' | 'deletions', list: readonly Record<typeof of, number>[]) => list.reduce((all, one) => all + one[of], 0)
      for (const list of [stats.weeks, stats.authors]) {
        expect([total('commits', list), total('additions', list), total('deletions', list)]).toEqual([stats.commits, sum(0), sum(1)])
      }
      expect([stats.isCut, stats.linesSince]).toEqual([false, undefined])
    }
  },
  PATIENCE,
)

test('without time it says that it is cut, and with little that lines are missing', async () => {
  using history = new RandomHistory({ seed: 4, commits: 50 })
  expect((await ask(history, { milliseconds: -1 })).isCut).toBe(true)
})

test.each([
  [0, 0],
  [2 * 86_400, 0],
  [3 * 86_400, 1],
  [-5, 0],
  [1e18, weekOf(253_402_300_799)],
])('second %d is in week %d, whatever people write', (seconds, week) => {
  expect(weekOf(seconds)).toBe(week)
  expect(weekOf(startOfWeek(weekOf(1_700_000_000)))).toBe(weekOf(1_700_000_000))
  expect(new Date(startOfWeek(weekOf(1_700_000_000)) * 1000).getUTCDay()).toBe(0)
})
