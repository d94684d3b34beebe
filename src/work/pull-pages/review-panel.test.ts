import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const pageOf = ({ number }: { number: number }) => `/ada/engine/pulls/${number}`

test('who was asked is asked no more or declines, and who has answered is asked again', async () => {
  const pull = await house.pullOf({ as: 'bob' })
  const address = pageOf(pull)
  const [bob, carl, eve] = [house.browserOf('bob'), house.browserOf('carl'), house.browserOf('eve')]
  expect((await bob.post(`${address}/reviewers`, { reviewer: 'carl', action: 'ask' })).status).toBe(303)
  const asked = (await bob.get(address)).text
  expect(asked).toContain('aria-label="Remove request: carl"')
  expect(asked).not.toContain('<option value="carl">')
  expect((await carl.get(address)).text).toContain('aria-label="Decline: carl"')
  expect((await eve.get(address)).text).not.toMatch(/Remove request|Decline/)
  expect((await carl.post(`${address}/reviewers`, { reviewer: 'carl', action: 'withdraw' })).status).toBe(303)
  expect((await house.reviewsOf(pull.number)).filter(({ state }) => state === 'REQUEST_REVIEW')).toEqual([])
  await house.review(pull.number, 'carl', 'APPROVED')
  expect((await bob.get(address)).text).toContain('aria-label="Re-request review: carl"')
  expect((await bob.post(`${address}/reviewers`, { reviewer: 'carl', action: 'ask' })).status).toBe(303)
  expect((await bob.get(address)).text).toMatch(/<a href="\/carl">carl<\/a> was requested to review/)
  const refused = await eve.post(`${address}/reviewers`, { reviewer: 'carl', action: 'withdraw' })
  expect([refused.status, refused.text.includes('remove reviewer')]).toEqual([422, true])
})

test('who administers the repository dismisses a review, and lets it count again; nobody else does', async () => {
  const pull = await house.pullOf({ as: 'bob' })
  const address = pageOf(pull)
  await house.review(pull.number, 'carl', 'REQUEST_CHANGES', { body: 'No' })
  const [review] = await house.reviewsOf(pull.number)
  const at = `${address}/reviews/${review?.id}/dismiss`
  const hers = house.browserOf('ada')
  expect((await hers.get(address)).text).toContain(`action="${at}"`)
  expect((await house.browserOf('bob').get(address)).text).not.toContain(at)
  expect((await house.browserOf('bob').post(at, { action: 'dismiss', message: '' })).status).toBe(403)
  expect((await hers.post(at, { action: 'dismiss', message: 'Out of date' })).status).toBe(303)
  expect((await hers.get(address)).text).toMatch(/<span class="mark">Dismissed<\/span>.*Undo dismissal/s)
  expect((await house.reviewsOf(pull.number))[0]?.dismissed).toBe(true)
  expect((await hers.post(at, { action: 'undismiss' })).status).toBe(303)
  expect((await house.reviewsOf(pull.number))[0]?.dismissed).toBe(false)
})

test('a team of the organization is asked from the page, by those who know of it', async () => {
  await house.forge.asUser('ada').post('/orgs', { username: 'acme' })
  await house.forge.asUser('ada').post('/orgs/acme/repos', { name: 'tools', auto_init: true, default_branch: 'main' })
  const seeing = { units_map: { 'repo.code': 'write', 'repo.pulls': 'write' }, includes_all_repositories: true }
  const smiths = (await house.forge.asUser('ada').post<{ id: number }>('/orgs/acme/teams', { name: 'Smiths', visibility: 'limited', ...seeing })).body.id
  await house.forge.asUser('ada').post('/orgs/acme/teams', { name: 'hidden', visibility: 'private', ...seeing })
  await house.forge.asUser('ada').post('/orgs/acme/teams', { name: 'elsewhere', ...seeing, includes_all_repositories: false })
  await house.forge.asUser('ada').post('/orgs/acme/teams', { name: 'blind', units_map: { 'repo.issues': 'read' }, includes_all_repositories: true })
  await house.forge.asUser('ada').put(`/teams/${smiths}/members/bob`)
  await house.forge.asUser('ada').put('/repos/acme/tools/collaborators/rita', { permission: 'write' })
  await house.forge.asUser('ada').post('/repos/acme/tools/contents/a.txt', { new_branch: 'topic', content: btoa('a') })
  await house.forge.asUser('ada').post('/repos/acme/tools/pulls', { title: 'Tools', head: 'topic', base: 'main' })
  const address = '/acme/tools/pulls/1'
  const offered = async (name: string) => {
    const [, options = ''] = /<select name="team"[^>]*>(.*?)<\/select>/s.exec((await house.browserOf(name).get(address)).text) ?? []
    return [...options.matchAll(/value="([^"]*)"/g)].map(([, team]) => team)
  }
  expect([await offered('ada'), await offered('bob'), await offered('rita'), await offered('eve')]).toEqual([
    ['hidden', 'Owners', 'Smiths'],
    ['Smiths'],
    [],
    [],
  ])
  const [bob, rita] = [house.browserOf('bob'), house.browserOf('rita')]
  expect((await rita.post(`${address}/reviewers`, { team: 'Smiths', action: 'ask' })).status).toBe(404)
  expect((await bob.post(`${address}/reviewers`, { team: 'Smiths', action: 'ask' })).status).toBe(303)
  expect((await bob.get(address)).text).toMatch(/<strong>Smiths<\/strong> was requested to review/)
  expect(await offered('bob')).toEqual([])
  expect((await bob.get(address)).text).toContain('requested a review from Smiths')
  expect((await rita.get(address)).text).toContain('requested a review from a team')
  expect((await bob.post(`${address}/reviewers`, { team: 'Smiths', action: 'withdraw' })).status).toBe(303)
  expect((await bob.get(address)).text).not.toContain('<strong>Smiths</strong>')
})
