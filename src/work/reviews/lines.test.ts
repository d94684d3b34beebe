import { afterAll, beforeAll, expect } from 'bun:test'
import { testsInOrder } from '../../../test/in-order.ts'
import { soak } from '../../../test/soak.ts'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'
import type { PullReviewComment } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')

let on: ReviewForge
beforeAll(async () => {
  on = await reviewForge()
  await on.commit({ branch: 'main', path: 'long.txt', text: lines(1, 40) })
})
afterAll(() => on.forge[Symbol.asyncDispose]())

const comment = (number: number, as: string, comments: object[]) => on.review(number, as, 'COMMENT', { comments })
const places = (comments: PullReviewComment[]) => comments.map(({ path, position, original_position: old }) => [path, position, old])

test('a comment is on a line of the new file or of the old one, with the lines up to it', async () => {
  const text = `${lines(1, 9)}inserted\n${lines(11, 40)}`
  const { number, head } = await on.pullOf({ path: 'long.txt', text })
  const { id } = (
    await comment(number, 'bob', [
      { path: 'long.txt', body: 'New', new_position: 10 },
      { path: 'long.txt', body: 'Old', new_position: 3, old_position: 10 },
      { path: 'long.txt', body: 'Elsewhere', new_position: 30 },
    ])
  ).body
  const comments = await on.commentsOf(number, id)
  expect(comments.map((one) => [one.body, one.position, one.original_position, one.diff_hunk])).toEqual([
    ['New', 10, 0, '@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+inserted'],
    ['Old', 0, 10, '@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10'],
    ['Elsewhere', 30, 0, ''],
  ])
  expect(comments[0]).toMatchObject({ user: { login: 'bob' }, resolver: null, commit_id: head, original_commit_id: head, pull_request_review_id: id })
})

test('comments follow what is pushed, through renames, until their line is changed', async () => {
  const { number, branch } = await on.pullOf({ path: 'long.txt', text: `top\n${lines(1, 40)}` })
  const first = (
    await comment(number, 'bob', [
      { path: 'long.txt', body: 'A', new_position: 1 },
      { path: 'long.txt', body: 'B', new_position: 21 },
      { path: 'long.txt', body: 'C', new_position: 31 },
      { path: 'long.txt', body: 'D', old_position: 5 },
      { path: 'absent.txt', body: 'E', new_position: 7 },
    ])
  ).body
  const now = async () => places(await on.commentsOf(number, first.id))
  const at = (a: number, b: number, c: number, d: number, path = 'long.txt') => [
    ...[a, b, c].map((line) => [path, line, 0]),
    ['long.txt', 0, d],
    ['absent.txt', 7, 0],
  ]
  const head = await on.commit({ branch, path: 'long.txt', text: `top\nsecond\nthird\n${lines(1, 29)}changed\n${lines(31, 40)}` })
  expect(await now()).toEqual(at(1, 23, 31, 5))
  expect((await on.commentsOf(number, first.id)).map((one) => one.commit_id === head)).toEqual([true, true, false, false, false])
  await on.engine.asUser('ada').post('/contents', {
    branch,
    message: 'Move it',
    files: [
      {
        operation: 'update',
        path: 'moved.txt',
        from_path: 'long.txt',
        sha: await shaOf('long.txt', branch),
        content: btoa(`top\nsecond\nthird\n${lines(1, 29)}changed\n${lines(31, 40)}`),
      },
    ],
  })
  expect((await now())[1]).toEqual(['moved.txt', 23, 0])
  expect((await now())[2]).toEqual(['long.txt', 31, 0])
  await on.commit({ branch: 'main', path: 'long.txt', text: `main\n${lines(1, 40)}` })
  await on.engine.asUser('ada').post(`/pulls/${number}/update`)
})

test('a comment on what was before follows the base', async () => {
  const { number } = await on.pullOf({ path: 'long.txt', text: (await textOf('main')).replace('line 40\n', '') })
  const { id } = (await comment(number, 'bob', [{ path: 'long.txt', body: 'Gone?', old_position: 41 }])).body
  await on.commit({ branch: 'main', path: 'long.txt', text: `another\n${await textOf('main')}` })
  expect(places(await on.commentsOf(number, id))).toEqual([['long.txt', 0, 41]])
  expect((await on.engine.asUser('ada').post(`/pulls/${number}/update?style=rebase`)).status).toBe(200)
  expect(places(await on.commentsOf(number, id))).toEqual([['long.txt', 0, 42]])
})

async function shaOf(path: string, branch: string): Promise<string> {
  return (await on.engine.asUser('ada').get<{ sha: string }>(`/contents/${path}?ref=${branch}`)).body.sha
}

async function textOf(branch: string): Promise<string> {
  return Buffer.from((await on.engine.asUser('ada').get<{ content: string }>(`/contents/long.txt?ref=${branch}`)).body.content, 'base64').toString()
}

