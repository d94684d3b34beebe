import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'
import type { PullReview } from './schema.ts'

let on: ReviewForge
beforeAll(async () => {
  on = await reviewForge()
})
afterAll(() => on.forge[Symbol.asyncDispose]())

test('a review is given, listed and got, about the head as it is', async () => {
  const { number, head } = await on.pullOf()
  const { status, body } = await on.review(number, 'bob', 'APPROVED', { body: 'Fine.' })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      state: 'APPROVED',
      body: 'Fine.',
      commit_id: head,
      official: true,
      stale: false,
      dismissed: false,
      comments_count: 0,
      user: { login: 'bob' },
      team: null,
    },
  })
  expect(await on.reviewsOf(number, 'bob')).toEqual([body])
  expect((await on.engine.asUser('bob').get(`/pulls/${number}/reviews/${body.id}`)).body).toEqual(body as never)
  expect((await on.reviewsOf(number, 'eve')).map(({ id }) => id)).toEqual([body.id])
})

test.each<[string, string, string, object, number, string]>([
  ['approving what is one’s own', 'ada', 'APPROVED', {}, 422, 'approve your own pull is not allowed'],
  ['rejecting what is one’s own', 'ada', 'REQUEST_CHANGES', { body: 'No.' }, 422, 'reject your own pull is not allowed'],
  ['commenting on what is one’s own', 'ada', 'COMMENT', { body: 'So.' }, 200, ''],
  ['a pending one without words', 'bob', 'PENDING', {}, 422, 'review event PENDING requires a body'],
  ['one of no event', 'bob', '', {}, 422, 'review event PENDING requires a body'],
  ['a rejection without words', 'bob', 'REQUEST_CHANGES', { body: ' ' }, 422, 'review event REQUEST_CHANGES requires a body'],
  ['a comment without words', 'bob', 'COMMENT', {}, 422, 'review event COMMENT requires a body or a comment'],
  ['a comment on a line alone', 'bob', 'COMMENT', { comments: [{ path: 'x', body: 'y', new_position: 1 }] }, 200, ''],
  ['an approval without words', 'bob', 'APPROVED', {}, 200, ''],
  ['one by who only reads', 'eve', 'APPROVED', {}, 200, ''],
  ['one about no commit', 'bob', 'APPROVED', { commit_id: 'f'.repeat(40) }, 422, ''],
  ['one about nonsense', 'bob', 'APPROVED', { commit_id: 'main' }, 422, ''],
])('%s', async (_, as, event, more, status, message) => {
  const { number } = await on.pullOf()
  const reply = await on.review(number, as, event, more)
  expect([reply.status, reply.body.message ?? '']).toEqual([status, expect.stringContaining(message)])
})

test('nobody reviews what is closed, or without an account', async () => {
  const { number } = await on.pullOf()
  expect((await on.forge.post(`${on.home}/pulls/${number}/reviews`, { event: 'APPROVED' })).status).toBe(401)
  await on.engine.asUser('ada').patch(`/pulls/${number}`, { state: 'closed' })
  expect((await on.review(number, 'bob', 'APPROVED')).status).toBe(422)
  expect((await on.review(number, 'bob', 'COMMENT', { body: 'Still.' })).status).toBe(200)
})

test('what counts is the last verdict of who may write', async () => {
  const { number } = await on.pullOf()
  await on.review(number, 'rita', 'APPROVED')
  await on.review(number, 'bob', 'APPROVED')
  await on.review(number, 'bob', 'REQUEST_CHANGES', { body: 'No.' })
  await on.review(number, 'bob', 'COMMENT', { body: 'Hm.' })
  expect((await on.reviewsOf(number)).map(({ user, state, official, dismissed }) => [user?.login, state, official, dismissed])).toEqual([
    ['rita', 'APPROVED', false, false],
    ['bob', 'APPROVED', false, true],
    ['bob', 'REQUEST_CHANGES', true, false],
    ['bob', 'COMMENT', false, false],
  ])
})

