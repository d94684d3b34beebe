import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { createMessage, generateKey, type PrivateKey, sign } from 'openpgp'
import type { Database } from '#kernel/db.ts'
import { deleteUser } from '#site/admin/index.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { signatureThread } from './signatures.ts'
import { adaKey, eveKey, goneKey, weakKey } from './vectors.fixture.ts'

interface Key {
  id: number
  key_id: string
  verified: boolean
  emails: { email: string; verified: boolean }[] | null
  subkeys: Key[]
  message: string
}

let now: number
let forge: TestForge
let db: Database
let ada: Person
let bob: Person
let root: Person
beforeEach(async () => {
  now = Date.parse('2026-06-01T12:00:00Z')
  forge = testForge({}, { clock: { seconds: () => Math.floor(now / 1000), millis: () => now } })
  db = forge.context.db
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  root = await forge.person('root1', { isAdmin: true })
})
afterEach(() => forge[Symbol.asyncDispose]())
afterAll(() => signatureThread.stop())

/** A key for this address, and what it signs with. */
async function newKey(email: string): Promise<{ armored: string; privateKey: PrivateKey }> {
  const { privateKey } = await generateKey({ userIDs: [{ email }], date: new Date(now - 1000), format: 'object' })
  return { armored: privateKey.toPublic().armor(), privateKey }
}
const signText = async (text: string, signingKeys: PrivateKey) =>
  sign({ message: await createMessage({ binary: new TextEncoder().encode(text) }), signingKeys, detached: true, date: new Date(now) })
const add = (as: Person, armored: string, signature?: string) =>
  forge.asUser(as).post<Key>('/user/gpg_keys', { armored_public_key: armored, armored_signature: signature })
const tokenOf = async (as: Person) => (await forge.asUser(as).get<string>('/user/gpg_key_token')).body
const rows = () => ['gpg_key', 'gpg_key_identity'].map((table) => db.all(`SELECT * FROM ${table}`))

test('a key is added to the account whose address it names, and is public from then on', async () => {
  const { status, body } = await add(ada, adaKey)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: body.id,
    primary_key_id: '',
    key_id: 'AB40A7D184DE5E18',
    public_key: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    emails: [{ email: 'ada@example.org', verified: true }],
    subkeys: [expect.objectContaining({ primary_key_id: 'AB40A7D184DE5E18', can_sign: false, can_encrypt_comms: true, emails: null, subkeys: null })],
    can_sign: true,
    can_encrypt_comms: false,
    can_encrypt_storage: false,
    can_certify: true,
    verified: false,
    created_at: '2024-01-01T00:00:00Z',
    expires_at: '1970-01-01T00:00:00Z',
  } as never)
  expect((await forge.asUser(ada).get<Key>(`/user/gpg_keys/${body.id}`)).body).toEqual(body)
  const list = await forge.asUser(ada).get<Key[]>('/user/gpg_keys?page=0&limit=0')
  expect([list.body, list.headers.get('x-total-count')]).toEqual([[body], '1'])
  expect((await forge.asUser(bob).get<Key[]>('/users/ADA/gpg_keys')).body).toEqual([body])
  expect((await forge.get<Key[]>('/users/ada/gpg_keys')).body).toEqual([{ ...body, emails: null as never }])
})

test('addresses that their owner hides are shown to nobody else', async () => {
  await add(ada, adaKey)
  const emails = async (as: Person) => ((await forge.asUser(as).get<Key[]>('/users/ada/gpg_keys')).body[0] as Key).emails?.length ?? 0
  db.tx((tx) => tx.update('user', ada.row.id, { hide_email: 1 }))
  expect([await emails(bob), await emails(ada), await emails(root)]).toEqual([0, 1, 1])
})

