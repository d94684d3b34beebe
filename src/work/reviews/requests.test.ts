import { afterAll, beforeAll, expect } from 'bun:test'
import { testsInOrder } from '../../../test/in-order.ts'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'
import type { PullReview } from './schema.ts'
import { insertReview, MOST_REVIEWERS } from './store.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

interface Pull {
  number: number
  requested_reviewers: { login: string }[] | null
  requested_reviewers_teams: { name: string }[] | null
}

let on: ReviewForge
let team: number
const org = '/repos/acme/tools'
beforeAll(async () => {
  on = await reviewForge()
  await on.forge.asUser('ada').post('/orgs', { username: 'acme' })
  await on.forge.asUser('ada').post('/orgs/acme/repos', { name: 'tools', auto_init: true, default_branch: 'main', private: true })
  const units = { 'repo.code': 'write', 'repo.pulls': 'write' }
  team = (
    await on.forge
      .asUser('ada')
      .post<{ id: number }>('/orgs/acme/teams', { name: 'smiths', units_map: units, includes_all_repositories: true, visibility: 'limited' })
  ).body.id
  await on.forge.asUser('ada').post('/orgs/acme/teams', { name: 'idlers', units_map: { 'repo.issues': 'read' } })
  for (const name of ['bob', 'carl']) await on.forge.asUser('ada').put(`/teams/${team}/members/${name}`)
  await on.forge.asUser('ada').post(`${org}/contents/a.txt`, { new_branch: 'topic', content: btoa('a') })
  await on.forge.asUser('ada').post(`${org}/pulls`, { title: 'Tools', head: 'topic', base: 'main' })
})
afterAll(() => on.forge[Symbol.asyncDispose]())

const request = (number: number, as: string, reviewers: string[]) =>
  on.engine.asUser(as).post<PullReview[] & { message?: string }>(`/pulls/${number}/requested_reviewers`, { reviewers })
const withdraw = (number: number, as: string, reviewers: string[]) => on.engine.asUser(as).delete(`/pulls/${number}/requested_reviewers`, { reviewers })
const askedOf = async (number: number) => (await on.engine.asUser('ada').get<Pull>(`/pulls/${number}`)).body.requested_reviewers?.map(({ login }) => login)
const entries = async (number: number) => {
  const { body } = await on.engine
    .asUser('ada')
    .get<{ type: string; user: { login: string }; assignee: { login: string } | null; removed_assignee: boolean }[]>(`/issues/${number}/timeline`)
  return body.filter(({ type }) => type === 'review_request').map((one) => [one.user.login, one.removed_assignee ? '-' : '+', one.assignee?.login].join(' '))
}

test('who is asked is told apart from who was asked already, and answers by a review', async () => {
  const { number } = await on.pullOf()
  const first = await request(number, 'ada', ['bob', 'RITA', 'bob'])
  expect([first.status, first.body.map(({ state, user, official }) => [state, user?.login, official])]).toEqual([
    201,
    [
      ['REQUEST_REVIEW', 'bob', true],
      ['REQUEST_REVIEW', 'rita', false],
    ],
  ])
  expect((await request(number, 'ada', ['bob', 'carl@example.org'])).body.map(({ user }) => user?.login)).toEqual(['carl'])
  expect(await askedOf(number)).toEqual(['bob', 'rita', 'carl'])
  await on.review(number, 'bob', 'COMMENT', { body: 'Hm.' })
  expect((await on.reviewsOf(number)).map(({ state, user }) => [state, user?.login])).toEqual([
    ['REQUEST_REVIEW', 'rita'],
    ['REQUEST_REVIEW', 'carl'],
    ['COMMENT', 'bob'],
  ])
  expect((await withdraw(number, 'rita', ['rita'])).status).toBe(204)
  expect((await withdraw(number, 'ada', ['carl', 'bob'])).status).toBe(204)
  expect(await askedOf(number)).toEqual(['bob'])
  expect(await entries(number)).toEqual(['ada + bob', 'ada + rita', 'ada + carl', 'rita - rita', 'ada - carl'])
  const list = await on.engine.asUser('ada').get<Pull[]>('/pulls?limit=50')
  expect(list.body.find((pull) => pull.number === number)).toMatchObject({ requested_reviewers: [{ login: 'bob' }], requested_reviewers_teams: null })
})

test.each<[string, string, string[], number]>([
  ['nobody at all', 'ada', [], 201],
  ['somebody who is not there', 'ada', ['nobody'], 404],
  ['the author', 'bob', ['ada'], 422],
  ['an organization', 'ada', ['acme'], 422],
  ['somebody, by a reader who was given a part', 'rita', ['bob'], 201],
  ['somebody, by a stranger', 'eve', ['bob'], 422],
  ['a stranger to what is public', 'ada', ['eve'], 201],
])('asking %s', async (_, as, names, status) => {
  const { number } = await on.pullOf()
  expect((await request(number, as, names)).status).toBe(status)
})

test('who may not read it is not asked', async () => {
  const { status } = await on.forge.asUser('ada').post(`${org}/pulls/1/requested_reviewers`, { reviewers: ['eve'] })
  expect(status).toBe(422)
})