test('what is begun is its reviewer’s alone, is added to, and then sent as a whole', async () => {
  const { number, head, path } = await on.pullOf()
  const begun = await on.review(number, 'bob', 'PENDING', { body: 'First', comments: [{ path, body: 'One', new_position: 1 }] })
  expect(begun.body).toMatchObject({ state: 'PENDING', comments_count: 1, html_url: '' })
  const { id } = begun.body
  expect(await on.reviewsOf(number, 'carl')).toEqual([])
  expect((await on.reviewsOf(number, 'bob')).length).toBe(1)
  for (const path of [`reviews/${id}`, `reviews/${id}/comments`]) expect((await on.engine.asUser('carl').get(`/pulls/${number}/${path}`)).status).toBe(404)
  const again = await on.review(number, 'bob', 'PENDING', { body: 'Second', comments: [{ path, body: 'Two', new_position: 2 }] })
  expect(again.body).toMatchObject({ id, body: 'Second', comments_count: 2 })
  expect((await on.engine.asUser('ada').get<{ review_comments?: number }>(`/pulls/${number}`)).body.review_comments).toBeUndefined()
  const submit = (as: string, event: string) =>
    on.engine.asUser(as).post<PullReview & { message: string }>(`/pulls/${number}/reviews/${id}`, { event, body: 'Done' })
  expect((await submit('carl', 'APPROVED')).status).toBe(404)
  expect(await submit('bob', 'PENDING')).toMatchObject({ status: 422, body: { message: 'review stay pending' } })
  expect(await submit('bob', 'APPROVED')).toMatchObject({ status: 200, body: { id, state: 'APPROVED', body: 'Done', official: true, commit_id: head } })
  expect(await submit('bob', 'APPROVED')).toMatchObject({ status: 422, body: { message: 'only a pending review can be submitted' } })
  expect((await on.commentsOf(number, id, 'carl')).map(({ body }) => body)).toEqual(['One', 'Two'])
  expect((await on.engine.asUser('ada').get<{ review_comments?: number }>(`/pulls/${number}`)).body.review_comments).toBe(2)
})

test('a reviewer deletes a review with its comments, others do not', async () => {
  const { number, path } = await on.pullOf()
  const { body } = await on.review(number, 'bob', 'COMMENT', { comments: [{ path, body: 'One', new_position: 1 }] })
  const at = `DELETE /pulls/${number}/reviews/${body.id}`
  expect((await on.engine.asUser('ada').send(at)).status).toBe(403)
  const other = await on.pullOf()
  expect((await on.engine.asUser('bob').send(at.replace(`/${number}/`, `/${other.number}/`))).status).toBe(404)
  expect((await on.engine.asUser('bob').send(at)).status).toBe(204)
  expect((await on.engine.asUser('bob').send(at)).status).toBe(404)
  expect(await on.reviewsOf(number)).toEqual([])
  expect((await on.engine.asUser('ada').get<{ type: string }[]>(`/issues/${number}/timeline`)).body.map(({ type }) => type)).toEqual(['pull_push'])
  expect((await on.engine.asUser('ada').get<{ review_comments?: number }>(`/pulls/${number}`)).body.review_comments).toBeUndefined()
})

test('who administers the repository dismisses verdicts, and takes that back', async () => {
  const { number } = await on.pullOf()
  const first = (await on.review(number, 'bob', 'REQUEST_CHANGES', { body: 'No.' })).body
  const words = (await on.review(number, 'carl', 'COMMENT', { body: 'Hm.' })).body
  const act = (verb: string, id: number, as = 'ada', more = {}) =>
    on.engine
      .asUser(as)
      .post<PullReview & { message: string }>(`/pulls/${number}/reviews/${id}/${verb}`, verb === 'dismissals' ? { message: 'Old', ...more } : undefined)
  expect(await act('dismissals', first.id, 'bob')).toMatchObject({ status: 403, body: { message: 'Must be repo admin' } })
  expect((await act('dismissals', words.id)).status).toBe(403)
  expect(await act('dismissals', first.id)).toMatchObject({ status: 200, body: { dismissed: true, state: 'REQUEST_CHANGES' } })
  expect(await act('undismissals', first.id)).toMatchObject({ status: 200, body: { dismissed: false } })
  await on.engine.asUser('ada').patch(`/pulls/${number}`, { state: 'closed' })
  expect((await act('dismissals', first.id)).status).toBe(403)
  const { body } = await on.engine.asUser('ada').get<{ type: string; body: string; review_id: number }[]>(`/issues/${number}/timeline`)
  expect(body.filter(({ type }) => /review/.test(type)).map(({ type, body: text, review_id: id }) => [type, text, id])).toEqual([
    ['review', 'No.', first.id],
    ['review', 'Hm.', words.id],
    ['dismiss_review', 'Old', first.id],
  ])
})

