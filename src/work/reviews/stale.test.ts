import { afterAll, beforeAll, expect } from 'bun:test'
import { turns } from '../../../test/eventually.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { soak } from '../../../test/soak.ts'
import { followStatuses } from '../pulls/follow-statuses.ts'
import { followEvents } from './follow-events.ts'
import { findPullEnds, isSettled } from './pull-ends-store.ts'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'
import { settleReviews } from './settle.ts'
import { insertReview } from './store.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const TEXT = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('')
const changed = (text: string, line: number, to: string) => text.replace(`line ${line}\n`, to)

let on: ReviewForge
beforeAll(async () => {
  on = await reviewForge()
  await on.commit({ branch: 'main', path: 'shared.txt', text: TEXT })
})
afterAll(() => on.forge[Symbol.asyncDispose]())

const update = (number: number, style: string) => on.engine.asUser('ada').post(`/pulls/${number}/update?style=${style}`)
const merge = (number: number, more: object = {}, as = 'ada') =>
  on.engine.asUser(as).post<{ message: string }>(`/pulls/${number}/merge`, { do: 'merge', ...more })
const isStale = async (number: number) => (await on.reviewsOf(number)).map(({ stale }) => stale).at(-1)
const textAt = async (branch: string) =>
  Buffer.from((await on.engine.asUser('ada').get<{ content: string }>(`/contents/shared.txt?ref=${branch}`)).body.content, 'base64').toString()

/** A pull request that changes the middle of what all share, and that bob has approved. */
async function approved(): Promise<{ number: number; branch: string; head: string }> {
  const now = await textAt('main')
  const pull = await on.pullOf({ path: 'shared.txt', text: changed(now, 20, 'changed 20\n') })
  await on.review(pull.number, 'bob', 'APPROVED')
  return pull
}

test.each<[string, boolean, (branch: string, number: number) => Promise<unknown>]>([
  ['another file', true, (branch) => on.commit({ branch, path: 'other.txt', text: 'x\n' })],
  ['a blank in a line', true, async (branch) => on.commit({ branch, path: 'shared.txt', text: (await textAt(branch)).replace('changed 20', 'changed  20') })],
  [
    'nothing, by way of something',
    false,
    async (branch) => {
      await on.commit({ branch, path: 'passing.txt', text: 'x\n' })
      await on.commit({ branch, path: 'passing.txt', text: null })
    },
  ],
  [
    'nothing, by merging a base that went on elsewhere',
    false,
    async (_, number) => {
      await on.commit({ branch: 'main', path: 'elsewhere.txt', text: `${number}\n` })
      await update(number, 'merge')
    },
  ],
  [
    'nothing, by a rebase onto lines that moved',
    false,
    async (_, number) => {
      await on.commit({ branch: 'main', path: 'shared.txt', text: `new on top for ${number}\n${await textAt('main')}` })
      await update(number, 'rebase')
    },
  ],
  [
    'the lines around it, by a rebase',
    true,
    async (_, number) => {
      await on.commit({ branch: 'main', path: 'shared.txt', text: changed(await textAt('main'), 22, 'around 22\n') })
      await update(number, 'rebase')
    },
  ],
  [
    'what it is counted from, by another base',
    true,
    async (_, number) => {
      await on.commit({ branch: `base-${number}`, path: 'base.txt', text: 'x\n', from: 'topic-1' })
      await on.engine.asUser('ada').patch(`/pulls/${number}`, { base: `base-${number}` })
    },
  ],
])('a push that changes %s makes an approval stale: %j', async (_, stale, push) => {
  const { number, branch } = await approved()
  await push(branch, number)
  expect(await isStale(number)).toBe(stale)
})

