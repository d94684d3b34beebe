import { afterAll, expect, spyOn, test } from 'bun:test'
import { reviewForge } from './reviews.fixture.ts'

const MANY = 40

const { forge, engine, pullOf, review } = await reviewForge()
afterAll(() => forge[Symbol.asyncDispose]())

test('a review of very many comments is there at once; what they refer to, and whom they mention, follows a part at a time, and then all are told', async () => {
  const { db, jobs } = forge.context
  await engine.asUser('ada').post('/issues', { title: 'Gear' })
  const { number, path } = await pullOf({ as: 'ada' })
  const comments = Array.from({ length: MANY }, (_, n) => ({ path, new_position: 1 + (n % 3), body: `as in #1, @${n < MANY / 2 ? 'carl' : 'rita'} (${n})` }))
  const links = () => db.all("SELECT 1 FROM comment WHERE type = 'comment_ref'").length
  const told = () => db.all<{ payload: string }>("SELECT payload FROM event WHERE type = 'pull_review' AND payload LIKE '%submitted%'")
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = spyOn(db, 'rest').mockImplementation(() => promise)
  const sent = await review(number, 'bob', 'COMMENT', { body: 'See #1', comments })
  expect([sent.status, sent.body.state, sent.body.comments_count]).toEqual([200, 'COMMENT', MANY])
  expect([links() > 1, links() < MANY, told().length]).toEqual([true, true, 0])
  rest.mockRestore()
  resolve()
  await jobs.resume()
  expect([links(), db.all('SELECT * FROM job')]).toEqual([MANY + 1, []])
  const [event = '', ...more] = told().map(({ payload }) => payload)
  const { commentIds, mentioned } = JSON.parse(event) as { commentIds: number[]; mentioned: number[] }
  const names = db.all<{ name: string }>('SELECT name FROM user WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name', JSON.stringify(mentioned))
  expect([commentIds.length, names.map(({ name }) => name), more]).toEqual([MANY, ['carl', 'rita'], []])
})