test('a comment joins the review that it is added to, even an empty one: none is made for it', async () => {
  const { number, path, head } = await on.pullOf()
  const { id } = (await on.review(number, 'bob', 'APPROVED')).body
  const add = (as: string, review: number, body: object) =>
    on.engine.asUser(as).post<PullReviewComment & { message?: string }>(`/pulls/${number}/reviews/${review}/comments`, body)
  const { status, body } = await add('carl', id, { path, body: 'And this', new_position: 2 })
  expect([status, body]).toMatchObject([200, { pull_request_review_id: id, position: 2, original_position: 0, user: { login: 'carl' }, commit_id: head }])
  expect((await on.reviewsOf(number)).map((one) => [one.id, one.comments_count])).toEqual([[id, 1]])
  expect((await on.commentsOf(number, id)).map((one) => one.id)).toEqual([body.id])
  expect((await on.engine.asUser('eve').get(`/pulls/${number}/reviews/${id}/comments/${body.id}`)).status).toBe(200)

  const begun = (await on.review(number, 'bob', 'PENDING', { body: 'Wait' })).body
  expect((await add('carl', begun.id, { path, body: 'Mine?', new_position: 1 })).status).toBe(404)
  const draft = await add('bob', begun.id, { path, body: 'Draft', new_position: 1, old_position: 3 })
  expect([draft.status, draft.body.original_position]).toEqual([200, 3])
  expect((await on.engine.asUser('bob').get(`/pulls/${number}/reviews/${id}/comments/${draft.body.id}`)).status).toBe(404)
  const other = await on.pullOf()
  expect((await on.engine.asUser('carl').post(`/pulls/${other.number}/reviews/${id}/comments`, { path, body: 'x', new_position: 1 })).status).toBe(404)
  expect((await on.engine.asUser('carl').get(`/pulls/${other.number}/reviews/${id}/comments`)).status).toBe(404)
  await on.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['rita'] })
  const asked = (await on.reviewsOf(number)).find(({ state }) => state === 'REQUEST_REVIEW')
  expect((await add('carl', asked?.id ?? 0, { path, body: 'x', new_position: 1 })).status).toBe(422)
})

test.each<[string, object]>([
  ['no path', { body: 'x', new_position: 1 }],
  ['no text', { path: 'a', body: ' ', new_position: 1 }],
  ['a line below zero', { path: 'a', body: 'x', new_position: -1 }],
])('a comment with %s is refused', async (_, body) => {
  const { number } = await on.pullOf()
  const { id } = (await on.review(number, 'bob', 'APPROVED')).body
  expect((await on.engine.asUser('bob').post(`/pulls/${number}/reviews/${id}/comments`, body)).status).toBe(422)
  expect((await on.review(number, 'carl', 'COMMENT', { comments: [body] })).status).toBe(422)
  expect(await on.reviewsOf(number)).toHaveLength(1)
})

test('an answer stands where the comment stands, in its review; the conversation is resolved as a whole', async () => {
  const { number, path } = await on.pullOf({ as: 'carl' })
  const { id } = (await comment(number, 'bob', [{ path, body: 'Why?', new_position: 2 }])).body
  const asked = (await on.commentsOf(number, id))[0] as PullReviewComment
  const reply = await on.engine.asUser('eve').post<PullReviewComment>(`/pulls/${number}/comments/${asked.id}/replies`, { body: 'Because.' })
  expect(reply).toMatchObject({ status: 201, body: { body: 'Because.', pull_request_review_id: id, path, position: 2, diff_hunk: asked.diff_hunk } })
  const resolvers = async () => (await on.commentsOf(number, id)).map(({ resolver }) => resolver?.login ?? '')
  const act = async (verb: string, as: string, comment = asked.id) => (await on.engine.asUser(as).post(`/pulls/comments/${comment}/${verb}`)).status
  expect(await act('resolve', 'eve')).toBe(403)
  expect(await act('resolve', 'rita')).toBe(403)
  expect([await act('resolve', 'carl'), await act('resolve', 'bob')]).toEqual([204, 204])
  expect(await resolvers()).toEqual(['carl', 'carl'])
  expect([await act('unresolve', 'bob', reply.body.id), await act('unresolve', 'bob')]).toEqual([204, 204])
  expect(await resolvers()).toEqual(['', ''])
  const plain = (await on.engine.asUser('bob').post<{ id: number }>(`/issues/${number}/comments`, { body: 'Plain' })).body.id
  expect([await act('resolve', 'ada', plain), await act('resolve', 'ada', 999_999)]).toEqual([400, 404])
  expect((await on.engine.asUser('bob').post(`/pulls/${number}/comments/${plain}/replies`, { body: 'x' })).status).toBe(400)
  const other = await on.pullOf()
  expect((await on.engine.asUser('bob').post(`/pulls/${other.number}/comments/${asked.id}/replies`, { body: 'x' })).status).toBe(404)
})

