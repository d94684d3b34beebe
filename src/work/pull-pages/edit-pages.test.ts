import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

interface Pull {
  title: string
  draft: boolean
  base: { ref: string }
}

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
  await house.engine.asUser('ada').post('/branches', { new_branch_name: 'next', old_ref_name: 'main' })
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const get = async (number: number) => (await house.engine.asUser('ada').get<Pull>(`/pulls/${number}`)).body
const pathOf = ({ number }: { number: number }) => `/ada/engine/pulls/${number}`

/** By somebody who was given no part in the repository: their pull request comes from a fork. */
async function pullOfEve(title: string, branch = 'hers'): Promise<{ number: number }> {
  await house.forge.asUser('eve').post('/repos/ada/engine/forks', {})
  const file = { branch: 'main', new_branch: branch, content: btoa(title), message: title }
  await house.forge.asUser('eve').post(`/repos/eve/engine/contents/${branch}.txt`, file)
  return (await house.engine.asUser('eve').post<{ number: number }>('/pulls', { title, head: `eve:${branch}`, base: 'main' })).body
}

test('who may edit a pull request says that it is a draft, and that it is ready; nobody else is offered it', async () => {
  const pull = await house.pullOf({ as: 'bob', title: 'wip: [WIP] Turn faster' })
  const path = pathOf(pull)
  const [bob, rita] = [house.browserOf('bob'), house.browserOf('rita')]
  const drafted = (await bob.get(path)).text
  expect(drafted).toContain('Ready for review')
  // Its branch has all that main has.
  expect(drafted).not.toContain('Update branch (rebase)')
  for (const other of [rita, new TestBrowser(house.forge)]) expect((await other.get(path)).text).not.toContain(`action="${path}/draft"`)
  expect((await rita.post(`${path}/draft`, { action: 'ready' })).status).toBe(403)
  expect((await bob.post(`${path}/draft`, { action: 'ready' })).status).toBe(303)
  expect(await get(pull.number)).toMatchObject({ title: 'Turn faster', draft: false })
  const { text } = await bob.get(path)
  expect([text.includes('Convert to draft'), text.includes('Ready for review')]).toEqual([true, false])
  // Twice is once.
  for (let i = 0; i < 2; i++) expect((await bob.post(`${path}/draft`, { action: 'draft' })).status).toBe(303)
  expect(await get(pull.number)).toMatchObject({ title: 'WIP: Turn faster', draft: true })
})

test('its author, who writes nothing here, says that it is ready', async () => {
  const pull = await pullOfEve('WIP: From outside')
  const eve = house.browserOf('eve')
  const { text } = await eve.get(pathOf(pull))
  expect(text).toContain('Ready for review')
  expect((await eve.post(`${pathOf(pull)}/draft`, { action: 'ready' })).status).toBe(303)
  expect((await get(pull.number)).title).toBe('From outside')
})

test('no word of a title is lost to its being a draft', async () => {
  const long = 'x'.repeat(253)
  const pull = await house.pullOf({ title: long })
  const refused = await house.browserOf('ada').post(`${pathOf(pull)}/draft`, { action: 'draft' })
  expect([refused.status, refused.text.includes('too long')]).toEqual([422, true])
  expect((await get(pull.number)).title).toBe(long)
  const bare = await house.pullOf({ title: 'WIP:' })
  expect((await house.browserOf('ada').post(`${pathOf(bare)}/draft`, { action: 'ready' })).status).toBe(422)
})

test('the base is changed by who may edit the pull request, to a branch that is there', async () => {
  const pull = await house.pullOf({ as: 'bob' })
  const path = pathOf(pull)
  const [bob, rita] = [house.browserOf('bob'), house.browserOf('rita')]
  const { text } = await bob.get(path)
  expect(text).toMatch(/<input name="base"[^>]* value="main"/)
  expect((await rita.get(path)).text).not.toContain('Edit base')
  expect((await rita.post(`${path}/base`, { base: 'next' })).status).toBe(403)
  const refused = await bob.post(`${path}/base`, { base: 'nowhere' })
  expect([refused.status, refused.text.includes('branch &quot;nowhere&quot; does not exist in this repository.')]).toEqual([422, true])
  expect((await bob.post(`${path}/base`, { base: pull.branch })).status).toBe(422)
  expect((await bob.post(`${path}/base`, { base: 'next' })).status).toBe(303)
  expect((await get(pull.number)).base.ref).toBe('next')
  expect((await bob.get(path)).text).toContain('into <code>next</code>')
})

test('whoever owns the fork lets others push to the branch, or not; who may merge is told where to push', async () => {
  const pull = await pullOfEve('Edited by both', 'shared')
  const path = `${pathOf(pull)}/edits`
  const [ada, eve] = [house.browserOf('ada'), house.browserOf('eve')]
  const isAllowed = async () => (await house.engine.asUser('ada').get<{ allow_maintainer_edit: boolean }>(`/pulls/${pull.number}`)).body.allow_maintainer_edit
  const seen = (await ada.get(pathOf(pull))).text
  expect([seen.includes('HEAD:shared'), seen.includes(path)]).toEqual([true, false])
  expect((await ada.post(path, { allow: 'false' })).status).toBe(403)
  expect((await eve.get(pathOf(pull))).text).toContain(`action="${path}"`)
  expect([(await eve.post(path, { allow: 'false' })).status, await isAllowed()]).toEqual([303, false])
  expect((await ada.get(pathOf(pull))).text).toContain('Only users with write access to the fork can push')
  expect([(await eve.post(path, { allow: 'true' })).status, await isAllowed()]).toEqual([303, true])
})

test('whoever opens one from a fork says whether others may push to the branch', async () => {
  await house.forge.asUser('eve').post('/repos/eve/engine/branches', { new_branch_name: 'closed', old_branch_name: 'hers' })
  const eve = house.browserOf('eve')
  const path = '/ada/engine/compare/main...eve:closed'
  expect((await eve.get(path)).text).toMatch(/<input type="checkbox" name="allow_maintainer_edit" value="true" checked/)
  const opened = await eve.post(path, { title: 'Mine alone', allow_maintainer_edit: 'false' }, [])
  expect(opened.status).toBe(303)
  const number = Number(opened.headers.get('location')?.split('/').at(-1))
  expect((await house.engine.asUser('ada').get<{ allow_maintainer_edit: boolean }>(`/pulls/${number}`)).body.allow_maintainer_edit).toBe(false)
})
