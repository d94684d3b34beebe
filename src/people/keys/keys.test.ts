import { afterAll, expect, test } from 'bun:test'
import { deleteRepo } from '#repositories/repos/index.ts'
import { testForge } from '../../../test/harness.ts'

interface Key {
  id: number
  key_id: number
  title: string
}

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const { db } = context
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const bob = await forge.person('bob')
const people = {
  anonymous: undefined,
  stranger: bob,
  reader: await forge.person('reader'),
  writer: await forge.person('writer'),
  admin: await forge.person('admin1'),
  owner: ada,
  root: await forge.person('root1', { isAdmin: true }),
}
forge.repo(ada, 'engine')
forge.repo(ada, 'secret', { private: true })
for (const repo of ['engine', 'secret']) {
  for (const [name, permission] of Object.entries({ reader: 'read', writer: 'write', admin1: 'admin' })) {
    await asAda.put(`/repos/ada/${repo}/collaborators/${name}`, { permission })
  }
}

let made = 0
/** A key that no one has: ed25519 takes any 32 bytes. */
function newKey(): string {
  const blob = Buffer.concat([Buffer.from('0000000b7373682d6564323535313900000020', 'hex'), Buffer.alloc(32, 7)])
  blob.writeUInt32BE(++made, blob.length - 4)
  return `ssh-ed25519 ${blob.toString('base64')} key${made}`
}
const add = (path: string, as = ada, body: object = {}) =>
  forge.asUser(as).post<Key & { message: string }>(path, { title: `key ${made}`, key: newKey(), ...body })
const rows = () => ['public_key', 'deploy_key'].map((table) => db.all(`SELECT * FROM ${table} ORDER BY id`))
const ids = (list: Key[]) => list.map((key) => key.id)

const first = (await add('/repos/ada/engine/keys')).body
const inSecret = (await add('/repos/ada/secret/keys')).body

/** anonymous, stranger, reader, writer, admin, owner, root: in the public repository, then in the private one. */
const matrix: [line: string, open: number[], closed: number[]][] = [
  ['GET /keys', [401, 403, 403, 403, 200, 200, 200], [404, 404, 403, 403, 200, 200, 200]],
  ['GET /keys/ID', [401, 403, 403, 403, 200, 200, 200], [404, 404, 403, 403, 200, 200, 200]],
  ['POST /keys', [401, 403, 403, 403, 422, 422, 422], [404, 404, 403, 403, 422, 422, 422]],
  ['DELETE /keys/999', [401, 403, 403, 403, 204, 204, 204], [404, 404, 403, 403, 204, 204, 204]],
]

test.each(matrix)('deploy keys: %s', async (line, open, closed) => {
  const before = rows()
  const [method, path] = line.split(' ') as [string, string]
  for (const [repo, id, expected] of [
    ['engine', first.id, open],
    ['secret', inSecret.id, closed],
  ] as const) {
    const statuses = []
    const address = `/repos/ada/${repo}${path.replace('ID', String(id))}`
    for (const person of Object.values(people)) {
      statuses.push((await forge.asUser(person).send(`${method} ${address}`, { body: method === 'POST' ? { title: 'x', key: 'x' } : undefined })).status)
    }
    expect(statuses).toEqual([...expected])
  }
  expect(rows()).toEqual(before)
})

test('a deploy key is shown with its repository and found by key id and by fingerprint', async () => {
  forge.repo(ada, 'shown')
  await add('/repos/ada/shown/keys')
  const key = newKey()
  const { status, body } = await add('/repos/ada/shown/keys', ada, { title: 'ci', key: `${key}\n`, read_only: true })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    title: 'ci',
    key,
    read_only: true,
    url: `http://localhost:3000/api/v1/repos/ada/shown/keys/${body.id}`,
    repository: { full_name: 'ada/shown' },
  })
  const { fingerprint } = body as unknown as { fingerprint: string }
  expect(fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  const found = async (query: string) => ids((await asAda.get<Key[]>(`/repos/ada/shown/keys?${query}`)).body)
  expect(await found(`key_id=${body.key_id}`)).toEqual([body.id])
  expect(await found(`fingerprint=${encodeURIComponent(fingerprint)}`)).toEqual([body.id])
  for (const query of ['key_id=999', 'key_id=x', 'fingerprint=SHA256:x', `fingerprint=${encodeURIComponent("' OR 1=1 --")}`])
    expect(await found(query)).toEqual([])
  const page = await asAda.get<Key[]>('/repos/ada/shown/keys?limit=1&page=2')
  expect([ids(page.body), page.headers.get('x-total-count')]).toEqual([[body.id], '2'])
  expect((await asAda.get<Key>(`/repos/ada/shown/keys/${body.id}`)).body).toMatchObject(body)
})

