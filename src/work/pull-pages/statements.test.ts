import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { writeDerived } from '#repositories/refs/index.ts'
import type { TestBrowser } from '../../../test/browser.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

/** As PAGES.md bounds it. */
const MOST_STATEMENTS = 8
const people = ['ada', 'bob', 'carl', 'rita']

let house: ReviewForge
let number: number
let repoId: number

/** A pull request about which much was said, on a branch whose rule asks for everything. */
beforeAll(async () => {
  // Each page is made anew, so that what it costs can be counted.
  house = await reviewForge({ server: { PAGE_CACHE_SIZE: 0 } })
  await house.engine.asUser('ada').post('/branches', { new_branch_name: 'guarded', old_ref_name: 'main' })
  const rule = { rule_name: 'guarded', protected_file_patterns: 'secret/**', dismiss_stale_approvals: true, block_on_rejected_reviews: true }
  const more = { required_approvals: 2, enable_approvals_whitelist: true, approvals_whitelist_username: ['carl'], enable_status_check: true }
  const made = await house.engine
    .asUser('ada')
    .post('/branch_protections', { ...rule, ...more, status_check_contexts: ['build'], block_on_outdated_branch: true })
  expect(made.status).toBe(201)
  const pull = await house.pullOf({ as: 'bob', base: 'guarded', path: 'a.txt', text: 'one\ntwo\nthree\n' })
  number = pull.number
  for (let i = 0; i < 4; i++) await house.commit({ branch: pull.branch, path: `b${i}.txt`, text: `${i}\n` }, 'bob')
  const { head, base } = (await house.engine.asUser('ada').get<{ head: { sha: string }; base: { repo_id: number } }>(`/pulls/${number}`)).body
  repoId = base.repo_id
  for (const context of ['build', 'lint']) await house.engine.asUser('ada').post(`/statuses/${head.sha}`, { context, state: 'success' })
  for (let i = 0; i < 12; i++)
    await house.engine.asUser(people[i % people.length] as string).post(`/issues/${number}/comments`, { body: `Said ${i}, see #${number}` })
  for (let i = 0; i < 8; i++) {
    const comments = [{ path: 'a.txt', body: `At a line ${i}`, new_position: 1 + (i % 3) }]
    await house.review(number, (['ada', 'carl', 'rita'] as const)[i % 3] as string, i === 1 ? 'APPROVED' : 'COMMENT', { body: `Looked ${i}`, comments })
  }
  await house.engine.asUser('ada').post(`/pulls/${number}/requested_reviewers`, { reviewers: ['rita'] })
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

/** What the page asks the store for. */
async function statementsOf(browser: TestBrowser, path: string): Promise<string[]> {
  const { db } = house.forge.context
  using find = spyOn(db, 'find')
  using all = spyOn(db, 'all')
  expect((await browser.get(path)).status).toBe(200)
  return [find, all].flatMap(({ mock }) => mock.calls.map(([sql]) => sql.replace(/\s+/g, ' ').slice(0, 80)))
}

test.each(['', '/commits', '/files', '/versions'])(
  'what was said about a pull request, and how much, asks the store no more often: %s',
  async (tab) => {
    // Else the refs are written to disk in between, and their state is no longer known.
    await writeDerived(house.forge.context, repoId)
    for (const name of people) {
      const browser = house.browserOf(name)
      const path = `/ada/engine/pulls/${number}${tab}`
      // What is known from the request before is not asked for again, unless a job in the background wrote something in between.
      const all = [await statementsOf(browser, path), await statementsOf(browser, path), await statementsOf(browser, path), await statementsOf(browser, path)]
      const asked = all.toSorted((a, b) => a.length - b.length)[0] as string[]
      expect(asked.length).toBeGreaterThan(2)
      expect([name, asked.length > MOST_STATEMENTS ? asked : []]).toEqual([name, []])
    }
  },
  PATIENCE,
)
