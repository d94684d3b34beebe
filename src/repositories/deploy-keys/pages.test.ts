import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { ed25519Key } from '../../../test/ssh-keys.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
const AT = '/ada/engine/settings/keys'
let now = 1_800_000_000
let forge: TestForge
let ada: Person
let hers: TestBrowser

interface Key {
  id: number
  title: string
  read_only: boolean
}
const read = async () => (await forge.asUser(ada).get<Key[]>('/repos/ada/engine/keys')).body

beforeAll(async () => {
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  forge.repo(ada, 'engine')
})
// A test moves the clock, after which the password is asked for.
beforeEach(() => {
  hers = new TestBrowser(forge, ada)
  forge.context.db.tx((tx) => tx.run('DELETE FROM deploy_key'))
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a key is added, shown with its fingerprint, and deleted; it only reads unless that is said', async () => {
  expect((await hers.post(AT, { title: ATTACK, key: ed25519Key(1) })).status).toBe(303)
  expect((await hers.post(AT, { title: 'pusher', key: ed25519Key(2), may_push: 'true' })).status).toBe(303)
  expect(await read()).toMatchObject([
    { title: ATTACK, read_only: true },
    { title: 'pusher', read_only: false },
  ])
  const { text } = await hers.get(AT)
  expect(text).toContain('SHA256:')
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  for (const { id } of await read()) await hers.post(`${AT}/${id}/delete`)
  expect(await read()).toEqual([])
})

test('what was typed survives a refusal, and after a while the password is asked for', async () => {
  const bad = await hers.post(AT, { title: 'Mine', key: 'ssh-rsa no key' })
  expect([bad.status, bad.text.includes('value="Mine"'), bad.text.includes('ssh-rsa no key')]).toEqual([422, true, true])
  now += 3600
  const late = { title: 'late', key: ed25519Key(3) }
  const refused = await hers.post(AT, late)
  expect([refused.status, refused.text.includes('name="password"'), refused.text.includes(late.key)]).toEqual([403, true, true])
  expect((await hers.post(AT, { ...late, password: PASSWORD })).status).toBe(303)
})

test('others neither see nor change the keys, nor do other sites', async () => {
  const his = new TestBrowser(forge, await forge.person('bob'))
  expect([(await his.get(AT)).status, (await his.post(AT, { title: 'x', key: ed25519Key(4) })).status]).toEqual([403, 403])
  expect((await hers.post(AT, { title: 'x', key: ed25519Key(4) }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})
