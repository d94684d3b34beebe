import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../../work/reviews/reviews.fixture.ts'

let house: ReviewForge
let made = 0

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const textOf = async (branch: string, path: string) => {
  const { status, body } = await house.engine.asUser('ada').get<{ content: string }>(`/contents/${path}?ref=${branch}`)
  return status === 200 ? Buffer.from(body.content, 'base64').toString() : undefined
}

/** A file that a commit on main changes from `one` to `two`. */
async function changed(): Promise<{ path: string; sha: string }> {
  const path = `changed-${++made}.txt`
  await house.commit({ branch: 'main', path, text: 'one\n' })
  return { path, sha: await house.commit({ branch: 'main', path, text: 'two\n' }, 'bob') }
}

test('a commit is taken back on a new branch, which leads to a pull request, or straight on its own', async () => {
  const { path, sha } = await changed()
  const his = house.browserOf('bob')
  const page = await his.get(`/ada/engine/commit/${sha}`)
  expect(page.text).toContain(`href="/ada/engine/commit/${sha}/revert"`)
  const form = await his.get(`/ada/engine/commit/${sha}/revert`)
  expect(form.text).toContain(`Revert &quot;Change ${path}&quot;\n\nThis reverts commit ${sha}.`)
  const aside = await his.post(`/ada/engine/commit/${sha}/revert`, { branch: 'main', new_branch: `back-${made}`, message: '' })
  expect(aside.headers.get('location')).toBe(`/ada/engine/compare/main...back-${made}`)
  expect([await textOf(`back-${made}`, path), await textOf('main', path)]).toEqual(['one\n', 'two\n'])
  const { status, headers } = await his.post(`/ada/engine/commit/${sha}/revert`, { branch: 'main', new_branch: '', message: 'No.\r\n\r\nSorry.' })
  expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/ada\/engine\/commit\/[0-9a-f]{40}$/)])
  expect(await textOf('main', path)).toBe('one\n')
  const { body } = await house.engine.asUser('ada').get<{ commit: { message: string } }[]>('/commits?limit=1')
  expect(body[0]?.commit.message).toBe('No.\n\nSorry.\n')
  const again = await his.post(`/ada/engine/commit/${sha}/revert`, { branch: 'main', new_branch: '', message: 'kept words' })
  expect([again.status, again.text.includes('Nothing to commit'), again.text.includes('kept words')]).toEqual([409, true, true])
})

test('a commit is taken over to another branch, with its author and, unless said otherwise, its words', async () => {
  const { path } = await changed()
  await house.engine.asUser('ada').post('/branches', { new_branch_name: `side-${made}`, old_branch_name: 'main' })
  const sha = await house.commit({ branch: 'main', path, text: 'three\n' }, 'bob')
  const hers = house.browserOf('carl')
  expect((await hers.post(`/ada/engine/commit/${sha}/cherry-pick`, { branch: `side-${made}`, new_branch: '', message: 'My words' })).status).toBe(303)
  expect(await textOf(`side-${made}`, path)).toBe('three\n')
  const { body } = await house.engine
    .asUser('ada')
    .get<{ commit: { message: string; author: { name: string }; committer: { name: string } } }[]>(`/commits?sha=side-${made}&limit=1`)
  expect(body[0]?.commit).toMatchObject({ message: 'My words\n', author: { name: 'bob' }, committer: { name: 'carl' } })
})

test('what contradicts later changes is told with the files, and nothing is made', async () => {
  const { path, sha } = await changed()
  await house.commit({ branch: 'main', path, text: 'three\n' })
  const refused = await house.browserOf('bob').post(`/ada/engine/commit/${sha}/revert`, { branch: 'main', new_branch: `no-${made}`, message: '' })
  expect([refused.status, refused.text.includes(`it conflicts with branch “main” in ${path}`)]).toEqual([409, true])
  expect((await house.engine.asUser('ada').get(`/branches/no-${made}`)).status).toBe(404)
})

test('who may not push is refused, as are a name that is taken, a bad one and a branch that is not there', async () => {
  const { sha } = await changed()
  const at = `/ada/engine/commit/${sha}/revert`
  expect((await house.browserOf('rita').post(at, { branch: 'main', new_branch: 'mine', message: '' })).status).toBe(403)
  const his = house.browserOf('bob')
  expect((await his.post(at, { branch: 'main', new_branch: 'main', message: '' })).status).toBe(409)
  expect((await his.post(at, { branch: 'main', new_branch: 'a..b', message: '' })).status).toBe(422)
  expect((await his.post(at, { branch: 'nowhere', new_branch: 'x', message: '' })).status).toBe(404)
  expect((await his.get('/ada/engine/commit/ffffffff/revert')).status).toBe(404)
})

test('a rule that protects the branch holds here as well', async () => {
  const { sha } = await changed()
  await house.engine.asUser('ada').post('/branch_protections', { rule_name: 'main', enable_push: false })
  const refused = await house.browserOf('bob').post(`/ada/engine/commit/${sha}/revert`, { branch: 'main', new_branch: '', message: '' })
  expect(refused.status).toBe(403)
  await house.engine.asUser('ada').delete('/branch_protections/main')
})