test('a line that is moved to where the text around it is the same is another change', async () => {
  const block = (name: string) => `begin ${name}\n${'same\n'.repeat(8)}end ${name}\n`
  await on.commit({ branch: 'main', path: 'twice.txt', text: block('a') + block('b') })
  const pull = await on.pullOf({ path: 'twice.txt', text: (block('a') + block('b')).replace('same\nsame\nsame\nsame\n', 'same\nsame\nsame\nsame\nallow\n') })
  await on.review(pull.number, 'bob', 'APPROVED')
  await on.commit({ branch: 'main', path: 'unrelated.txt', text: 'x\n' })
  await update(pull.number, 'merge')
  expect(await isStale(pull.number)).toBe(false)
  const moved = block('a') + block('b').replace('same\nsame\nsame\nsame\n', 'same\nsame\nsame\nsame\nallow\n')
  await on.commit({ branch: pull.branch, path: 'twice.txt', text: moved })
  await on.commit({ branch: 'main', path: 'unrelated.txt', text: 'y\n' })
  await update(pull.number, 'merge')
  expect(await isStale(pull.number)).toBe(true)
})

test('a verdict on an older head is stale from the start, unless nothing was changed since', async () => {
  const { number, branch, head } = await approved()
  const again = await on.review(number, 'carl', 'APPROVED', { commit_id: head })
  expect(again.body.stale).toBe(false)
  await on.commit({ branch, path: 'more.txt', text: 'x\n' })
  expect((await on.review(number, 'carl', 'APPROVED', { commit_id: head })).body).toMatchObject({ stale: true, commit_id: head })
  expect((await on.review(number, 'carl', 'APPROVED')).body.stale).toBe(false)
  await on.commit({ branch, path: 'more.txt', text: null })
  expect((await on.reviewsOf(number)).map(({ user, stale }) => [user?.login, stale])).toEqual([
    ['bob', false],
    ['carl', false],
    ['carl', false],
    ['carl', true],
  ])
})

async function protect(rule: object): Promise<void> {
  await on.engine.asUser('ada').delete('/branch_protections/main')
  const { status } = await on.engine.asUser('ada').post('/branch_protections', { rule_name: 'main', enable_push: true, ...rule })
  expect(status).toBe(201)
}