test('a key that is known, for another address, weak or revoked changes nothing', async () => {
  await add(ada, adaKey)
  const before = rows()
  const refused = async (as: Person, armored: string) => {
    const { status, body } = await add(as, armored)
    return [status, body.message]
  }
  expect(await refused(ada, adaKey)).toEqual([422, 'A key with the same id already exists'])
  expect(await refused(bob, adaKey)).toEqual([422, 'A key with the same id already exists'])
  expect(await refused(bob, eveKey)).toEqual([404, expect.stringMatching(/^None of the emails .* signature for the token: [0-9a-f]{64}$/)])
  expect(await refused(bob, goneKey)).toEqual([422, 'Cannot use the GPG key: it was revoked'])
  expect(await refused(bob, weakKey)).toEqual([422, 'Cannot use the GPG key: key length is not enough: got 1024, needs 2048'])
  expect(rows()).toEqual(before)
})

const badBodies: [name: string, body: unknown, message: string][] = [
  ['nothing', {}, '[armored_public_key]: '],
  ['null', null, ''],
  ['a number', { armored_public_key: 5 }, '[armored_public_key]: '],
  ['garbage', { armored_public_key: 'garbage' }, 'Cannot use the GPG key: it is not an ASCII-armored OpenPGP key'],
  ['a megabyte', { armored_public_key: 'x'.repeat(1_000_000) }, 'The request body is too large'],
  ['a long signature', { armored_public_key: adaKey, armored_signature: 'x'.repeat(20_000) }, '[armored_signature]: '],
  ['no signature', { armored_public_key: eveKey, armored_signature: 'garbage' }, 'The provided GPG key, signature and token do not match'],
]

test.each(badBodies)('a body with %s is refused, and why is said', async (_, body, message) => {
  const before = rows()
  const reply = await forge.asUser(ada).post('/user/gpg_keys', body)
  expect(reply.status).toBe(message.startsWith('The request body is too large') ? 413 : 422)
  expect(reply.body.message).toStartWith(message)
  expect(rows()).toEqual(before)
})

test('a signature of the token adds a key for any address, while the token is good', async () => {
  const { armored, privateKey } = await newKey('elsewhere@example.net')
  const token = await tokenOf(bob)
  for (const wrong of [await tokenOf(ada), 'x', `${token}x`]) expect((await add(bob, armored, await signText(wrong, privateKey))).status).toBe(422)
  const other = await newKey('bob@example.org')
  expect((await add(bob, armored, await signText(token, other.privateKey))).status).toBe(422)
  const signature = await signText(`${token}\n`, privateKey)
  const signedAt = now
  now += 120_000
  expect((await add(bob, armored, signature)).status).toBe(422)
  now = signedAt + 60_000
  const { status, body } = await add(bob, armored, signature)
  expect([status, body.verified, body.emails]).toEqual([201, true, null])
})

test('a key is verified later by a signature of the token, once it is by that key', async () => {
  const { armored, privateKey } = await newKey('ada@example.org')
  const { body: key } = await add(ada, armored)
  const verify = (as: Person, keyId: string, signature: string) =>
    forge.asUser(as).post<Key>('/user/gpg_key_verify', { key_id: keyId, armored_signature: signature })
  const other = await newKey('ada@example.org')
  const good = await signText(await tokenOf(ada), privateKey)
  expect((await verify(ada, key.key_id, await signText(await tokenOf(ada), other.privateKey))).status).toBe(422)
  expect((await verify(ada, key.key_id, 'garbage')).status).toBe(422)
  expect((await verify(bob, key.key_id, good)).status).toBe(404)
  for (const id of ['0000000000000000', 'x', (key.subkeys[0] as Key).key_id]) expect((await verify(ada, id, good)).status).toBe(404)
  expect((await verify(ada, 'x'.repeat(17), good)).status).toBe(422)
  const { status, body } = await verify(ada, key.key_id.toLowerCase(), good)
  expect([status, body]).toEqual([201, { ...key, verified: true }])
})

