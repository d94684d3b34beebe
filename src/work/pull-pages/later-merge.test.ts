import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { followStatuses } from '../pulls/follow-statuses.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

interface Pull {
  merged: boolean
  merged_by?: { login: string }
}

let house: ReviewForge
const protect = (rule_name: string, more: object) =>
  house.engine.asUser('ada').post('/branch_protections', { rule_name, block_admin_merge_override: true, ...more })

beforeAll(async () => {
  house = await reviewForge()
  for (const name of ['checked', 'reviewed', 'guarded']) await house.engine.asUser('ada').post('/branches', { new_branch_name: name, old_ref_name: 'main' })
  await protect('checked', { enable_status_check: true, status_check_contexts: ['build'] })
  await protect('reviewed', { required_approvals: 1 })
  await protect('guarded', { required_approvals: 1, protected_file_patterns: 'secret/**' })
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const get = async (number: number) => (await house.engine.asUser('ada').get<Pull>(`/pulls/${number}`)).body
const pathOf = ({ number }: { number: number }) => `/ada/engine/pulls/${number}`
const later = { do: 'squash', merge_when_checks_succeed: 'true' }
const offer = 'Enable auto-merge</button>'

/** What happens by itself after something else has. */
const settle = () => followStatuses(house.forge.context)

// Nobody has reported a check in this repository yet.
test('a merge that waits for a review comes with it, where no checks are at all', async () => {
  const pull = await house.pullOf({ as: 'bob', base: 'reviewed' })
  const bob = house.browserOf('bob')
  expect((await bob.get(pathOf(pull))).text).toContain(offer)
  expect((await bob.post(`${pathOf(pull)}/merge`, later)).status).toBe(303)
  await settle()
  expect((await get(pull.number)).merged).toBe(false)
  // What is pushed until then is merged along.
  const head = await house.commit({ branch: pull.branch, path: pull.path, text: 'more\n' }, 'bob')
  await bob.get(pathOf(pull))
  await house.review(pull.number, 'carl', 'APPROVED', { commit_id: head })
  await settle()
  expect((await get(pull.number)).merged).toBe(true)
})

test('who may merge, but not yet, has it merged when its checks have succeeded, and takes that back', async () => {
  const pull = await house.pullOf({ as: 'bob', base: 'checked' })
  const path = pathOf(pull)
  const [bob, carl, rita] = [house.browserOf('bob'), house.browserOf('carl'), house.browserOf('rita')]
  expect((await bob.get(path)).text).toContain(offer)
  for (const other of [rita, new TestBrowser(house.forge)]) expect((await other.get(path)).text).not.toContain(offer)
  expect((await rita.post(`${path}/merge`, later)).status).toBe(405)
  expect((await bob.post(`${path}/merge`, later)).status).toBe(303)
  const seen = (await carl.get(path)).text
  expect(seen).toMatch(/<a href="\/bob">bob<\/a> enabled auto-merge \(Squash and merge\)\./)
  expect([seen.includes('Disable auto-merge'), seen.includes(offer)]).toEqual([true, false])
  expect((await rita.get(path)).text).not.toContain('Disable auto-merge')
  expect((await rita.post(`${path}/cancel_auto_merge`)).status).toBe(403)
  expect((await carl.post(`${path}/cancel_auto_merge`)).status).toBe(303)
  expect((await bob.get(path)).text).toContain(offer)
  await bob.post(`${path}/merge`, later)
  await house.engine.asUser('ada').post(`/statuses/${pull.head}`, { context: 'build', state: 'success' })
  await settle()
  expect(await get(pull.number)).toMatchObject({ merged: true, merged_by: { login: 'bob' } })
})

test('what waiting does not mend is not waited for', async () => {
  const pull = await house.pullOf({ as: 'bob', base: 'guarded', path: 'secret/key.txt' })
  expect((await house.browserOf('bob').get(pathOf(pull))).text).not.toContain(offer)
})

test('the branch is brought up to its base by who may push to it; others are told', async () => {
  const pull = await house.pullOf({ as: 'bob' })
  const path = pathOf(pull)
  await house.commit({ branch: 'main', path: 'moved-on.txt', text: 'x' })
  expect((await house.browserOf('bob').get(path)).text).toContain('Update branch (rebase)')
  await house.forge.asUser('eve').post('/repos/ada/engine/forks', {})
  await house.forge.asUser('eve').post('/repos/eve/engine/contents/hers.txt', { branch: 'main', new_branch: 'hers', content: btoa('x') })
  const hers = { title: 'Hers', head: 'eve:hers', base: 'main', allow_maintainer_edit: false }
  const { body } = await house.engine.asUser('eve').post<{ number: number }>('/pulls', hers)
  await house.commit({ branch: 'main', path: 'moved-again.txt', text: 'x' })
  const told = (await house.browserOf('bob').get(pathOf(body))).text
  expect([told.includes('</code> is out of date with <code>main</code>'), told.includes('Update branch (rebase)')]).toEqual([true, false])
  const own = (await house.browserOf('eve').get(pathOf(body))).text
  expect(own).toContain(`action="${pathOf(body)}/update"`)
  expect((await house.browserOf('eve').post(`${pathOf(body)}/update`, { style: 'merge' })).status).toBe(303)
})