test('ignored, a stale approval does not count and is not dismissed; dismissed, it says so in the timeline', async () => {
  const first = await approved()
  const second = await approved()
  await protect({ required_approvals: 1, ignore_stale_approvals: true })
  await on.commit({ branch: first.branch, path: 'a.txt', text: 'a\n' })
  expect(await merge(first.number)).toMatchObject({ status: 405, body: { message: 'Does not have enough approvals' } })
  expect((await on.reviewsOf(first.number)).map(({ stale, dismissed }) => [stale, dismissed])).toEqual([[true, false]])
  await on.commit({ branch: first.branch, path: 'a.txt', text: null })
  expect((await merge(first.number)).status).toBe(200)

  await protect({ required_approvals: 1, dismiss_stale_approvals: true })
  await on.commit({ branch: second.branch, path: 'b.txt', text: 'b\n' }, 'carl')
  await followEvents(on.forge.context)
  const { body } = await on.engine.asUser('ada').get<{ type: string; user: { login: string }; body: string }[]>(`/issues/${second.number}/timeline`)
  expect(body.filter(({ type }) => type === 'dismiss_review').map((one) => [one.user.login, one.body])).toEqual([
    ['carl', 'New commits pushed, approval review dismissed automatically according to repository settings'],
  ])
  expect((await on.reviewsOf(second.number)).map(({ stale, dismissed }) => [stale, dismissed])).toEqual([[true, true]])
  await on.commit({ branch: second.branch, path: 'b.txt', text: null })
  expect((await merge(second.number)).status).toBe(405)
  await on.review(second.number, 'bob', 'APPROVED')
  expect((await merge(second.number)).status).toBe(200)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test('without either, a stale approval counts', async () => {
  const { number, branch } = await approved()
  await protect({ required_approvals: 1 })
  await on.commit({ branch, path: 'c.txt', text: 'c\n' })
  expect(await isStale(number)).toBe(true)
  expect((await merge(number)).status).toBe(200)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test.each<[string, object, (number: number) => Promise<unknown>, string]>([
  ['too few approvals', { required_approvals: 2 }, (number) => on.review(number, 'bob', 'APPROVED'), 'Does not have enough approvals'],
  ['one of who may not write', { required_approvals: 1 }, (number) => on.review(number, 'rita', 'APPROVED'), 'Does not have enough approvals'],
  [
    'one of who is not on the list',
    { required_approvals: 1, enable_approvals_whitelist: true, approvals_whitelist_username: ['carl'] },
    (number) => on.review(number, 'bob', 'APPROVED'),
    'Does not have enough approvals',
  ],
  [
    'one of who is on the list',
    { required_approvals: 1, enable_approvals_whitelist: true, approvals_whitelist_username: ['carl'] },
    (number) => on.review(number, 'carl', 'APPROVED'),
    '',
  ],
  ['a rejection', { block_on_rejected_reviews: true }, (number) => on.review(number, 'bob', 'REQUEST_CHANGES', { body: 'No.' }), 'There are requested changes'],
  ['a rejection that does not count', { block_on_rejected_reviews: true }, (number) => on.review(number, 'rita', 'REQUEST_CHANGES', { body: 'No.' }), ''],
  [
    'somebody still asked',
    { block_on_official_review_requests: true },
    (number) => on.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['bob'] }),
    'There are official review requests',
  ],
  [
    'somebody still asked whose review does not count',
    { block_on_official_review_requests: true },
    (number) => on.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['rita'] }),
    '',
  ],
])('with %s', async (_, rule, act, message) => {
  const { number } = await on.pullOf()
  await protect(rule)
  await act(number)
  const { status, body } = await merge(number)
  expect([status, body.message ?? '']).toEqual(message === '' ? [200, ''] : [405, message])
  if (message !== '') expect((await merge(number, { force_merge: true })).status).toBe(200)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test('an approval counts no more once its reviewer may not write, or the branch is another one', async () => {
  const { number } = await on.pullOf()
  await protect({ required_approvals: 1 })
  await on.review(number, 'carl', 'APPROVED')
  await on.engine.asUser('ada').put('/collaborators/carl', { permission: 'read' })
  expect((await merge(number)).status).toBe(405)
  await on.engine.asUser('ada').put('/collaborators/carl', { permission: 'write' })
  expect((await merge(number)).status).toBe(200)

  await on.commit({ branch: 'open', path: 'open.txt', text: 'x\n', from: 'main' })
  const other = await on.pullOf({ base: 'open' })
  await on.review(other.number, 'bob', 'APPROVED')
  await protect({ required_approvals: 1, enable_approvals_whitelist: true, approvals_whitelist_username: ['carl'] })
  await on.engine.asUser('ada').patch(`/pulls/${other.number}`, { base: 'main' })
  expect(await merge(other.number)).toMatchObject({ status: 405, body: { message: 'Does not have enough approvals' } })
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test('a merge that is scheduled waits for the approval, too', async () => {
  const { number, head } = await on.pullOf()
  await protect({ required_approvals: 1, dismiss_stale_approvals: true })
  await on.engine.asUser('ada').post(`/statuses/${head}`, { state: 'success', context: 'ci' })
  expect((await merge(number, { merge_when_checks_succeed: true })).status).toBe(201)
  const isMerged = async () => {
    await followStatuses(on.forge.context)
    return (await on.engine.asUser('ada').get<{ merged: boolean }>(`/pulls/${number}`)).body.merged
  }
  expect(await isMerged()).toBe(false)
  await on.review(number, 'bob', 'APPROVED')
  expect(await isMerged()).toBe(true)
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

test('approved, pushed to and merged at the same moment, nothing is merged that was not approved', async () => {
  await protect({ required_approvals: 1, dismiss_stale_approvals: true })
  for (let round = 0; round < soak(3, 6); round++) {
    const { number, branch, head } = await on.pullOf()
    const [, pushed] = await Promise.all([
      on.review(number, 'bob', 'APPROVED', { commit_id: head }),
      on.commit({ branch, path: `${branch}.txt`, text: 'slipped in\n' }, 'carl').catch(() => ''),
      ...Array.from({ length: 4 }, () => merge(number)),
    ])
    await merge(number)
    const { merged, head: now } = (await on.engine.asUser('ada').get<{ merged: boolean; head: { sha: string } }>(`/pulls/${number}`)).body
    // Either what was approved is merged, or, pushed to, it waits.
    expect(merged ? now.sha : 'waits').toBe(merged ? head : 'waits')
    if (!merged) {
      expect(now.sha).toBe(pushed)
      await on.review(number, 'bob', 'APPROVED')
      expect((await merge(number)).status).toBe(200)
    }
  }
  await on.engine.asUser('ada').delete('/branch_protections/main')
})

function issueIdOf(number: number): number {
  const sql = "SELECT id FROM issue WHERE number = ? AND repo_id = (SELECT id FROM repository WHERE name = 'engine')"
  return on.forge.context.db.find<{ id: number }>(sql, number)?.id as number
}

test('very many verdicts become stale some at a time, and none is believed before all were looked at', async () => {
  const { db } = on.forge.context
  const { number } = await on.pullOf()
  await on.reviewsOf(number)
  const issueId = issueIdOf(number)
  db.tx((tx) => {
    for (let n = 0; n < 1200; n++) insertReview(tx, { issue_id: issueId, state: 'APPROVED', created_at: n })
    tx.run('DELETE FROM review_standing WHERE issue_id = ?', issueId)
  })
  const seen: [number, boolean][] = []
  const work = settleReviews(on.forge.context, issueId)
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([work.then(() => true), turns().then(() => false)])
    const ends = findPullEnds(db, issueId)
    const stale = db.find<{ n: number }>('SELECT count(*) AS n FROM review WHERE issue_id = ? AND is_stale = 1', issueId)?.n ?? 0
    seen.push([stale, ends !== undefined && isSettled(ends)])
  }
  expect(seen.at(-1)).toEqual([1200, true])
  expect(seen.some(([stale, isDone]) => stale > 0 && stale < 1200 && !isDone)).toBe(true)
  expect(seen.filter(([stale, isDone]) => isDone && stale < 1200)).toEqual([])
})

test('what was stale before is dismissed before anything becomes stale: who ends in the middle begins with both again', async () => {
  const { db } = on.forge.context
  await protect({ dismiss_stale_approvals: true })
  const { number } = await on.pullOf()
  await on.reviewsOf(number)
  const issueId = issueIdOf(number)
  db.tx((tx) => {
    for (let n = 0; n < 60; n++) insertReview(tx, { issue_id: issueId, state: 'APPROVED', created_at: n })
    tx.run('UPDATE review SET is_stale = 1 WHERE issue_id = ? AND created_at >= 30', issueId)
    tx.run('DELETE FROM review_standing WHERE issue_id = ?', issueId)
  })
  const count = (sql: string) => db.find<{ n: number }>(`SELECT count(*) AS n FROM review WHERE issue_id = ? AND ${sql}`, issueId)?.n ?? 0
  const seen: [newlyStale: number, dismissedBefore: number][] = []
  const work = settleReviews(on.forge.context, issueId)
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([work.then(() => true), turns().then(() => false)])
    seen.push([count('created_at < 30 AND is_stale = 1'), count('created_at >= 30 AND is_dismissed = 1')])
  }
  expect([seen.at(-1), count('is_dismissed = 1')]).toEqual([[30, 30], 60])
  expect(seen.filter(([newly, before]) => newly > 0 && before < 30)).toEqual([])
  await on.engine.asUser('ada').delete('/branch_protections/main')
})
