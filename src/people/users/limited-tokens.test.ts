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
const make = (body: object) => forge.call<Token>('POST /users/ada/tokens', { headers, body: { name: `t${++made}`, scopes, ...body } })
const statusAs = async (as: string, line: string, body?: unknown) => (await forge.call(line, { as, body })).status

test.each<[string, object, number, string]>([
  ['no repository', { repositories: [] }, 400, 'must name one'],
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
  const list = await forge.call<Token[]>('GET /users/ada/tokens?limit=50', { headers })
  expect(names(list.body.find(({ id }) => id === body.id))).toEqual(['ada/one', 'ada/two'])
  expect((await forge.call<Token>('GET /token', { as: body.sha1 })).body.id).toBe(body.id)
})

test.each([{}, { repositories: null }])('one that names none (%j) is for all, and does not speak of it', async (body) => {
  const { body: token } = await make(body)
  expect([token.repositories, await statusAs(token.sha1, 'GET /repos/ada/two')]).toEqual([undefined, 200])
})

test('it reads and writes what it names, and of the rest reads what is public', async () => {
  const { sha1 } = (await make({ repositories: [own('one')] })).body
  expect(await statusAs(sha1, 'POST /repos/ada/one/issues', { title: 'x' })).toBe(201)
  expect(await statusAs(sha1, 'GET /repos/ada/two')).toBe(404)
  expect(await statusAs(sha1, 'GET /repos/bob/open')).toBe(200)
  expect(await statusAs(sha1, 'POST /repos/bob/open/issues', { title: 'x' })).toBe(403)
  const found = await forge.call<{ data: { full_name: string }[] }>('GET /repos/search', { as: sha1 })
  expect(found.body.data.map(({ full_name }) => full_name)).toEqual(['ada/one', 'bob/open'])
  expect(found.headers.get('x-total-count')).toBe('2')
})

test('it makes no repository, by a fork or from a template', async () => {
  const { sha1 } = (await make({ repositories: [own('one')] })).body
  await forge.call('PATCH /repos/ada/one', { as: ada, body: { template: true } })
  expect(await statusAs(sha1, 'POST /repos/ada/one/forks', { name: 'fork' })).toBe(403)
  expect(await statusAs(sha1, 'POST /repos/ada/one/generate', { owner: 'ada', name: 'new', git_content: true })).toBe(403)
})

test('once its repositories are gone it is for none, not for all', async () => {
  forge.repo(ada, 'brief', { private: true })
  const { sha1, id } = (await make({ repositories: [own('brief')] })).body
  expect(await statusAs(sha1, 'GET /repos/ada/brief')).toBe(200)
  expect(await statusAs(ada.token, 'DELETE /repos/ada/brief')).toBe(204)
  expect(await statusAs(sha1, 'GET /repos/ada/one')).toBe(404)
  forge.repo(ada, 'brief', { private: true })
  expect(await statusAs(sha1, 'GET /repos/ada/brief')).toBe(404)
  const list = await forge.call<Token[]>('GET /users/ada/tokens?limit=50', { headers })
  expect(list.body.find((token) => token.id === id)?.repositories).toEqual([])
})

test('it follows a repository to its new name, and grants nothing that its holder lost', async () => {
  forge.repo(bob, 'shared', { private: true })
  await forge.call('PUT /repos/bob/shared/collaborators/ada', { as: bob, body: { permission: 'write' } })
  const { sha1 } = (await make({ repositories: [{ owner: 'bob', name: 'shared' }] })).body
  await forge.call('PATCH /repos/bob/shared', { as: bob, body: { name: 'moved' } })
  expect(await statusAs(sha1, 'GET /repos/bob/moved')).toBe(200)
  await forge.call('DELETE /repos/bob/moved/collaborators/ada', { as: bob })
  expect(await statusAs(sha1, 'GET /repos/bob/moved')).toBe(404)
})

test('a token that administers makes one for others, of what they see themselves', async () => {
  const root = await forge.person('root1', { isAdmin: true })
  const body = (owner: string, name: string) => ({ name: `${owner} ${name}`, scopes, repositories: [{ owner, name }] })
  const reply = await forge.call<Token>('POST /admin/users/ada/tokens', { as: root, body: body('ada', 'one') })
  expect([reply.status, reply.body.repositories?.length]).toEqual([201, 1])
  expect((await forge.call('POST /admin/users/ada/tokens', { as: root, body: body('bob', 'hidden') })).status).toBe(400)
})
