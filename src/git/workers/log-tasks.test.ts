import { describe, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { PagedWalk, type WalkFront } from '../history/paged-walk.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { type LogFilter, type LogRow, logTasks, type SentFront } from './log-tasks.ts'
import { OpenRepo } from './open-repos.ts'

const everything: LogFilter = { by: '', saying: '' }
const rest = { skip: 0, maxLanes: 24, milliseconds: 20_000 }

/** As a front travels from page to page. */
function sent(front: WalkFront | undefined): SentFront | undefined {
  return front && { ...front, waiting: front.waiting.map(({ oid, column }) => ({ prefix: oid.slice(0, 16), column })) }
}

/** All pages, one after the other. @param keepsFront whether the front goes with the reader */
async function paged(repo: OpenRepo, tip: Oid, filter: LogFilter, limit: number, keepsFront = true): Promise<LogRow[]> {
  const rows: LogRow[] = []
  let start: { after?: Oid; front?: SentFront | undefined } = {}
  for (;;) {
    const page = await logTasks.readLog(repo, { ...rest, start: { tips: [tip], ...start }, filter, limit })
    expect(page.hasBegun).toBe(true)
    rows.push(...page.rows)
    if (!page.next) return rows
    expect(page.rows.length).toBe(limit)
    start = { after: page.next.after, front: keepsFront ? sent(page.next.front) : undefined }
  }
}

describe.each([
  ['as people write them', {}],
  ['with wrong clocks', { skew: 0.2 }],
  ['made faster than clocks go', { equalDates: 0.5 }],
])('histories %s', (_, shape) => {
  test(
    'have the same commits page by page as git lists at once, with one graph through all pages',
    async () => {
      for (const seed of [1, 2, 3]) {
        using history = new RandomHistory({ seed, commits: 120, merges: 0.35, roots: 0.02, ...shape })
        using repo = openRepo(history)
        const tip = history.oids.at(-1) as Oid
        const whole = await logTasks.readLog(repo.it, { ...rest, start: { tips: [tip] }, filter: everything, limit: 1000 })
        const expected = history.lines('rev-list', tip)
        for (const keepsFront of [true, false]) {
          const rows = await paged(repo.it, tip, everything, 7, keepsFront)
          expect(rows.map(({ oid }) => oid as string)).toEqual(expected)
          expect(rows.map(({ row }) => row)).toEqual(whole.rows.map(({ row }) => row))
        }
        const path = history.lines('ls-tree', '-r', '--name-only', tip)[0] as string
        expect((await paged(repo.it, tip, { ...everything, path }, 3)).map(({ oid }) => oid as string)).toEqual(history.lines('rev-list', tip, '--', path))
        const saying = '1'
        const found = (await paged(repo.it, tip, { ...everything, saying }, 4)).map(({ oid }) => oid as string)
        expect(found).toEqual(history.lines('rev-list', tip, '-i', '-F', `--grep=${saying}`))
      }
    },
    PATIENCE,
  )
})

function openRepo(history: RandomHistory) {
  const it = new OpenRepo({ path: history.gitDir, limits: defaultLimits })
  return { it, [Symbol.dispose]: () => it.close() }
}

test('a front that is not of this repository is passed over, and what comes after no commit of the history is none', async () => {
  using history = new RandomHistory({ seed: 5, commits: 30 })
  using repo = openRepo(history)
  const [tip, after] = [history.oids.at(-1), history.lines('rev-list', history.oids.at(-1) as Oid)[9]] as [Oid, Oid]
  const ask = (start: { after: Oid; front?: SentFront }) =>
    logTasks.readLog(repo.it, { ...rest, start: { tips: [tip], ...start }, filter: everything, limit: 5 })
  const front = { waiting: [{ prefix: '12'.repeat(8), column: 0 }], oldest: 9e9 }
  expect((await ask({ after, front })).rows.map(({ oid }) => oid as string)).toEqual(history.lines('rev-list', tip).slice(10, 15))
  expect((await ask({ after: '12'.repeat(20) as Oid })).hasBegun).toBe(false)
})

test('a page deep in a history looks at no more commits than the first one', () => {
  let looks = 0
  const source = {
    size: 0,
    idOf: Number,
    oid: String,
    date: (id: number) => id,
    parents: (id: number) => {
      looks++
      return id > 1 ? [id - 1] : []
    },
  } as unknown as CommitSource
  const go = (walk: PagedWalk) => {
    looks = 0
    for (let i = 0; i < 30; i++) for (const parent of source.parents(walk.next().id)) walk.meet(parent)
    return looks
  }
  const first = new PagedWalk(source, { tips: ['200000' as Oid] })
  expect(go(first)).toBe(30)
  const front = { waiting: [{ oid: '100000' as Oid, column: 0 }], oldest: 100_001 }
  expect(go(new PagedWalk(source, { tips: ['200000' as Oid], after: '100001' as Oid, front }))).toBe(30)
})
