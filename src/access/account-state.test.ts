import { afterAll, expect, test } from 'bun:test'
import { type Person, testForge } from '../../test/harness.ts'

/** What the state of an account means for each way to sign in. */

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
forge.repo(root, 'open')
const states = {
  active: {},
  inactive: { is_active: 0 },
  barred: { prohibit_login: 1 },
  must: { must_change_password: 1 },
  limited: { is_restricted: 1 },
}
const people: Record<string, Person | undefined> = {}
for (const [name, columns] of Object.entries(states)) {
  const person = await forge.person(name, { password: PASSWORD })
  forge.repo(person, 'own')
  forge.context.db.tx((tx) => tx.update('user', person.row.id, columns))
  people[name] = person
}

const basic = (name: string, secret: string) => ({ Authorization: `Basic ${btoa(`${name}:${secret}`)}` })
const ways: Record<string, (person: Person) => { headers: Record<string, string>; query?: string }> = {
  token: ({ token }) => ({ headers: { Authorization: `token ${token}` } }),
  bearer: ({ token }) => ({ headers: { Authorization: `Bearer ${token}` } }),
  password: ({ name }) => ({ headers: basic(name, PASSWORD) }),
  'password by e-mail': ({ name }) => ({ headers: basic(`${name}@example.org`, PASSWORD) }),
  'token as password': ({ name, token }) => ({ headers: basic(name, token) }),
  'token as user': ({ token }) => ({ headers: basic(token, 'x-oauth-basic') }),
  'token in the query': ({ token }) => ({ headers: {}, query: `token=${token}` }),
}

const verdicts: [state: string, status: number, message: string | undefined][] = [
  ['active', 200, undefined],
  ['inactive', 403, 'This account is not activated.'],
  ['barred', 403, 'This account is prohibited from signing in'],
  ['must', 403, 'You must change your password'],
  ['limited', 200, undefined],
]
const cases = verdicts.flatMap(([state, ...verdict]) => Object.keys(ways).map((way) => [state, way, ...verdict] as const))

test.each(cases)('an account that is %s, signing in by %s, gets %p', async (state, way, status, message) => {
  const { headers, query = '' } = (ways[way] as (typeof ways)[string])(people[state] as Person)
  for (const path of ['/user', '/version', `/repos/${state}/own`]) {
    const reply = await forge.get(`${path}?${query}`, { headers })
    expect([path, reply.status]).toEqual([path, status])
    if (message) expect(reply.body.message).toStartWith(message)
  }
})

test.each(verdicts)('git of an account that is %s gets %p', async (state, status) => {
  for (const way of ['password', 'token as password']) {
    const { headers } = (ways[way] as (typeof ways)[string])(people[state] as Person)
    const request = new Request(`http://localhost/${state}/own.git/info/refs?service=git-receive-pack`, { headers })
    expect((await forge.app.handle(request)).status).toBe(status)
  }
})

test.each(Object.keys(states))('a wrong password tells nothing of the state of an account that is %s', async (state) => {
  const reply = await forge.get('/user', { headers: basic(state, 'wrong horse') })
  expect([reply.status, reply.body.message]).toEqual([401, 'invalid username, password or token'])
})

test.each(Object.keys(states))('an administrator acts as an account that is %s', async (state) => {
  expect((await forge.asUser(root).get('/user', { headers: { Sudo: state } })).body.login).toBe(state)
})

test('the restricted see what is theirs and nothing that is merely public, in lists and by git too', async () => {
  const limited = people.limited as Person
  const asLimited = forge.asUser(limited)
  expect([
    (await asLimited.get('/repos/limited/own')).status,
    (await asLimited.get('/repos/root1/open')).status,
    (await asLimited.get('/users/root1')).status,
  ]).toEqual([200, 404, 200])
  const found = await asLimited.get<{ data: { full_name: string }[] }>('/repos/search')
  expect(found.body.data.map((repo) => repo.full_name)).toEqual(['limited/own'])
  const fetch = new Request('http://localhost/root1/open.git/info/refs?service=git-upload-pack', { headers: basic('limited', limited.token) })
  expect((await forge.app.handle(fetch)).status).toBe(404)
})

test.each(['inactive', 'barred', 'must'])('the token of an account that is %s is not even told of itself', async (state) => {
  for (const method of ['GET', 'DELETE']) expect((await forge.asUser(people[state]).send(`${method} /token`)).status).toBe(403)
})

test('an account that is barred or inactive changes no password either', async () => {
  for (const state of ['inactive', 'barred']) {
    const reply = await forge.post('/user/password', { password: 'a better horse' }, { headers: basic(state, PASSWORD) })
    expect(reply.status).toBe(403)
  }
})
