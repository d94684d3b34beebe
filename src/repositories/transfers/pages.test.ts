import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
const AT = '/ada/engine/settings/transfer'
let now = 1_800_000_000
let forge: TestForge
let ada: Person
let hers: TestBrowser
let his: TestBrowser
let bob: Person

beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true })
  forge.repo(ada, 'empty')
  await forge.asUser(ada).post('/orgs', { username: 'acme' })
  bob = await forge.person('bob')
})
// A test moves the clock, after which the password is asked for.
beforeEach(() => {
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('what is offered is taken back, refused, or taken on its home; only the recipient is asked', async () => {
  const offer = { new_owner: 'bob', name: 'ada/engine' }
  expect((await hers.post(AT, offer)).headers.get('location')).toBe(AT)
  expect((await hers.get(AT)).text).toContain('A transfer to <a href="/bob">bob</a> is pending')
  expect((await hers.get('/ada/engine')).text).not.toContain('accept_transfer')
  expect((await his.get('/ada/engine')).text).toContain('accept_transfer')
  expect((await hers.post('/ada/engine/action/accept_transfer')).status).toBe(403)
  expect((await his.post(`${AT}/cancel`)).status).toBe(403)
  expect((await hers.post(`${AT}/cancel`)).status).toBe(303)
  expect((await his.post('/ada/engine/action/accept_transfer')).status).toBe(404)
  expect((await hers.post(`${AT}/cancel`)).status).toBe(404)
  await hers.post(AT, offer)
  expect((await his.post('/ada/engine/action/reject_transfer')).status).toBe(303)
  expect((await his.get('/ada/engine')).text).not.toContain('accept_transfer')
  await hers.post(AT, offer)
  const taken = await his.post('/ada/engine/action/accept_transfer')
  expect([taken.status, taken.headers.get('location')]).toEqual([303, '/bob/engine'])
  expect((await his.get('/bob/engine')).status).toBe(200)
})

test('it is given away only by who types its name and, after a while, the password; what was typed survives', async () => {
  const at = '/ada/empty/settings/transfer'
  now += 3600
  for (const [form, status] of [
    [{ new_owner: 'acme', name: 'empty' }, 422],
    [{ new_owner: 'acme', name: 'ada/empty' }, 403],
    [{ new_owner: 'acme', name: 'ada/empty', password: 'wrong' }, 403],
    [{ new_owner: `nobody ${ATTACK}`, name: 'ada/empty', password: PASSWORD }, 404],
  ] as const) {
    const refused = await hers.post(at, form)
    expect([
      refused.status,
      refused.text.includes(`value="${form.name}"`),
      /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(refused.text),
    ]).toEqual([status, true, false])
  }
  const foreign = await hers.post(at, { new_owner: 'acme', name: 'ada/empty', password: PASSWORD }, undefined, { Origin: 'https://evil.example' })
  expect(foreign.status).toBe(403)
  expect((await hers.post(at, { new_owner: 'acme', name: 'ada/empty', password: PASSWORD })).headers.get('location')).toBe('/acme/empty')
})

test('only owners see the page', async () => {
  forge.repo(bob, 'mill')
  await forge.asUser('bob').put('/repos/bob/mill/collaborators/ada', { permission: 'admin' })
  expect((await hers.get('/bob/mill/settings/transfer')).status).toBe(403)
  expect((await hers.get('/bob/mill/settings')).text).not.toContain('/settings/transfer')
  expect((await his.get('/bob/mill/settings')).text).toContain('/settings/transfer')
})
