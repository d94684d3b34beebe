import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { TagProtection } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '/acme/engine/settings/tags'
const forge = testForge()
let ada: Person
let hers: TestBrowser
const read = async () => (await forge.asUser(ada).get<TagProtection[]>('/repos/acme/engine/tag_protections')).body

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  await forge.asUser(ada).post('/orgs/acme/repos', { name: 'engine' })
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('tags are protected for people and teams, differently, and no more', async () => {
  expect((await hers.post(AT, { name_pattern: 'v*', whitelist_usernames: 'bob', whitelist_teams: 'Owners' })).status).toBe(303)
  const [made] = await read()
  expect(made).toMatchObject({ name_pattern: 'v*', whitelist_usernames: ['bob'], whitelist_teams: ['Owners'] })
  expect((await hers.get(AT)).text).toContain('bob, team Owners')
  await hers.post(`${AT}/${made?.id}`, { name_pattern: '/^r\\d+$/', whitelist_usernames: 'bob, ada', whitelist_teams: '' })
  expect(await read()).toMatchObject([{ name_pattern: '/^r\\d+$/', whitelist_usernames: ['ada', 'bob'], whitelist_teams: [] }])
  await hers.post(`${AT}/${made?.id}/delete`)
  expect(await read()).toEqual([])
})

test('what was typed survives a refusal, in the form that it was typed into', async () => {
  const refused = await hers.post(AT, { name_pattern: `v* ${ATTACK}`, whitelist_usernames: 'nobody-here' })
  expect([
    refused.status,
    refused.text.includes('value="nobody-here"'),
    /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(refused.text),
  ]).toEqual([422, true, false])
  expect((await hers.post(AT, { name_pattern: 'v*', whitelist_usernames: '' })).status).toBe(400)
  await hers.post(AT, { name_pattern: ATTACK, whitelist_usernames: 'ada' })
  const [made] = await read()
  expect((await hers.get(AT)).text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  const again = await hers.post(`${AT}/${made?.id}`, { name_pattern: '/(/', whitelist_usernames: 'ada' })
  expect([again.status, again.text.includes('value="/(/"'), again.text.match(/role="alert"/g)?.length]).toEqual([422, true, 1])
})

test('others neither see nor change the protections, nor do other sites', async () => {
  const his = new TestBrowser(forge, await forge.person('dan'))
  const form = { name_pattern: 'x', whitelist_usernames: 'ada' }
  expect([(await his.get(AT)).status, (await his.post(AT, form)).status]).toEqual([403, 403])
  expect((await hers.post(AT, form, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})
