import { afterEach, beforeEach, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
let root: Person
let bob: Person
beforeEach(async () => {
  forge = testForge({ service: { DISABLE_REGISTRATION: false } })
  root = await forge.person('root1', { isAdmin: true })
  bob = await forge.person('bob')
  await leaveNames()
})
afterEach(() => forge[Symbol.asyncDispose]())
const names = async (query = '') =>
  (await forge.asUser(root).get<{ name: string; reason: string }[]>(`/admin/reserved_names${query}`)).body.map(({ name, reason }) => [name, reason])

/** Leaves the names of a deleted account and of a renamed one, and a blocked name. */
async function leaveNames(): Promise<void> {
  await forge.person('gone')
  await forge.person('moved')
  expect((await forge.asUser(root).delete('/admin/users/gone')).status).toBe(204)
  expect((await forge.asUser(root).post('/admin/users/moved/rename', { new_username: 'arrived' })).status).toBe(204)
  expect((await forge.asUser(root).post('/admin/reserved_names', { name: 'Support' })).status).toBe(201)
}

test('a site administrator lists, adds and releases reserved names', async () => {
  const { body, headers } = await forge.asUser(root).get('/admin/reserved_names')
  const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
  expect([body as unknown, headers.get('x-total-count')]).toEqual([
    [
      { name: 'gone', reason: 'deleted', leads_to: null, addresses: ['gone@example.org'], created_at },
      { name: 'moved', reason: 'renamed', leads_to: 'arrived', addresses: [], created_at },
      { name: 'support', reason: 'blocked', leads_to: null, addresses: [], created_at },
    ],
    '3',
  ])
  expect(await names('?q=UP&limit=1')).toEqual([['support', 'blocked']])
  expect(await names('?limit=1&page=2')).toEqual([['moved', 'renamed']])
  for (const name of ['bob', 'a b', '', 'x'.repeat(41)]) expect((await forge.asUser(root).post('/admin/reserved_names', { name })).status).toBe(422)
  expect((await forge.asUser(root).delete('/admin/reserved_names/absent')).status).toBe(404)
  expect((await forge.asUser(root).delete('/admin/reserved_names/Support')).status).toBe(204)
  expect(await names()).toEqual([
    ['gone', 'deleted'],
    ['moved', 'renamed'],
  ])
  for (const line of ['GET /admin/reserved_names', 'DELETE /admin/reserved_names/gone']) expect((await forge.asUser(bob).send(line)).status).toBe(403)
  expect((await forge.asUser(bob).post('/admin/reserved_names', { name: 'x' })).status).toBe(403)
})

const newcomer = { password: 'correct horse' }

test('reserved names stay closed to registration, renames and non-administrators', async () => {
  const form = { user_name: 'gone', email: 'new@example.org', password: 'correct horse', retype: 'correct horse' }
  const refused = await new TestBrowser(forge).post('/user/sign_up', form)
  expect([refused.status, refused.text.includes('Name is reserved: gone')]).toEqual([422, true])
  expect((await forge.asUser(root).post('/admin/users/bob/rename', { new_username: 'gone' })).status).toBe(422)
  expect((await forge.asUser(bob).post('/orgs', { username: 'gone' })).status).toBe(422)
  expect((await forge.asUser(forge.token(root, 'write:organization')).post('/orgs', { username: 'gone' })).status).toBe(422)
  for (const username of ['moved', 'support']) {
    expect((await forge.asUser(root).post('/admin/users', { username, email: 'new@example.org', ...newcomer })).status).toBe(422)
    expect((await forge.asUser(root).post('/orgs', { username })).status).toBe(422)
  }
  // The address is taken: nobody is created, and the name stays reserved.
  expect((await forge.asUser(root).post('/admin/users', { username: 'gone', email: 'bob@example.org', ...newcomer })).status).toBe(422)
  expect((await names()).map(([name]) => name)).toEqual(['gone', 'moved', 'support'])
})

const post = async (path: string, form: Record<string, string>) => (await new TestBrowser(forge, root).post(path, form)).status
const creations: [way: string, create: () => Promise<number>, created: number][] = [
  ['a user by the API', async () => (await forge.asUser(root).post('/admin/users', { username: 'Gone', email: 'GONE@example.org', ...newcomer })).status, 201],
  ['an organization for somebody', async () => (await forge.asUser(root).post('/admin/users/bob/orgs', { username: 'gone' })).status, 201],
  ['an organization', async () => (await forge.asUser(root).post('/orgs', { username: 'gone' })).status, 201],
  ['an organization on its page', () => post('/org/create', { username: 'gone' }), 303],
  ['a user on the page', () => post('/-/admin/users/new', { username: 'gone', email: 'gone@example.org', ...newcomer }), 303],
]
test.each(creations)('a site administrator creates %s with the name of a deleted account, which releases it', async (_, create, created) => {
  expect(await names('?q=gone')).toEqual([['gone', 'deleted']])
  expect(await create()).toBe(created)
  expect(await names('?q=gone')).toEqual([])
  const isOrg = (await forge.asUser(root).get('/orgs/gone')).status === 200
  expect((await forge.asUser(root).send(isOrg ? 'DELETE /orgs/gone' : 'DELETE /admin/users/gone')).status).toBe(204)
})
