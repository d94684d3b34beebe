import { afterAll, expect, test } from 'bun:test'
import { accessStore } from '#access/index.ts'
import { testForge } from '../../../test/harness.ts'
import { userStore } from './index.ts'

const forge = testForge()
const root = forge.asUser('root1')
afterAll(() => forge[Symbol.asyncDispose]())
const { db } = forge.context
await forge.person('root1', { isAdmin: true })
const own = (name: string) => ({ email: `${name}@example.org`, verified: true, primary: true, username: name })

let people = 0
/** Someone new, with the further addresses `<name>-<each>@example.org`. */
async function person(...more: string[]) {
  const one = await forge.person(`p${++people}`)
  const emails = more.map((name) => `${one.name}-${name}@example.org`)
  if (emails.length > 0) expect((await forge.asUser(one).post('/user/emails', { emails })).status).toBe(201)
  return { ...one, emails, list: async () => (await forge.asUser(one).get<{ email: string }[]>('/user/emails')).body.map(({ email }) => email) }
}

test('addresses are added unverified, and listed in the order they came', async () => {
  const ada = await person()
  const added = await forge.asUser(ada).post('/user/emails', { emails: ['Ada@Example.com', 'ada@example.com', ' ada2@example.com '] })
  const two = ['ada@example.com', 'ada2@example.com'].map((email) => ({ email, verified: false, primary: false, user_id: ada.row.id, username: ada.name }))
  const all = [{ ...own(ada.name), user_id: ada.row.id }, ...two]
  expect([added.status, added.body as unknown]).toEqual([201, all])
  const listed = await forge.asUser(ada).get('/user/emails')
  expect([listed.status, listed.body as unknown]).toEqual([200, all])
})

test('an address that is not verified stands for nobody', async () => {
  const ada = await person('new')
  expect(accessStore.findUserByEmail(db, ada.emails[0] as string)).toBeUndefined()
  expect(accessStore.findUserByEmail(db, `${ada.name}@example.org`)?.id).toBe(ada.row.id)
  expect((await forge.get('/user', { headers: { Authorization: `Basic ${btoa(`${ada.emails[0]}:x`)}` } })).status).toBe(401)
})

test('an address is removed in any case of its letters', async () => {
  const ada = await person('a', 'b')
  expect((await forge.asUser(ada).delete('/user/emails', { emails: [(ada.emails[0] as string).toUpperCase()] })).status).toBe(204)
  expect(await ada.list()).toEqual([`${ada.name}@example.org`, ada.emails[1] as string])
  expect((await forge.asUser(ada).delete('/user/emails', {})).status).toBe(204)
})

test('a removed address is free for whoever comes next', async () => {
  const [ada, bob] = [await person('a'), await person()]
  await forge.asUser(ada).delete('/user/emails', { emails: ada.emails })
  expect((await forge.asUser(bob).post('/user/emails', { emails: ada.emails })).status).toBe(201)
})

const refusedToAdd: [name: string, emails: unknown, message: string][] = [
  ['nothing', undefined, 'Email list empty'],
  ['an empty list', [], 'Email list empty'],
  ['no list', 'a@example.com', '[emails]: Expected array'],
  ['no text', [5], '[emails.0]: Expected string'],
  ['no address', ['a@example.com', 'nobody'], 'e-mail invalid [email: nobody]'],
  ['an option of a mailer', ['-x@example.com'], 'e-mail invalid [email: -x@example.com]'],
  ['two addresses in one', ['a@example.com,b@example.com'], 'e-mail invalid [email: a@example.com,b@example.com]'],
  ["someone's primary one", ['a@example.com', 'ROOT1@example.org'], 'e-mail already in use [email: ROOT1@example.org]'],
  ['a reserved one', ['gone@example.org'], 'e-mail is reserved [email: gone@example.org]'],
]

test.each(refusedToAdd)('adding %s is refused, and nothing is added', async (_, emails, message) => {
  db.tx((tx) => tx.run("INSERT OR IGNORE INTO reserved_email (lower_email, lower_name, created_at) VALUES ('gone@example.org', 'gone', 1)"))
  const ada = await person()
  const reply = await forge.asUser(ada).post('/user/emails', { emails })
  expect([reply.status, reply.body.message]).toEqual([422, message])
  expect(await ada.list()).toEqual([`${ada.name}@example.org`])
})

