import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { openPull } from '../../../test/worlds.ts'
import type { CommitState } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

/** Statuses of the commit that every list shows. */
const MANY = 120

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let browser: TestBrowser
let sha: string

const say = (context: string, state: CommitState, more: { description?: string; target_url?: string } = {}) =>
  asAda.post(`/repos/ada/engine/statuses/${sha}`, { context, state, ...more })

beforeAll(async () => {
  ada = await forge.person('ada')
  browser = new TestBrowser(forge, ada)
  await asAda.post('/user/repos', { name: 'engine', auto_init: true })
  sha = (await openPull(asAda, { title: 'A topic' })).head
  await asAda.post('/repos/ada/engine/branches', { new_branch_name: 'twin', old_ref_name: 'topic' })
  await asAda.patch('/repos/ada/engine', { default_branch: 'topic' })
  await say('build <b>', 'failure', { description: 'It broke & burned', target_url: 'https://ci.example.org/7' })
  for (let i = 1; i < MANY; i++) await say(`test ${i}`, 'success', { description: 'x'.repeat(1000) })
})
afterAll(() => forge[Symbol.asyncDispose]())

const label = `Checks: ${MANY - 1} succeeded, 1 failed`
const lists = ['', '/commits/branch/topic', '/graph', '/branches?view=all', '/pulls', '/pulls/1/commits']

test.each(lists)('/ada/engine%s marks the commit with its state and a menu of its statuses, failed ones first', async (path) => {
  const { status, text } = await browser.get(`/ada/engine${path}`)
  expect(status).toBe(200)
  const [, face, menu] =
    new RegExp(`<button class="status"[^>]* aria-label="${label}"[^>]*>(.*?)</button><div class="popup"[^>]*>(.*?)</div>`, 's').exec(text) ?? []
  expect(face).toContain('<span class="bad"><svg')
  expect(menu).toMatch(
    /<li><span class="bad"><svg.*?<\/svg><\/span> Failed: <a href="https:\/\/ci\.example\.org\/7" rel="nofollow noopener">build &lt;b&gt;<\/a>/s,
  )
  expect(menu).toContain('It broke &amp; burned')
  expect(menu).toMatch(new RegExp(`href="[^"]*/ada/engine/commit/${sha}#checks">Show all ${MANY} checks</a>`))
  expect(menu?.match(/<li>/g)).toHaveLength(5)
  expect(menu?.length).toBeLessThan(4000)
})

test('two branches at one commit have menus with different ids', async () => {
  const ids = [...(await browser.get('/ada/engine/branches?view=all')).text.matchAll(/ id="(checks-\d+)"/g)].map(([, id]) => id)
  expect(ids).toEqual(['checks-1', 'checks-2'])
})

test('the commit page and the pull request list 100 statuses, and lead to the others', async () => {
  const page = async (path: string) => /<details class="written" id="checks" open>(.*?)<\/details>/s.exec((await browser.get(path)).text)?.[1] ?? ''
  for (const path of [`commit/${sha}`, 'pulls/1']) {
    const html = await page(`/ada/engine/${path}`)
    expect(html).toContain(`<summary>${label}</summary><ul class="statuses"><li><span class="bad">`)
    expect(html.match(/<li>/g)).toHaveLength(100)
  }
  expect(await page('/ada/engine/pulls/1')).toContain(`/ada/engine/commit/${sha}#checks">Show all ${MANY} checks</a>`)
  const next = /rel="next" href="([^"]+)"/.exec(await page(`/ada/engine/commit/${sha}`))?.[1] as string
  expect(next).toEndWith('?checks=2#checks')
  expect((await page(next.replace('#checks', ''))).match(/<li>/g)).toHaveLength(MANY - 100)
})

test('every state has an icon, a color and a word', async () => {
  sha = (await asAda.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')).body.commit.id
  const states = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const
  for (const state of states) await say(`is ${state}`, state)
  const { text } = await browser.get(`/ada/engine/commit/${sha}`)
  const rows = [...text.matchAll(/<li><span class="(\w+)"><svg[^>]*><use href="[^"#]*#([\w-]+)"\/><\/svg><\/span> (\w+): is (\w+)<\/li>/g)]
  expect(rows.map(([, ...parts]) => parts.join(' '))).toEqual([
    'bad alert Error error',
    'bad x-circle-fill Failed failure',
    'warn alert Warning warning',
    'warn clock Pending pending',
    'good check-circle-fill Succeeded success',
    'faint skip Skipped skipped',
  ])
})

test('viewers who can read pull requests but not the code see no statuses in the list', async () => {
  await asAda.post('/orgs', { username: 'lab' })
  const { body: repo } = await asAda.post<{ name: string }>('/orgs/lab/repos', { name: 'secret', private: true, auto_init: true })
  const { head } = await openPull(asAda, { repo: 'lab/secret', title: 'A topic' })
  await asAda.post(`/repos/lab/secret/statuses/${head}`, { context: 'build', state: 'success' })
  const bob = await forge.person('bob')
  const team = { name: 'triage', permission: 'read', units_map: { 'repo.pulls': 'read' }, includes_all_repositories: true }
  const { body: made2 } = await asAda.post<{ id: number }>('/orgs/lab/teams', team)
  await asAda.put(`/teams/${made2.id}/members/bob`)
  const path = `/lab/${repo.name}/pulls`
  expect((await browser.get(path)).text).toContain('Checks: 1 succeeded')
  const { status, text } = await new TestBrowser(forge, bob).get(path)
  expect([status, text.includes('A topic'), text.includes('Checks:')]).toEqual([200, true, false])
})
