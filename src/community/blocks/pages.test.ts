import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const places = ['/user/settings/blocked_users', '/org/acme/settings/blocked_users']
const forge = testForge()
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

test.each(places)('at %s somebody is kept away with a note, and let in again', async (at) => {
  for (const _ of 'twice') expect((await hers.post(at, { name: ' bob ', note: ATTACK })).status).toBe(303)
  const { text } = await hers.get(at)
  expect([text.includes('href="/bob"'), text.includes('&lt;script&gt;'), /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text)]).toEqual([
    true,
    true,
    false,
  ])
  expect((await hers.post(`${at}/delete`, { name: 'bob' })).status).toBe(303)
  expect((await hers.get(at)).text).toContain('No blocked users')
})

test.each(places)('at %s what was typed survives a refusal', async (at) => {
  for (const [name, status] of [
    ['nobody', 404],
    ['ada', 422],
    ['acme', 422],
  ] as const) {
    const refused = await hers.post(at, { name, note: 'Typed' })
    expect([refused.status, refused.text.includes('value="Typed"'), refused.text.includes(`value="${name}"`)]).toEqual([status, true, true])
  }
  expect((await hers.post(at, { name: 'bob' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})

test('who does not own an organization blocks nobody from it', async () => {
  const his = new TestBrowser(forge, await forge.person('carl'))
  expect([(await his.get(places[1] ?? '')).status, (await his.post(places[1] ?? '', { name: 'bob' })).status]).toEqual([403, 403])
})
