import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import type { Value } from '#kernel/db.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../../work/reviews/reviews.fixture.ts'

let house: ReviewForge
let pull: string

beforeAll(async () => {
  house = await reviewForge()
  pull = `/ada/engine/pulls/${(await house.pullOf({ as: 'bob' })).number}`
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** How SQLite finds what a page asks the store for with a statement that has `part` in it. */
async function planOf(path: string, part: string): Promise<string> {
  const { db } = house.forge.context
  const spies = [spyOn(db, 'find'), spyOn(db, 'all')]
  expect((await house.browserOf('ada').get(path)).status).toBe(200)
  const asked = spies.flatMap((spy) => spy.mock.calls as [string, ...Value[]][]).find(([sql]) => sql.includes(part))
  for (const spy of spies) spy.mockRestore()
  const [sql, ...values] = asked ?? ['SELECT 1']
  return db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    .map(({ detail }) => detail)
    .join('\n')
}

test('whether the viewer has starred and watches a repository is asked of these rows alone, however many others they have', async () => {
  const plan = await planOf('/ada/engine', 'FROM star')
  expect(plan).toMatch(/SEARCH star USING .*\(user_id=\? AND repo_id=\?\)/)
  expect(plan).toMatch(/SEARCH watch USING .*\(user_id=\? AND repo_id=\?\)/)
})

test('where somebody has pushed to is asked of their last pushes, and neither of all forks nor of all branches', async () => {
  for (const page of ['/ada/engine', '/ada/engine/compare']) {
    const plan = await planOf(page, 'FROM reflog')
    expect(plan).toContain('SEARCH reflog USING INDEX reflog_age')
    expect(plan).toMatch(/SEARCH r USING INTEGER PRIMARY KEY/)
    expect(plan).toMatch(/SEARCH ref USING PRIMARY KEY \(repo_id=\? AND name=\?\)/)
  }
})

test('the moves of a head are counted, and times added up, without a look at what was said', async () => {
  expect(await planOf(pull, "'pull_push'")).toContain('USING COVERING INDEX comment_push')
  expect(await planOf(pull, 'sum(seconds)')).toContain('USING COVERING INDEX tracked_time_spent')
})

test('who administers the server is counted without a look at everybody', async () => {
  expect(await planOf('/ada/engine/settings/access', 'is_admin = 1')).toContain('user_administrator')
})

test('the pages of a conversation are counted off in an index, whatever was said on lines', async () => {
  expect(await planOf(`${pull}?page=3`, "NOT IN ('code', 'code_draft')")).toContain('SEARCH comment USING INDEX comment_entry (issue_id=?)')
})
