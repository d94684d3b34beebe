import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

/** A branch with a commit of its own. */
async function makeBranch(branch: string, path = `${branch}.txt`, content = branch): Promise<void> {
  const body = { content: Buffer.from(`${content}\n`).toString('base64'), message: `Add ${path} ${ATTACK}\n\nAs asked.`, branch: 'main', new_branch: branch }
  const { status } = await asAda.post(`/repos/ada/engine/contents/${path}`, body)
  expect(status).toBe(201)
}

async function openPull(branch: string, title = `Take ${branch}`): Promise<string> {
  const { status, headers } = await hers.post(`/ada/engine/compare/main...${branch}`, { title, body: 'please' })
  expect(status).toBe(303)
  return headers.get('location') as string
}

test('two branches are compared and asked to be merged from the page', async () => {
  await makeBranch('topic')
  const picked = await hers.get('/ada/engine/compare?base=main&head=topic')
  expect(picked.headers.get('location')).toBe('/ada/engine/compare/main...topic')
  const { text } = await hers.get('/ada/engine/compare/main...topic')
  expect(text).toContain('1 commit')
  expect(text).toContain('+topic')
  expect(text).toContain(`value="Add topic.txt ${Bun.escapeHTML(ATTACK)}"`)
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  const path = await openPull('topic')
  expect((await hers.get(path)).text).toContain('Take topic')
  expect((await hers.get('/ada/engine/pulls')).text).toContain(`href="${path}"`)
})

test('a pull request is merged in the way that was chosen, and its branch goes when that is ticked', async () => {
  await makeBranch('squashed')
  const path = await openPull('squashed')
  const [, head = ''] = /name="head_commit_id" value="([0-9a-f]{40})"/.exec((await hers.get(path)).text) ?? []
  const { status } = await hers.post(`${path}/merge`, { do: 'squash', head_commit_id: head, delete_branch_after_merge: 'true' })
  expect(status).toBe(303)
  const { text } = await hers.get(path)
  expect(text).toMatch(/<span class="state done">.*?Merged<\/span>/)
  expect(text).not.toContain('name="head_commit_id"')
  expect((await forge.get('/repos/ada/engine/branches/squashed')).status).toBe(404)
  expect((await hers.get('/ada/engine/src/branch/main/squashed.txt')).status).toBe(200)
})

test('what was pushed since the page was loaded is not merged unseen', async () => {
  await makeBranch('moving')
  const path = await openPull('moving')
  const body = { content: Buffer.from('more').toString('base64'), message: 'More', branch: 'moving' }
  const [, head = ''] = /name="head_commit_id" value="([0-9a-f]{40})"/.exec((await hers.get(path)).text) ?? []
  expect((await asAda.post('/repos/ada/engine/contents/more.txt', body)).status).toBe(201)
  const refused = await hers.post(`${path}/merge`, { do: 'merge', head_commit_id: head })
  expect([refused.status, refused.text.includes('Someone pushed to the branch')]).toEqual([409, true])
  const at = path.replace('/ada/', '/repos/ada/')
  await asAda.patch(at, { state: 'closed' })
  const late = await hers.post(`${path}/merge`, { do: 'merge', head_commit_id: head })
  expect([late.status, late.text.includes('This pull request was closed or changed'), late.text.includes('Closed')]).toEqual([409, true, true])
})

test('who may not merge is told so, and so is everybody of a conflict', async () => {
  await makeBranch('left', 'same.txt', 'left')
  const path = await openPull('left')
  const stranger = new TestBrowser(forge)
  expect((await stranger.get(path)).text).toContain('Merging is blocked. Only users who are allowed to merge into main can merge this pull request.')
  const body = { content: Buffer.from('right').toString('base64'), message: 'Right', branch: 'main' }
  await asAda.post('/repos/ada/engine/contents/same.txt', body)
  expect((await hers.get(path)).text).toContain('This branch has conflicts that must be resolved.')
})

test('its commits, files and texts have addresses of their own', async () => {
  await makeBranch('parts')
  const path = await openPull('parts')
  expect((await hers.get(`${path}/commits`)).text).toContain('Add parts.txt')
  expect((await hers.get(`${path}/files`)).text).toContain('+parts')
  expect((await hers.get(`${path}.diff`)).text).toContain('diff --git a/parts.txt b/parts.txt')
  expect((await hers.get(`${path}.patch`)).text).toMatch(/^From [0-9a-f]{40} /)
  expect((await hers.get('/ada/engine/pulls/x')).status).toBe(404)
  const number = path.split('/').at(-1)
  expect((await hers.get(`/ada/engine/issues/${number}`)).headers.get('location')).toBe(path)
})