test('with priors all that its reviewer has said before is dismissed', async () => {
  const { number, id: issueId } = await on.pullOf()
  for (const event of ['APPROVED', 'REQUEST_CHANGES']) await on.review(number, 'bob', event, { body: 'So.' })
  const [first, second] = await on.reviewsOf(number)
  await on.engine.asUser('ada').post(`/pulls/${number}/reviews/${first?.id}/undismissals`)
  const { status } = await on.engine.asUser('ada').post(`/pulls/${number}/reviews/${second?.id}/dismissals`, { message: '', priors: true })
  expect([status, (await on.reviewsOf(number)).map(({ dismissed }) => dismissed)]).toEqual([200, [true, true]])
  const { context } = on.forge
  const events = context.events.after(0, 10_000).flatMap(({ event }) => (event.type === 'pull_review' && event.issueId === issueId ? [event] : []))
  expect(events.map(({ action, state }) => [action, state])).toEqual([
    ['submitted', 'APPROVED'],
    ['submitted', 'REQUEST_CHANGES'],
    ['undismissed', 'APPROVED'],
    ['dismissed', 'REQUEST_CHANGES'],
  ])
})

test('who leaves takes along what they had not sent and what they were asked for, and counts no more', async () => {
  for (const name of ['gone', 'going']) await on.forge.person(name)
  for (const name of ['gone', 'going']) await on.engine.asUser('ada').put(`/collaborators/${name}`, { permission: 'write' })
  const { number, path } = await on.pullOf()
  await on.review(number, 'gone', 'APPROVED')
  await on.review(number, 'gone', 'PENDING', { body: 'Wait', comments: [{ path, body: 'Draft', new_position: 1 }] })
  await on.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['going'] })
  await on.engine.asUser('ada').post('/branch_protections', { rule_name: 'main', required_approvals: 1 })
  await on.forge.person('root1', { isAdmin: true })
  for (const name of ['gone', 'going']) expect((await on.forge.asUser('root1').delete(`/admin/users/${name}?purge=true`)).status).toBe(204)
  expect((await on.reviewsOf(number, 'root1')).map(({ user, state }) => [user?.login, state])).toEqual([['Ghost', 'APPROVED']])
  expect((await on.engine.asUser('ada').post(`/pulls/${number}/merge`, { do: 'merge' })).status).toBe(405)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test('a pull request goes with all that was said of it', async () => {
  const { number, path, id } = await on.pullOf()
  await on.review(number, 'bob', 'COMMENT', { comments: [{ path, body: 'One', new_position: 1 }] })
  await on.review(number, 'carl', 'PENDING', { body: 'x', comments: [{ path, body: 'Two', new_position: 1 }] })
  await on.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['rita'] })
  expect((await on.engine.asUser('ada').delete(`/issues/${number}`)).status).toBe(204)
  const { db } = on.forge.context
  for (const table of ['review', 'review_comment', 'comment', 'review_standing']) expect(db.all(`SELECT 1 FROM ${table} WHERE issue_id = ?`, id)).toEqual([])
})

test('an approval stops counting when its author may no longer sign in', async () => {
  const { number } = await on.pullOf()
  expect((await on.engine.asUser('ada').post('/branch_protections', { rule_name: 'main', required_approvals: 1 })).status).toBe(201)
  await on.review(number, 'bob', 'APPROVED')
  const setBob = (columns: string) => on.forge.context.db.tx((tx) => tx.run(`UPDATE user SET ${columns} WHERE name = 'bob'`))
  for (const columns of ['prohibit_login = 1, is_active = 1', 'prohibit_login = 0, is_active = 0']) {
    setBob(columns)
    const { status, body } = await on.engine.asUser('ada').post(`/pulls/${number}/merge`, { Do: 'merge' })
    expect([columns, status, body.message]).toEqual([columns, 405, 'Does not have enough approvals'])
  }
  setBob('is_active = 1')
  expect((await on.engine.asUser('ada').post(`/pulls/${number}/merge`, { Do: 'merge' })).status).toBe(200)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})
