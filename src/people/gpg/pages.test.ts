import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { createMessage, generateKey, type PrivateKey, sign } from 'openpgp'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { signatureThread } from './signatures.ts'

const AT = '/user/settings/gpg'
const PASSWORD = 'correct horse battery'
let now: number
let forge: TestForge
let ada: Person
let hers: TestBrowser

interface Key {
  id: number
  key_id: string
  verified: boolean
}
const read = async () => (await forge.asUser(ada).get<Key[]>('/user/gpg_keys')).body

beforeEach(async () => {
  now = Date.parse('2026-06-01T12:00:00Z') / 1000
  forge = testForge({}, { clock: { seconds: () => now, millis: () => now * 1000 } })
  ada = await forge.person('ada', { password: PASSWORD })
  hers = new TestBrowser(forge, ada)
})
afterEach(() => forge[Symbol.asyncDispose]())
afterAll(() => signatureThread.stop())

async function newKey(email: string): Promise<{ armored: string; privateKey: PrivateKey }> {
  const { privateKey } = await generateKey({ userIDs: [{ email }], date: new Date((now - 1) * 1000), format: 'object' })
  return { armored: privateKey.toPublic().armor(), privateKey }
}

/** Of the token that the page shows. */
async function signature(signingKeys: PrivateKey): Promise<string> {
  const [, token = ''] = /echo &quot;([0-9a-f]{64})&quot;/.exec((await hers.get(AT)).text) ?? []
  const message = await createMessage({ binary: new TextEncoder().encode(`${token}\n`) })
  return String(await sign({ message, signingKeys, detached: true, date: new Date(now * 1000) }))
}

test('a key of a confirmed address is added, shown to be one’s own by a signature, and deleted', async () => {
  const { armored, privateKey } = await newKey('ada@example.org')
  expect((await hers.post(AT, { armored_public_key: armored, armored_signature: '' })).status).toBe(303)
  const [key] = await read()
  expect((await hers.get(AT)).text).toContain(`<code>${key?.key_id}</code>`)
  const wrong = await hers.post(`${AT}/verify`, { key_id: key?.key_id ?? '', armored_signature: 'no signature' })
  expect([wrong.status, wrong.text.includes('no signature'), wrong.text.match(/role="alert"/g)?.length]).toEqual([422, true, 1])
  expect((await hers.post(`${AT}/verify`, { key_id: key?.key_id ?? '', armored_signature: await signature(privateKey) })).status).toBe(303)
  expect(await read()).toMatchObject([{ verified: true }])
  expect((await hers.get(AT)).text).toContain('>Verified<')
  await hers.post(`${AT}/${key?.id}/delete`)
  expect(await read()).toEqual([])
}, 20_000)

test('a key of another address wants the signature of what the page shows; what was typed survives', async () => {
  const { armored, privateKey } = await newKey('other@example.org')
  const refused = await hers.post(AT, { armored_public_key: armored })
  expect([refused.status, refused.text.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')]).toEqual([404, true])
  expect((await hers.post(AT, { armored_public_key: '<script>alert(1)</script>' })).text).not.toContain('<script>alert')
  expect((await hers.post(AT, { armored_public_key: armored, armored_signature: await signature(privateKey) })).status).toBe(303)
  expect(await read()).toMatchObject([{ verified: true }])
}, 20_000)

test('after a while the password is asked for, and other sites add nothing', async () => {
  const { armored } = await newKey('ada@example.org')
  expect((await hers.post(AT, { armored_public_key: armored }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  now += 3600
  const refused = await hers.post(AT, { armored_public_key: armored })
  expect([refused.status, refused.text.includes('name="password"')]).toEqual([403, true])
  expect((await hers.post(AT, { armored_public_key: armored, password: PASSWORD })).status).toBe(303)
}, 20_000)
