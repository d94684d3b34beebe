import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')

let on: ReviewForge
beforeAll(async () => {
  on = await reviewForge()
  await on.commit({ branch: 'main', path: 'long.txt', text: lines(1, 40) })
})
afterAll(() => on.forge[Symbol.asyncDispose]())

/** A pull request whose review has one comment on a line, which is deleted then. */
async function deleted() {
  const { number, branch } = await on.pullOf({ path: 'long.txt', text: `top\n${lines(1, 40)}` })
  const { body: review } = await on.review(number, 'bob', 'COMMENT', { comments: [{ path: 'long.txt', body: 'Here', new_position: 21 }] })
  const [comment] = await on.commentsOf(number, review.id)
  await on.engine.asUser('bob').delete(`/issues/comments/${comment?.id}`)
  expect(await on.commentsOf(number, review.id)).toEqual([])
  const path = `/ada/engine/issues/${number}`
  const page = await on.browserOf('bob').get(`/ada/engine/pulls/${number}`)
  const [, key = ''] = /\/deleted\/([\d.]+)\/restore"/.exec(page.text) ?? []
  return { number, branch, review, comment, restore: () => on.browserOf('bob').post(`${path}/deleted/${key}/restore`) }
}

test('a comment on a line comes back where that line is by now', async () => {
  const { number, branch, review, comment, restore } = await deleted()
  const head = await on.commit({ branch, path: 'long.txt', text: `top\nsecond\nthird\n${lines(1, 40)}` })
  await on.commentsOf(number, review.id)
  expect((await restore()).status).toBe(303)
  expect(await on.commentsOf(number, review.id)).toMatchObject([{ id: comment?.id, body: 'Here', position: 23, commit_id: head }])
  expect((await on.reviewsOf(number)).find(({ id }) => id === review.id)?.comments_count).toBe(1)
})

test('it does not come back when its review has been deleted since, and says so', async () => {
  const { number, review, restore } = await deleted()
  expect((await on.engine.asUser('bob').delete(`/pulls/${number}/reviews/${review.id}`)).status).toBe(204)
  const { status, text } = await restore()
  expect([status, text.includes('Cannot restore the comment: its review has been deleted.')]).toEqual([409, true])
})
