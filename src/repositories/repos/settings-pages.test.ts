import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

const PASSWORD = 'correct horse battery'
let now = 1_800_000_000
let forge: TestForge
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  await forge.person('bob')
})
beforeEach(async () => {
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  hers = new TestBrowser(forge, ada)
})
afterEach(() => forge.asUser(ada).delete('/repos/ada/engine'))
afterAll(() => forge[Symbol.asyncDispose]())

type Record = { description: string; has_wiki: boolean; has_issues: boolean; allow_rebase: boolean; private: boolean; archived: boolean }
const read = async (name = 'engine') => (await forge.asUser(ada).get<Record>(`/repos/ada/${name}`)).body

test('what is ticked is on, what is not is off, and a new name leads to the new address', async () => {
  const form = { name: 'motor', description: 'It runs', website: '', default_branch: 'main', has_issues: 'true', allow_merge_commits: 'true' }
  const saved = await hers.post('/ada/engine/settings', form)
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/ada/motor/settings'])
  expect(await read('motor')).toMatchObject({ description: 'It runs', has_issues: true, has_wiki: false, allow_rebase: false })
  const refused = await hers.post('/ada/motor/settings', { ...form, description: 'Typed', default_branch: 'absent', has_wiki: 'true' })
  expect([refused.status, refused.text.includes('value="Typed"'), refused.text.includes('name="has_wiki" value="true" checked')]).toEqual([422, true, true])
  await hers.post('/ada/motor/settings', { ...form, name: 'engine' })
})

test('how issues are worked on and what is offered first to merge are settings, too', async () => {
  const form = {
    name: 'engine',
    description: '',
    website: '',
    default_branch: 'main',
    has_issues: 'true',
    has_pull_requests: 'true',
    allow_squash_merge: 'true',
  }
  const tracker = { enable_issue_dependencies: 'true', allow_only_contributors_to_track_time: 'true' }
  expect((await hers.post('/ada/engine/settings', { ...form, ...tracker, default_merge_style: 'squash' })).status).toBe(303)
  const { body } = await forge.asUser(ada).get<{ default_merge_style: string; internal_tracker: object }>('/repos/ada/engine')
  expect(body).toMatchObject({
    default_merge_style: 'squash',
    internal_tracker: { enable_issue_dependencies: true, enable_time_tracker: false, allow_only_contributors_to_track_time: true },
  })
  const { text } = await hers.get('/ada/engine/settings')
  expect(text).toContain('<option value="squash" selected>')
  expect(text).toContain('name="enable_issue_dependencies" value="true" checked')
  expect(text).not.toContain('name="enable_time_tracker" value="true" checked')
})

test('an archived repository can be taken out again', async () => {
  await hers.post('/ada/engine/settings/danger', { action: 'archive' })
  expect((await read()).archived).toBe(true)
  await hers.post('/ada/engine/settings/danger', { action: 'unarchive' })
  expect((await read()).archived).toBe(false)
})

test('collaborators are added, changed and removed', async () => {
  expect((await hers.post('/ada/engine/settings/collaboration', { name: 'bob', level: 'read' })).status).toBe(303)
  await hers.post('/ada/engine/settings/collaboration', { name: 'bob', level: 'admin' })
  expect((await hers.get('/ada/engine/settings/collaboration')).text).toContain('<a href="/bob">bob</a> <span class="mark">Admin</span>')
  expect((await hers.post('/ada/engine/settings/collaboration', { name: 'nobody-here', level: 'read' })).status).toBeGreaterThanOrEqual(400)
  await hers.post('/ada/engine/settings/collaboration/delete', { name: 'bob' })
  expect((await hers.get('/ada/engine/settings/collaboration')).text).not.toContain('href="/bob"')
})

test('of very many collaborators a page shows some, and leads to the others', async () => {
  const { db } = forge.context
  const people = await Promise.all(Array.from({ length: 55 }, (_, n) => forge.person(`fellow${n}`)))
  const { id } = (await forge.asUser(ada).get<{ id: number }>('/repos/ada/engine')).body
  db.tx((tx) => {
    for (const one of people) tx.run("INSERT INTO collaboration (repo_id, user_id, level) VALUES (?, ?, 'read')", id, one.row.id)
  })
  const at = '/ada/engine/settings/collaboration'
  const pages = await Promise.all([at, `${at}?page=2`].map(async (path) => (await hers.get(path)).text))
  expect(pages.map((text) => text.match(/aria-label="Remove: fellow/g)?.length)).toEqual([50, 5])
})

test('it is deleted only by who types its name and, a while after signing in, the password', async () => {
  now += 3600
  const name = 'ada/engine'
  expect((await hers.post('/ada/engine/settings/danger', { action: 'delete', name: 'engine', password: PASSWORD })).status).toBe(422)
  expect((await hers.post('/ada/engine/settings/danger', { action: 'delete', name })).status).toBe(403)
  expect((await hers.post('/ada/engine/settings/danger', { action: 'delete', name, password: PASSWORD })).status).toBe(303)
  expect((await hers.get('/ada/engine')).status).toBe(404)
})

test('only administrators see the settings', async () => {
  await forge.asUser(ada).post('/user/repos', { name: 'other' })
  const his = new TestBrowser(forge, await forge.person('carl'))
  expect((await his.get('/ada/other/settings')).status).toBe(403)
  expect((await his.get('/ada/other')).text).not.toContain('/ada/other/settings')
})
