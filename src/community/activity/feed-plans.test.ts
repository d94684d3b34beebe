import { afterAll, expect, spyOn, test } from 'bun:test'
import { anonymous } from '#access/index.ts'
import type { Value } from '#kernel/db.ts'
import { feedForge, fillPrivate } from './feed.fixture.ts'
import { type Feed, listActivities } from './feed-store.ts'
import type { Activity } from './schema.ts'

const forge = await feedForge()
await fillPrivate(forge)
afterAll(() => forge[Symbol.asyncDispose]())
const { db } = forge.context

/** How SQLite finds the first page of a feed. */
async function planOf(feed: Feed, name: string): Promise<string> {
  const user = db.find<{ id: number }>('SELECT * FROM user WHERE name = ?', name)
  const all = spyOn(db, 'all')
  await listActivities(db, { viewer: { ...anonymous, user: user as never }, publicOnly: false }, feed, { page: 1, limit: 30, offset: 0 })
  const [sql, ...values] = all.mock.calls[0] as [string, ...Value[]]
  all.mockRestore()
  return db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
    .map(({ detail }) => detail)
    .join('\n')
}

test('no feed of a repository, a person or a home goes through all people or all activities for its first page', async () => {
  for (const of of ['repo', 'actor', 'receiver'] as const) {
    const plan = await planOf({ of, id: 1 }, 'cara')
    expect([of, /SCAN (user|a|activity)\b/.exec(plan)?.[0], plan.includes('SEARCH a USING')]).toEqual([of, undefined, true])
  }
})

test('the pages of a home have each activity once, though it is of a person and where they watch', async () => {
  const path = '/users/ada/activities/feeds'
  const whole = (await forge.asUser('ada').get<Activity[]>(`${path}?limit=50`)).body.map(({ id }) => id)
  const single = await Promise.all(whole.map(async (_, at) => (await forge.asUser('ada').get<Activity[]>(`${path}?limit=1&page=${at + 1}`)).body[0]?.id))
  expect([single, new Set(whole).size, whole.length > 3]).toEqual([whole, whole.length, true])
})