test('comments on lines are edited, reacted to and deleted as others are; what is not sent is its author’s alone', async () => {
  const { number, path } = await on.pullOf()
  const begun = (await on.review(number, 'bob', 'PENDING', { body: 'Wait', comments: [{ path, body: 'Drafft @carl', new_position: 1 }] })).body
  const [draft] = await on.commentsOf(number, begun.id, 'bob')
  const at = `/issues/comments/${draft?.id}`
  for (const line of [`GET ${at}`, `GET ${at}/reactions`, `GET ${at}/assets`, `GET /issues/${number}/content-history?comment_id=${draft?.id}`])
    expect([line, (await on.engine.asUser('carl').send(line)).status]).toEqual([line, 404])
  expect((await on.engine.asUser('carl').patch(at, { body: 'Mine' })).status).toBe(404)
  expect((await on.engine.asUser('bob').patch(at, { body: 'Draft @carl' })).status).toBe(200)
  const told = async () => (await on.forge.asUser('carl').get<{ subject: { title: string } }[]>('/notifications?all=true')).body.length
  const before = await told()
  await on.engine.asUser('bob').post(`/pulls/${number}/reviews/${begun.id}`, { event: 'COMMENT' })
  expect(await told()).toBe(before + 1)
  expect((await on.engine.asUser('carl').get(at)).body).toMatchObject({ body: 'Draft @carl' })
  expect((await on.engine.asUser('carl').post(`${at}/reactions`, { content: 'heart' })).status).toBe(201)
  expect((await on.engine.asUser('carl').patch(at, { body: 'By a writer' })).status).toBe(200)
  const remove = (as: string) => on.engine.asUser(as).delete(`/pulls/${number}/reviews/${begun.id}/comments/${draft?.id}`)
  expect((await remove('eve')).status).toBe(403)
  expect((await remove('bob')).status).toBe(204)
  expect((await remove('bob')).status).toBe(404)
  expect(await on.reviewsOf(number)).toMatchObject([{ comments_count: 0 }])
  expect((await on.engine.asUser('ada').get<{ type: string }[]>(`/issues/${number}/timeline`)).body.map(({ type }) => type)).toEqual(['pull_push', 'review'])
  expect((await on.engine.asUser('ada').get(`/issues/${number}/comments`)).body).toEqual([] as never)
})

test('who writes a locked conversation no more sends no review', async () => {
  const { number, path } = await on.pullOf()
  await on.engine.asUser('ada').put(`/issues/${number}/lock`, { lock_reason: 'spam' })
  expect((await on.review(number, 'eve', 'APPROVED')).status).toBe(403)
  expect((await on.review(number, 'eve', 'COMMENT', { comments: [{ path, body: 'x', new_position: 1 }] })).status).toBe(403)
  expect((await on.review(number, 'bob', 'APPROVED')).status).toBe(200)
})

test('thousands of comments are followed and listed in time that grows with their number alone', async () => {
  const count = soak(2000, 10_000)
  const text = lines(1, count)
  const { number, branch } = await on.pullOf({ path: 'huge.txt', text })
  const batch = (from: number) => Array.from({ length: 1000 }, (_, at) => ({ path: 'huge.txt', body: `On ${from + at}`, new_position: from + at }))
  const ids: number[] = []
  for (let from = 1; from < count; from += 1000) ids.push((await on.review(number, 'bob', 'COMMENT', { body: 'Many', comments: batch(from) })).body.id)
  await on.commit({ branch, path: 'huge.txt', text: `top\n${text}` })
  const comments = (await Promise.all(ids.map((id) => on.commentsOf(number, id)))).flat()
  expect([comments.length, comments[0]?.position, comments.at(-1)?.position]).toEqual([count, 2, count + 1])
})

test('a review that is not sent holds as many comments as one body may bring, and no more, whichever way they come', async () => {
  const { number, path } = await on.pullOf()
  const some = (n: number) => Array.from({ length: n }, () => ({ path, body: 'Here', new_position: 1 }))
  const keep = (n: number) => on.review(number, 'bob', 'PENDING', { body: 'Begun', comments: some(n) })
  const { id } = (await keep(999)).body
  expect([(await keep(2)).status, (await on.review(number, 'bob', 'COMMENT', { comments: some(2) })).status]).toEqual([422, 422])
  const add = async () => (await on.engine.asUser('bob').post(`/pulls/${number}/reviews/${id}/comments`, some(1)[0])).status
  expect([await add(), await add()]).toEqual([200, 422])
  expect((await on.engine.asUser('bob').post(`/pulls/${number}/reviews/${id}`, { event: 'COMMENT' })).status).toBe(200)
  expect((await on.commentsOf(number, id)).length).toBe(1000)
  expect([await add(), (await keep(2)).status]).toEqual([200, 200])
})
