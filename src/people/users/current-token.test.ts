import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada', { password: 'correct horse' })
const root = await forge.person('root1', { isAdmin: true })
const password = { Authorization: `Basic ${btoa('ada:correct horse')}` }

test('a token tells of itself, whatever its scopes and however it is sent', async () => {
  const token = forge.token(ada, 'read:misc', 'public-only')
  const expected = {
    id: expect.any(Number),
    name: expect.stringMatching(/^test \d+$/),
    scopes: ['read:misc', 'public-only'],
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    user: { id: ada.row.id, login: 'ada' },
  }
  const ways = [{ Authorization: `token ${token}` }, { Authorization: `Bearer ${token}` }, { Authorization: `Basic ${btoa(`ada:${token}`)}` }]
  for (const headers of ways) expect((await forge.get('/token', { headers })).body).toEqual(expected)
  expect((await forge.get(`/token?token=${token}`)).body).toEqual(expected)
})

test.each<[string, Record<string, string>, number]>([
  ['nothing', {}, 401],
  ['a password', password, 404],
  ['a token that is none', { Authorization: `token ${'0'.repeat(40)}` }, 401],
])('signed with %s there is no token to tell of or to end', async (_, headers, status) => {
  for (const method of ['GET', 'DELETE']) expect((await forge.send(`${method} /token`, { headers })).status).toBe(status)
})

test('a token ends itself and no other, even one that may only read', async () => {
  const [token, other] = [forge.token(ada, 'read:user'), forge.token(ada, 'read:user')]
  expect((await forge.asUser(token).delete('/token')).status).toBe(204)
  for (const method of ['GET', 'DELETE']) expect((await forge.asUser(token).send(`${method} /token`)).status).toBe(401)
  expect((await forge.asUser(other).get('/user')).status).toBe(200)
})

test("an administrator's token that acts as somebody else stays the administrator's", async () => {
  const { body } = await forge.asUser(root).get('/token', { headers: { Sudo: 'ada' } })
  expect(body.user).toEqual({ id: root.row.id, login: 'root1' })
})