test('without read_only a deploy key can write', async () => {
  expect((await add('/repos/ada/engine/keys')).body).toMatchObject({ read_only: false })
})

test('one key may open many repositories, each once, and no account meanwhile', async () => {
  const key = newKey()
  const one = (await add('/repos/ada/engine/keys', ada, { title: 'shared', key })).body
  const two = (await add('/repos/ada/secret/keys', ada, { title: 'shared', key })).body
  expect(two.key_id).toBe(one.key_id)
  const refused = async (path: string, body: object) => {
    const before = rows()
    const reply = await add(path, ada, body)
    expect(rows()).toEqual(before)
    return [reply.status, reply.body.message]
  }
  expect(await refused('/repos/ada/engine/keys', { title: 'again', key })).toEqual([422, 'This key has already been added to this repository'])
  expect(await refused('/repos/ada/engine/keys', { title: 'shared' })).toEqual([422, 'A key with the same name already exists'])
  expect(await refused('/user/keys', { key })).toEqual([422, 'Key content has been used as non-deploy key'])
  for (const [repo, { id }] of Object.entries({ engine: one, secret: two })) {
    expect((await add('/user/keys', bob, { key })).status).toBe(422)
    expect((await asAda.delete(`/repos/ada/${repo}/keys/${id}`)).status).toBe(204)
  }
  expect((await add('/user/keys', bob, { title: 'mine now', key })).status).toBe(201)
  expect(await refused('/repos/ada/engine/keys', { key })).toEqual([422, 'Key content has been used as non-deploy key'])
})

const badKeys: [name: string, body: object, message: string][] = [
  ['no key', { title: 'x' }, '[key]: '],
  ['no title', { key: newKey() }, '[title]: '],
  ['an empty title', { title: '', key: newKey() }, '[title]: '],
  ['a long title', { title: 'x'.repeat(256), key: newKey() }, '[title]: '],
  ['no key at all', { title: 'x', key: 'ssh-ed25519 AAAA' }, 'Invalid key content: '],
  ['two lines', { title: 'x', key: `${newKey()}\n${newKey()}` }, 'Invalid key content: '],
  ['a long key', { title: 'x', key: 'x'.repeat(20_000) }, '[key]: '],
  ['a number', { title: 'x', key: 5 }, '[key]: '],
]

test.each(badKeys)('%s is 422, of a person and of a repository', async (_, body, message) => {
  const before = rows()
  for (const path of ['/user/keys', '/repos/ada/engine/keys']) {
    const reply = await asAda.post(path, body)
    expect(reply.status).toBe(422)
    expect(reply.body.message).toStartWith(message)
  }
  expect(rows()).toEqual(before)
})

test("another repository's key is not there, and stays", async () => {
  for (const id of [inSecret.id, 0, -1, 'x', '1e3', '99999999999999999999', '%ff']) {
    expect((await asAda.get(`/repos/ada/engine/keys/${id}`)).status).toBe(404)
    await asAda.delete(`/repos/ada/engine/keys/${id}`)
  }
  expect((await asAda.get(`/repos/ada/secret/keys/${inSecret.id}`)).status).toBe(200)
})

