import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '/acme/engine/settings/teams'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await asAda.post('/orgs', { username: 'acme' })
  await asAda.post('/orgs/acme/repos', { name: 'engine' })
  for (const name of ['crew', 'guests']) await asAda.post('/orgs/acme/teams', { name, permission: 'write', units: ['repo.code'] })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, await forge.person('bob'))
  await asAda.put('/repos/acme/engine/collaborators/bob', { permission: 'admin' })
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a team reaches the repository, and no more; the one of all repositories stays', async () => {
  expect((await hers.post(AT, { name: ' Crew ' })).status).toBe(303)
  const { text } = await hers.get(AT)
  expect([text.includes('>crew</a>'), text.includes('aria-label="Remove: crew"'), text.includes('aria-label="Remove: Owners"')]).toEqual([true, true, false])
  expect((await hers.post(`${AT}/delete`, { name: 'crew' })).status).toBe(303)
  expect((await hers.get(AT)).text).not.toContain('>crew</a>')
  expect((await hers.post(`${AT}/delete`, { name: 'Owners' })).status).toBe(422)
})

test('what was typed survives a refusal', async () => {
  const refused = await hers.post(AT, { name: ATTACK })
  expect([
    refused.status,
    refused.text.includes('value="&quot;&gt;&lt;script&gt;'),
    /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(refused.text),
  ]).toEqual([404, true, false])
})

test('who administers the repository alone changes its teams only where the organization allows that', async () => {
  expect([(await his.get(AT)).status, (await his.get(AT)).text.includes('aria-label="Team name"'), (await his.post(AT, { name: 'guests' })).status]).toEqual([
    200,
    false,
    403,
  ])
  await asAda.patch('/orgs/acme', { repo_admin_change_team_access: true })
  expect((await his.post(AT, { name: 'guests' })).status).toBe(303)
  expect((await hers.post(AT, { name: 'crew' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})

test('a person has no teams', async () => {
  forge.repo(ada, 'own')
  expect((await hers.get('/ada/own/settings')).text).not.toContain('/settings/teams')
  expect((await hers.get('/ada/own/settings/teams')).status).toBe(405)
})