test('nobody is asked once more about what is closed, and a stranger takes no request back', async () => {
  const { number } = await on.pullOf()
  await request(number, 'ada', ['bob'])
  expect((await withdraw(number, 'eve', ['bob'])).status).toBe(422)
  await on.review(number, 'bob', 'APPROVED')
  await on.engine.asUser('ada').patch(`/pulls/${number}`, { state: 'closed' })
  expect((await request(number, 'ada', ['bob'])).status).toBe(403)
  expect((await request(number, 'ada', ['carl'])).status).toBe(201)
})

test('until who is asked again answers, the former verdict does not count', async () => {
  const { number } = await on.pullOf()
  await on.review(number, 'bob', 'APPROVED')
  const counted = async () => (await on.reviewsOf(number)).filter(({ state, official }) => state === 'APPROVED' && official).length
  expect(await counted()).toBe(1)
  await request(number, 'ada', ['bob'])
  expect(await counted()).toBe(0)
  await withdraw(number, 'ada', ['bob'])
  expect(await counted()).toBe(1)
})

test('a team is asked by its name, known to who may know of it, and answered by any of its members', async () => {
  const asking = (as: string, names: string[]) => on.forge.asUser(as).post<PullReview[]>(`${org}/pulls/1/requested_reviewers`, { team_reviewers: names })
  expect((await asking('ada', ['absent'])).status).toBe(404)
  expect((await asking('ada', ['idlers'])).status).toBe(422)
  const { status, body } = await asking('ada', ['Smiths'])
  expect([status, body.map(({ user, team: asked, official }) => [user, asked?.name, official])]).toEqual([201, [[null, 'smiths', true]]])
  expect((await asking('ada', ['smiths'])).body).toEqual([])
  expect((await on.forge.asUser('bob').get<Pull>(`${org}/pulls/1`)).body.requested_reviewers_teams?.map(({ name }) => name)).toEqual(['smiths'])
  await on.forge.asUser('ada').put(`${org}/collaborators/rita`, { permission: 'read' })
  expect((await on.forge.asUser('rita').get<Pull>(`${org}/pulls/1`)).body.requested_reviewers_teams).toEqual([])
  await on.forge.asUser('carl').post(`${org}/pulls/1/reviews`, { event: 'COMMENT', body: 'Hm.' })
  expect((await on.forge.asUser('bob').get<Pull>(`${org}/pulls/1`)).body.requested_reviewers_teams?.length).toBe(1)
  await on.forge.asUser('carl').post(`${org}/pulls/1/reviews`, { event: 'APPROVED' })
  expect((await on.forge.asUser('bob').get<Pull>(`${org}/pulls/1`)).body.requested_reviewers_teams).toEqual([])
})

test('reviewers are named when it is opened, all of them or it is not opened', async () => {
  const { number } = await on.pullOf({ more: { reviewers: ['bob', 'carl'] } })
  expect(await askedOf(number)).toEqual(['bob', 'carl'])
  await on.commit({ branch: 'refused', path: 'refused.txt', text: 'x', from: 'main' })
  const open = (reviewers: string[]) => on.engine.asUser('ada').post('/pulls', { title: 'Refused', head: 'refused', base: 'main', reviewers })
  expect((await open(['nobody'])).status).toBe(404)
  expect((await open(['bob', 'ada'])).status).toBe(422)
  expect((await open([])).status).toBe(201)
})

test('who is asked, or in a team that is, is notified; searches find what they have to review, and what they did', async () => {
  const { id, number } = await on.pullOf({ title: 'Find me' })
  await request(number, 'ada', ['bob'])
  const notified = (await on.forge.asUser('bob').get<{ subject: { title: string } }[]>('/notifications')).body
  expect(notified.map(({ subject }) => subject.title)).toContain('Find me')
  const found = async (as: string, query: string) =>
    (await on.forge.asUser(as).get<{ id: number }[]>(`/repos/issues/search?${query}`)).body.some((one) => one.id === id)
  const both = async (as: string) => [await found(as, 'review_requested=true'), await found(as, 'reviewed=true')]
  expect(await both('bob')).toEqual([true, false])
  await on.review(number, 'bob', 'APPROVED')
  expect(await both('bob')).toEqual([false, true])
  expect(await both('ada')).toEqual([false, false])
  const other = await on.forge.asUser('ada').post<PullReview[]>(`${org}/pulls/1/requested_reviewers`, { team_reviewers: ['smiths'] })
  expect(other.status).toBe(201)
  const titles = (await on.forge.asUser('bob').get<{ title: string }[]>('/repos/issues/search?review_requested=true')).body.map(({ title }) => title)
  expect(titles).toContain('Tools')
})

test('of very many reviewers a pull request names who is asked and who came last, and looks for no others', async () => {
  const { number } = await on.pullOf()
  const { db } = on.forge.context
  const issue_id = db.find<{ id: number }>('SELECT id FROM issue WHERE number = ? ORDER BY id', number)?.id as number
  await request(number, 'ada', ['bob'])
  const last = db.tx((tx) => {
    const { id: _, ...row } = tx.find<Record<string, string | number>>("SELECT * FROM user WHERE name = 'rita'") ?? {}
    const names = Array.from({ length: 2 * MOST_REVIEWERS }, (_, n) => `crowd-${n}`)
    for (const name of names) {
      const reviewer_id = tx.insert('user', { ...row, name, lower_name: name, email: `${name}@example.org` })
      insertReview(tx, { issue_id, reviewer_id, state: 'COMMENT', created_at: 4_000_000_000 })
    }
    return names.slice(MOST_REVIEWERS)
  })
  expect(await askedOf(number)).toEqual(['bob', ...last])
})
