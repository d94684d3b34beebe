import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

/** Tokens that are limited to named repositories: how they are made and shown, and what becomes of them. */

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada', { password: PASSWORD })
const bob = await forge.person('bob', { password: PASSWORD })
forge.repo(ada, 'one', { private: true })
forge.repo(ada, 'two', { private: true })
forge.repo(bob, 'hidden', { private: true })
forge.repo(bob, 'open')
const headers = { Authorization: `Basic ${btoa(`ada:${PASSWORD}`)}` }
const scopes = ['write:repository', 'write:issue']
const own = (name: string) => ({ owner: 'ada', name })

interface Token {
  id: number
  sha1: string
  message?: string
  repositories?: { id: number; full_name: string }[]
}

let made = 0
const make = (body: object) => forge.post<Token>('/users/ada/tokens', { name: `t${++made}`, scopes, ...body }, { headers })

test.each<[string, object, number, string]>([
  ['no repository', { repositories: [] }, 400, 'must name at least one repository'],
  ['one that is not there', { repositories: [own('three')] }, 400, 'repository ada/three does not exist'],
  ['one that its holder does not see', { repositories: [{ owner: 'bob', name: 'hidden' }] }, 400, 'repository bob/hidden does not exist'],
  ['one, and everything', { repositories: [own('one')], scopes: ['all'] }, 400, 'not all'],
  ['one, and public things', { repositories: [own('one')], scopes: [...scopes, 'public-only'] }, 400, 'not public-only'],
  ['one, and the account', { repositories: [own('one')], scopes: [...scopes, 'read:user'] }, 400, 'not read:user'],
  ['something that is none', { repositories: ['ada/one'] }, 422, '[repositories'],
  ['too many', { repositories: Array.from({ length: 501 }, () => own('one')) }, 422, '[repositories'],
])('a token for %s is refused', async (_, body, status, message) => {
  const reply = await make(body)
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)])
})

test('it says what it is for, when it is made, in lists and about itself', async () => {
  const { status, body } = await make({ repositories: [own('two'), own('ONE'), own('one')] })
  const names = (token: Token | undefined) => token?.repositories?.map(({ full_name }) => full_name)
  expect([status, names(body)]).toEqual([201, ['ada/one', 'ada/two']])
  const list = await forge.get<Token[]>('/users/ada/tokens?limit=50', { headers })
  expect(names(list.body.find(({ id }) => id === body.id))).toEqual(['ada/one', 'ada/two'])
  expect((await forge.asUser(body.sha1).get<Token>('/token')).body.id).toBe(body.id)
})

test.each([{}, { repositories: null }])('one that names none (%j) is for all, and does not speak of it', async (body) => {
  const { body: token } = await make(body)
  expect([token.repositories, (await forge.asUser(token.sha1).get('/repos/ada/two')).status]).toEqual([undefined, 200])
})

test('it reads and writes what it names, and of the rest reads what is public', async () => {
  const { sha1 } = (await make({ repositories: [own('one')] })).body
  const asSha1 = forge.asUser(sha1)
  expect((await asSha1.post('/repos/ada/one/issues', { title: 'x' })).status).toBe(201)
  expect((await asSha1.get('/repos/ada/two')).status).toBe(404)
  expect((await asSha1.get('/repos/bob/open')).status).toBe(200)
  expect((await asSha1.post('/repos/bob/open/issues', { title: 'x' })).status).toBe(403)
  const found = await asSha1.get<{ data: { full_name: string }[] }>('/repos/search')
  expect(found.body.data.map(({ full_name }) => full_name)).toEqual(['ada/one', 'bob/open'])
  expect(found.headers.get('x-total-count')).toBe('2')
})

test('it makes no repository, by a fork or from a template', async () => {
  const { sha1 } = (await make({ repositories: [own('one')] })).body
  await forge.asUser(ada).patch('/repos/ada/one', { template: true })
  expect((await forge.asUser(sha1).post('/repos/ada/one/forks', { name: 'fork' })).status).toBe(403)
  expect((await forge.asUser(sha1).post('/repos/ada/one/generate', { owner: 'ada', name: 'new', git_content: true })).status).toBe(403)
})

test('once its repositories are gone it is for none, not for all', async () => {
  forge.repo(ada, 'brief', { private: true })
  const { sha1, id } = (await make({ repositories: [own('brief')] })).body
  expect((await forge.asUser(sha1).get('/repos/ada/brief')).status).toBe(200)
  expect((await forge.asUser(ada.token).delete('/repos/ada/brief')).status).toBe(204)
  expect((await forge.asUser(sha1).get('/repos/ada/one')).status).toBe(404)
  forge.repo(ada, 'brief', { private: true })
  expect((await forge.asUser(sha1).get('/repos/ada/brief')).status).toBe(404)
  const list = await forge.get<Token[]>('/users/ada/tokens?limit=50', { headers })
  expect(list.body.find((token) => token.id === id)?.repositories).toEqual([])
})

test('it follows a repository to its new name, and grants nothing that its holder lost', async () => {
  forge.repo(bob, 'shared', { private: true })
  await forge.asUser(bob).put('/repos/bob/shared/collaborators/ada', { permission: 'write' })
  const { sha1 } = (await make({ repositories: [{ owner: 'bob', name: 'shared' }] })).body
  await forge.asUser(bob).patch('/repos/bob/shared', { name: 'moved' })
  expect((await forge.asUser(sha1).get('/repos/bob/moved')).status).toBe(200)
  await forge.asUser(bob).delete('/repos/bob/moved/collaborators/ada')
  expect((await forge.asUser(sha1).get('/repos/bob/moved')).status).toBe(404)
})

test('a token that administers makes one for others, of what they see themselves', async () => {
  const root = await forge.person('root1', { isAdmin: true })
  const body = (owner: string, name: string) => ({ name: `${owner} ${name}`, scopes, repositories: [{ owner, name }] })
  const reply = await forge.asUser(root).post<Token>('/admin/users/ada/tokens', body('ada', 'one'))
  expect([reply.status, reply.body.repositories?.length]).toEqual([201, 1])
  expect((await forge.asUser(root).post('/admin/users/ada/tokens', body('bob', 'hidden'))).status).toBe(400)
})
