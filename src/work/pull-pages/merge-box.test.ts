import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { openPull, repositoryWithPeople } from '../../../test/worlds.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let hers: TestBrowser
const base = '/repos/ada/engine'

beforeAll(async () => {
  const { ada } = await repositoryWithPeople(forge, {})
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

async function open(branch: string, title = `Take ${branch}`): Promise<{ path: string; head: string; number: number }> {
  const { number, head } = await openPull(asAda, { branch, title })
  return { path: `/ada/engine/pulls/${number}`, head, number }
}

const textOf = (html: string) =>
  html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('each way of merging has a form of its own, with what its commit will say filled in', async () => {
  const { path, head, number } = await open('worded')
  const { text } = await hers.get(path)
  const forms = [...text.matchAll(/<form class="fields" method="post" action="[^"]*\/merge">(.*?)<\/form>/gs)].map(([, form = '']) => {
    const fieldOf = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(form)?.[1]
    return [fieldOf('do'), fieldOf('merge_title_field')]
  })
  expect(forms).toEqual([
    ['merge', `Merge pull request &#x27;Take worded&#x27; (#${number}) from worded into main`],
    ['rebase', undefined],
    ['rebase-merge', `Merge pull request &#x27;Take worded&#x27; (#${number}) from worded into main`],
    ['squash', `Take worded (#${number})`],
    ['fast-forward-only', undefined],
  ])
  await hers.post(`${path}/merge`, { do: 'squash', head_commit_id: head, merge_title_field: 'Said otherwise', merge_message_field: 'And why.' })
  const { body } = await asAda.get<{ commit: { message: string } }>(`${base}/branches/main`)
  expect(body.commit.message.startsWith('Said otherwise\n\nAnd why.')).toBe(true)
})

test('the branch of what was merged can be deleted from the page, unless it has moved on', async () => {
  const { path, head } = await open('over')
  expect((await hers.get(path)).text).not.toContain('Delete branch</button>')
  expect((await hers.post(`${path}/delete_branch`)).status).toBe(422)
  await hers.post(`${path}/merge`, { do: 'merge', head_commit_id: head })
  expect((await hers.get(path)).text).toContain('Delete branch</button>')
  expect(textOf((await new TestBrowser(forge).get(path)).text)).not.toContain('Delete branch')
  await asAda.post(`${base}/contents/more.txt`, { branch: 'over', content: btoa('x'), message: 'More' })
  const refused = await hers.post(`${path}/delete_branch`)
  expect([refused.status, refused.text.includes('it has changed since the pull request was closed')]).toEqual([409, true])
  await asAda.put(`${base}/branches/over`, { new_commit_id: head, force: true })
  expect((await hers.post(`${path}/delete_branch`)).status).toBe(303)
  expect((await asAda.get(`${base}/branches/over`)).status).toBe(404)
  expect((await hers.get(path)).text).not.toContain('Delete branch</button>')
})

test('checks are listed with their states and where they ran', async () => {
  const { path, head } = await open('checked')
  const say = (context: string, state: string, target_url: string) =>
    asAda.post(`${base}/statuses/${head}`, { context, state, target_url, description: `${context} says so` })
  await say('build', 'failure', 'https://ci.example.org/7')
  await say('build', 'success', 'https://ci.example.org/8')
  await say('lint <b>', 'failure', '')
  const { text } = await hers.get(path)
  expect(textOf(text)).toContain('Checks: 1 succeeded, 1 failed')
  expect(text).toContain('<a href="https://ci.example.org/8" rel="nofollow noopener">build</a>')
  expect(text).toContain('lint &lt;b&gt;')
})

test('fast-forward only is disabled while the base has new commits, and the branch can be updated', async () => {
  const { path } = await open('behind')
  await asAda.post(`${base}/contents/ahead.txt`, { branch: 'main', content: btoa('x'), message: 'Ahead' })
  const canFastForward = (text: string) => [text.includes('name="do" value="fast-forward-only"'), text.includes('main</code> has new commits')]
  const { text } = await hers.get(path)
  expect(canFastForward(text)).toEqual([false, true])
  expect(text).toContain(`action="${path}/update"`)
  expect((await hers.post(`${path}/update`, { style: 'merge' })).status).toBe(303)
  expect(canFastForward((await hers.get(path)).text)).toEqual([true, false])
})

test('why something cannot be merged is said in words, with what can be done about it', async () => {
  const draft = await open('drafted', 'WIP: Not yet')
  expect(textOf((await hers.get(draft.path)).text)).toContain('This pull request is still a draft. Ready for review')
  await asAda.post(`${base}/branch_protections`, {
    rule_name: 'main',
    required_approvals: 1,
    enable_status_check: true,
    status_check_contexts: ['build'],
    block_admin_merge_override: true,
  })
  const { path, head } = await open('ruled')
  const { text } = await hers.get(path)
  const told = 'Merging is blocked: Required checks have not succeeded. View checks More approving reviews are required. Review changes'
  expect(textOf(text)).toContain(told)
  expect(textOf(text)).toContain('Checks: 1 required and not reported yet Not reported yet: build')
  await asAda.post(`${base}/statuses/${head}`, { context: 'build', state: 'success' })
  expect(textOf((await hers.get(path)).text)).toContain('Merging is blocked. More approving reviews are required. Review changes')
  expect(textOf((await hers.get(path)).text)).not.toContain('not reported yet')
  const visitor = (await new TestBrowser(forge).get(path)).text
  expect(textOf(visitor)).toContain('Only users who are allowed to merge into main can merge this pull request.')
  expect(visitor).not.toContain(`action="${path}/update"`)
})