test("one's own address is taken; one that somebody else merely claims may be claimed as well", async () => {
  const [ada, bob] = [await person('a'), await person()]
  const add = async (as: typeof ada) => (await forge.asUser(as).post('/user/emails', { emails: ada.emails })).status
  expect([await add(ada), await add(bob), await add(bob)]).toEqual([422, 201, 422])
  expect((await forge.asUser(bob).delete('/user/emails', { emails: ada.emails })).status).toBe(204)
  expect([await ada.list(), await bob.list()]).toEqual([[`${ada.name}@example.org`, ...ada.emails], [`${bob.name}@example.org`]])
})

test('an account has at most 50 addresses', async () => {
  const ada = await person(...Array.from({ length: 49 }, (_, i) => `${i}`))
  expect((await forge.asUser(ada).post('/user/emails', { emails: ['more@example.com'] })).status).toBe(422)
  expect(await ada.list()).toHaveLength(50)
})

const refusedToRemove: [name: string, email: (ada: string, bob: string) => string, status: number][] = [
  ["someone else's primary address", (_, bob) => `${bob}@example.org`, 404],
  ["someone else's further address", (_, bob) => `${bob}-b@example.org`, 404],
  ['an address that is not there', () => 'absent@example.org', 404],
  ['the primary address', (ada) => `${ada}@example.org`, 422],
]

test.each(refusedToRemove)('removing %s is refused, and nothing is removed', async (_, email, status) => {
  const [ada, bob] = [await person('a'), await person('b')]
  const emails = [...ada.emails, email(ada.name, bob.name)]
  expect((await forge.asUser(ada).delete('/user/emails', { emails })).status).toBe(status)
  expect(await ada.list()).toHaveLength(2)
  expect(await bob.list()).toHaveLength(2)
})

test('a foreign address and one that is not there are answered alike, also to administrators', async () => {
  const bob = await person('b')
  const [foreign, absent] = await Promise.all([bob.emails[0], 'absent@example.org'].map((email) => root.delete('/user/emails', { emails: [email] })))
  expect([foreign?.status, absent?.status]).toEqual([404, 404])
  expect(String(foreign?.body.message).replace(bob.emails[0] as string, '')).toBe(String(absent?.body.message).replace('absent@example.org', ''))
  expect(userStore.findEmail(db, bob.row.id, bob.emails[0] as string)).toBeDefined()
})

test('each operation needs a user, and a token its scope', async () => {
  const ada = await person()
  const statuses = (as?: string) =>
    Promise.all(
      ['GET', 'POST', 'DELETE'].map(
        async (method) => (await forge.asUser(as).send(`${method} /user/emails`, { body: method === 'GET' ? undefined : {} })).status,
      ),
    )
  expect(await statuses()).toEqual([401, 401, 401])
  expect(await statuses(forge.token(ada, 'read:misc'))).toEqual([403, 403, 403])
  expect(await statuses(forge.token(ada, 'read:user'))).toEqual([200, 403, 403])
  expect(await statuses(forge.token(ada, 'write:user'))).toEqual([200, 422, 204])
})

test('a token for public things sees no addresses of an account that is not public', async () => {
  const eve = await forge.person('eve', { visibility: 'private' })
  expect((await forge.asUser(forge.token(eve, 'read:user', 'public-only')).get('/user/emails')).status).toBe(403)
})

test('an address that somebody only claims keeps nobody from being created with it', async () => {
  const ada = await person('claimed')
  const [email] = ada.emails as [string]
  const made = await root.post('/admin/users', { username: 'holder', email: email.toUpperCase(), password: 'correct horse' })
  expect([made.status, made.body.email]).toEqual([201, email.toUpperCase()])
  expect(await ada.list()).toEqual([`${ada.name}@example.org`])
})

test('nor from having it as their primary one', async () => {
  const [ada, bob] = [await person('wanted'), await person()]
  const [email] = ada.emails as [string]
  expect((await root.patch(`/admin/users/${bob.name}`, { source_id: 0, login_name: '', email })).status).toBe(200)
  expect(await ada.list()).toEqual([`${ada.name}@example.org`])
  expect(await bob.list()).toEqual([`${bob.name}@example.org`, email])
  expect(userStore.findEmail(db, bob.row.id, email)).toMatchObject({ is_verified: 1, is_primary: 1 })
})

test('an address that somebody only claimed is not kept when they are deleted', async () => {
  const ada = await person('gone')
  expect((await root.delete(`/admin/users/${ada.name}`)).status).toBe(204)
  const create = async (username: string, email: string) => (await root.post('/admin/users', { username, email, password: 'correct horse' })).status
  expect([await create('other-holder', ada.emails[0] as string), await create('impostor', `${ada.name}@example.org`)]).toEqual([201, 422])
})