test('a person lists, gets and deletes their own keys, no one else’s', async () => {
  const mine = (await add('/user/keys', people.reader, { title: 'laptop', read_only: true })).body
  const theirs = (await add('/user/keys', people.writer, { title: 'laptop' })).body
  expect(mine).toMatchObject({
    title: 'laptop',
    read_only: true,
    key_type: 'user',
    user: { login: 'reader' },
    url: `http://localhost:3000/api/v1/user/keys/${mine.id}`,
  })
  const list = await forge.asUser(people.reader).get<Key[]>('/user/keys?page=0&limit=0')
  expect([list.body as unknown, list.headers.get('x-total-count')]).toEqual([[mine], '1'])
  expect((await forge.asUser(people.reader).get(`/user/keys/${mine.id}`)).body as unknown).toEqual(mine)
  for (const id of [theirs.id, first.key_id, 'x']) {
    for (const method of ['GET', 'DELETE']) expect((await forge.asUser(people.reader).send(`${method} /user/keys/${id}`)).status).toBe(404)
  }
  expect((await add('/user/keys', people.reader, { title: 'laptop' })).body.message).toBe('Key title has been used')
  expect((await forge.asUser(people.reader).delete(`/user/keys/${mine.id}`)).status).toBe(204)
  expect((await forge.asUser(people.writer).get(`/user/keys/${theirs.id}`)).status).toBe(200)
})

test('keys of a person are public, their last use is not; hidden people have none', async () => {
  const eve = await forge.person('eve')
  const key = (await add('/user/keys', eve, { title: 'one' })).body
  db.tx((tx) => tx.update('public_key', key.id, { last_used_at: 1_700_000_000 }))
  const lastUse = async (as?: typeof eve) => (await forge.asUser(as).get<{ last_used_at: string }[]>('/users/EVE/keys')).body.map((one) => one.last_used_at)
  const never = (key as unknown as { created_at: string }).created_at
  expect([await lastUse(), await lastUse(bob)]).toEqual([[never], [never]])
  expect([await lastUse(eve), await lastUse(people.root)]).toEqual([['2023-11-14T22:13:20Z'], ['2023-11-14T22:13:20Z']])
  expect((await forge.get<Key[]>('/users/eve/keys?fingerprint=SHA256:none')).body).toEqual([])
  db.tx((tx) => tx.update('user', eve.row.id, { visibility: 'private' }))
  for (const as of [undefined, bob]) expect((await forge.asUser(as).get('/users/eve/keys')).status).toBe(404)
  expect((await forge.get('/users/nobody/keys')).status).toBe(404)
})

test('visitors and tokens without the scope are refused', async () => {
  for (const line of ['GET /user/keys', 'POST /user/keys', 'GET /user/keys/1', 'DELETE /user/keys/1']) expect((await forge.send(line)).status).toBe(401)
  const wrong = forge.token(ada, 'write:repository')
  const reading = forge.token(ada, 'read:user', 'read:repository')
  expect((await forge.asUser(wrong).get('/user/keys')).status).toBe(403)
  expect((await forge.asUser(reading).get('/user/keys')).status).toBe(200)
  for (const path of ['/user/keys', '/repos/ada/engine/keys']) expect((await forge.asUser(reading).post(path, {})).status).toBe(403)
  expect((await forge.asUser(forge.token(ada, 'write:user')).get('/repos/ada/engine/keys')).status).toBe(403)
})

test('a repository takes its deploy keys with it, and a key that others use too stays for them', async () => {
  const doomed = forge.repo(ada, 'doomed')
  const [shared, own] = [newKey(), newKey()]
  const kept = (await add('/repos/ada/engine/keys', ada, { title: 'kept', key: shared })).body
  await add('/repos/ada/doomed/keys', ada, { title: 'one', key: shared })
  const lost = (await add('/repos/ada/doomed/keys', ada, { title: 'two', key: own })).body
  deleteRepo(context, { actor: ada.row, owner: ada.row, repo: doomed })
  expect(db.all('SELECT id FROM public_key WHERE id IN (?, ?)', kept.key_id, lost.key_id)).toEqual([{ id: kept.key_id }])
  expect((await add('/user/keys', ada, { title: 'free again', key: own })).status).toBe(201)
})

test('the old name of a renamed repository leads to the new one', async () => {
  forge.repo(ada, 'former')
  const { id } = (await add('/repos/ada/former/keys')).body
  await asAda.patch('/repos/ada/former', { name: 'present' })
  const { status, headers } = await asAda.get(`/repos/ada/former/keys/${id}`)
  expect([status, headers.get('location')]).toEqual([301, `/api/v1/repos/ada/present/keys/${id}`])
})