test('its commits stand below their days, with what programs say of each', async () => {
  await makeBranch('checked')
  const path = await openPull('checked')
  const { body } = await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/checked')
  for (const [context, state] of [
    ['lint', 'failure'],
    ['build', 'success'],
    ['lint', 'success'],
  ])
    await asAda.post(`/repos/ada/engine/statuses/${body.commit.id}`, { context, state })
  const { text } = await hers.get(`${path}/commits`)
  expect(text).toMatch(/<li class="day"><h3>\d{4}-\d\d-\d\d<\/h3>/)
  expect(text).toContain('aria-label="Checks: 2 succeeded"')
})

test('a line is commented, kept for the review, and sent with the verdict; the answer and its end are there too', async () => {
  await makeBranch('reviewed', 'reviewed.txt', 'one\ntwo')
  const path = await openPull('reviewed')
  const his = new TestBrowser(forge, await forge.person('bobby'))
  await asAda.put('/repos/ada/engine/collaborators/bobby', { permission: 'write' })
  const files = await his.get(`${path}/files`)
  expect(files.text).toContain(`href="${path}/files?path=reviewed.txt&amp;line=2#write"`)
  const form = await his.get(`${path}/files?path=reviewed.txt&line=2`)
  const [, head = ''] = /name="commit_id" value="([0-9a-f]{40})"/.exec(form.text) ?? []
  const said = { path: 'reviewed.txt', line: '2', body: `Why **two**? ${ATTACK}`, commit_id: head, action: 'review' }
  expect((await his.post(`${path}/line`, said)).status).toBe(303)
  expect((await his.get(`${path}/files`)).text).toContain(' · Pending')
  expect((await hers.get(`${path}/files`)).text).not.toContain('Why')
  expect((await his.post(`${path}/reviews`, { event: 'REQUEST_CHANGES', body: 'One thing', commit_id: head })).status).toBe(303)
  const shown = await hers.get(`${path}/files`)
  expect(shown.text).toContain('Why <strong>two</strong>?')
  expect(shown.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  expect((await hers.get(path)).text).toContain('requested changes')
  const [, comment = ''] = /id="issuecomment-(\d+)"/.exec(shown.text) ?? []
  expect((await hers.post(`${path}/comments/${comment}/replies`, { body: 'Because' })).status).toBe(303)
  expect((await hers.post(`${path}/comments/${comment}/resolve`, { body: '', action: 'resolve' })).status).toBe(303)
  expect((await his.get(`${path}/files`)).text).toContain('Resolved')
  expect((await his.post(`${path}/reviews`, { event: 'APPROVED', commit_id: head })).status).toBe(303)
  expect((await hers.get(path)).text).toContain('approved these changes')
})

test('nobody approves what is their own, and the words stay when a review is not taken', async () => {
  await makeBranch('own')
  const path = await openPull('own')
  expect((await hers.get(`${path}/files`)).text).not.toContain('value="APPROVED"')
  const [, head = ''] = /name="commit_id" value="([0-9a-f]{40})"/.exec((await hers.get(`${path}/files`)).text) ?? []
  expect((await hers.post(`${path}/reviews`, { event: 'APPROVED', commit_id: head })).status).toBe(422)
  const late = await hers.post(`${path}/line`, { path: 'own.txt', line: '1', body: 'my words', commit_id: 'f'.repeat(40), action: 'now' })
  expect([late.status, late.text.includes('my words')]).toEqual([422, true])
})

test('a rule that is against a merge is told, and an administrator passes it over only by saying so', async () => {
  await makeBranch('ruled')
  const path = await openPull('ruled')
  await asAda.post('/repos/ada/engine/branch_protections', { rule_name: 'main', required_approvals: 1 })
  const { text } = await hers.get(path)
  expect(text).toContain('name="force_merge"')
  const [, head = ''] = /name="head_commit_id" value="([0-9a-f]{40})"/.exec(text) ?? []
  expect((await hers.post(`${path}/merge`, { do: 'merge', head_commit_id: head })).status).toBe(405)
  expect((await hers.post(`${path}/merge`, { do: 'merge', head_commit_id: head, force_merge: 'true' })).status).toBe(303)
  await asAda.delete('/repos/ada/engine/branch_protections/main')
})