test('keys are told apart by their owners, and gone with what they hang on', async () => {
  await add(ada, adaKey)
  const eve = await forge.person('eve')
  const key = (await add(eve, eveKey)).body
  for (const id of [key.id, 0, 'x', '1e3', '99999999999999999999']) {
    for (const [method, status] of [
      ['GET', 404],
      ['DELETE', 204],
    ])
      expect((await forge.asUser(bob).send(`${method} /user/gpg_keys/${id}`)).status).toBe(status as number)
  }
  const withSubkey = (await forge.asUser(ada).get<Key[]>('/user/gpg_keys')).body[0] as Key
  expect((await forge.asUser(ada).delete(`/user/gpg_keys/${(withSubkey.subkeys[0] as Key).id}`)).status).toBe(204)
  expect((await forge.asUser(ada).get<Key>(`/user/gpg_keys/${withSubkey.id}`)).body).toEqual(withSubkey)
  expect((await forge.asUser(ada).delete(`/user/gpg_keys/${withSubkey.id}`)).status).toBe(204)
  expect((await forge.asUser(ada).delete(`/user/gpg_keys/${withSubkey.id}`)).status).toBe(204)
  expect(db.all('SELECT id FROM gpg_key WHERE id = ? OR primary_id = ?', withSubkey.id, withSubkey.id)).toEqual([])
  await deleteUser(forge.context, eve.row, { purge: false })
  expect(db.all('SELECT id FROM gpg_key WHERE user_id = ?', eve.row.id)).toEqual([])
})

test('an address lists with its key only while it is the account’s', async () => {
  const dan = await forge.person('dan')
  const { armored } = await newKey('dan@example.org')
  await add(dan, armored)
  const emails = async () => ((await forge.asUser(dan).get<Key[]>('/user/gpg_keys')).body[0] as Key).emails
  expect(await emails()).toEqual([{ email: 'dan@example.org', verified: true }])
  db.tx((tx) => tx.run('UPDATE email_address SET is_verified = 0 WHERE user_id = ?', dan.row.id))
  expect(await emails()).toBeNull()
})

test('the gate: visitors, wrong scopes, hidden accounts', async () => {
  for (const line of ['GET /user/gpg_keys', 'POST /user/gpg_keys', 'GET /user/gpg_keys/1', 'DELETE /user/gpg_keys/1', 'GET /user/gpg_key_token'])
    expect([line, (await forge.send(line)).status]).toEqual([line, 401])
  expect((await forge.post('/user/gpg_key_verify')).status).toBe(401)
  const reading = forge.token(ada, 'read:user')
  expect((await forge.asUser(reading).get('/user/gpg_keys')).status).toBe(200)
  expect((await forge.asUser(forge.token(ada, 'write:repository')).get('/user/gpg_keys')).status).toBe(403)
  for (const path of ['gpg_keys', 'gpg_key_verify']) expect((await forge.asUser(reading).post(`/user/${path}`, {})).status).toBe(403)
  const hidden = await forge.person('hidden', { visibility: 'private' })
  expect((await forge.asUser(bob).get('/users/hidden/gpg_keys')).status).toBe(404)
  expect((await forge.asUser(hidden).get('/users/hidden/gpg_keys')).status).toBe(200)
  expect((await forge.get('/users/nobody/gpg_keys')).status).toBe(404)
})

test('the token is text, and this server has no key of its own', async () => {
  const token = await forge.asUser(ada).get('/user/gpg_key_token')
  expect([token.status, token.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  forge.repo(ada, 'engine')
  forge.repo(ada, 'secret', { private: true })
  for (const path of ['/signing-key.gpg', '/signing-key.pub', '/signing-key.ssh', '/repos/ada/engine/signing-key.gpg', '/repos/ada/engine/signing-key.pub']) {
    const { status, body } = await forge.get(path)
    expect([path, status, body.message]).toEqual([path, 404, 'no signing key'])
  }
  expect((await forge.get('/repos/ada/secret/signing-key.gpg')).body.message).not.toBe('no signing key')
})
