import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { codeOf } from './one-time-code.fixture.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const PASSWORD = 'correct horse battery'
const SECURITY = '/user/settings/security'
const now = 1_800_000_000
let forge: TestForge
let ada: Person
beforeAll(async () => {
  forge = testForge({ security: { TWO_FACTOR_AUTH: 'enforced' } }, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  forge.repo(ada, 'engine', { private: true })
})
afterAll(() => forge[Symbol.asyncDispose]())

const basic = () => ({ Authorization: `Basic ${btoa(`ada:${PASSWORD}`)}` })

test('who has no second factor can do nothing by token, password or git, and is told what to do', async () => {
  for (const options of [{ as: ada }, { headers: basic() }]) {
    const { status, body } = await forge.asUser(options.as).send('GET /repos/ada/engine', options)
    expect([status, body.message]).toEqual([403, expect.stringContaining('/user/settings/security')])
  }
  const git = new Request('http://localhost/ada/engine.git/info/refs?service=git-upload-pack', { headers: basic() })
  expect((await forge.app.handle(git)).status).toBe(403)
})

test('a browser is led to where one is added, can sign out, and goes on once it is', async () => {
  const browser = new TestBrowser(forge)
  await browser.post('/user/login', { user_name: 'ada', password: PASSWORD })
  for (const path of ['/', '/ada/engine', '/user/settings/applications']) {
    const { status, headers } = await browser.get(path)
    expect([status, headers.get('location')]).toEqual([303, SECURITY])
  }
  expect((await browser.get(SECURITY)).status).toBe(200)
  const { text } = await browser.get(`${SECURITY}/two_factor/enroll`)
  const secret = /<dd><code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? ''
  const offer = /name="offer" value="([^"]*)"/.exec(text)?.[1] ?? ''
  expect((await browser.post(`${SECURITY}/two_factor/enroll`, { offer, passcode: codeOf(secret, now) })).status).toBe(200)
  expect((await browser.get('/ada/engine')).status).toBe(200)
  expect((await forge.asUser(ada).get('/repos/ada/engine')).status).toBe(200)
})

test('who must change the password does that first', async () => {
  const carl = await forge.person('carl', { password: PASSWORD, mustChangePassword: true })
  const browser = new TestBrowser(forge, carl)
  expect((await browser.get('/')).headers.get('location')).toBe('/user/settings/change_password')
})

test('visitors see what they saw, and accounts whose source does without go on', async () => {
  const bob = await forge.person('bob', { password: PASSWORD })
  const { plugs } = forge.context.authenticator
  plugs.passwordSources = { ...plugs.passwordSources, skipsSecondFactor: ({ id }) => id === bob.row.id }
  expect((await forge.asUser(bob).get('/user')).status).toBe(200)
  expect((await new TestBrowser(forge).get('/explore/repos')).status).toBe(200)
})
