import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Interests } from '#access/hooks.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const bob = forge.asUser('bob')
const ada = forge.asUser('ada')
const cai = forge.asUser('cai')
const who: Record<string, Person | undefined> = {}

/** ada owns `open` and `secret`, which cai may read; lim and hid are accounts of limited and private visibility. */
beforeAll(async () => {
  for (const name of ['ada', 'bob', 'cai']) who[name] = await forge.person(name)
  who.lim = await forge.person('lim', { visibility: 'limited' })
  who.hid = await forge.person('hid', { visibility: 'private' })
  who.root = await forge.person('root1', { isAdmin: true })
  forge.repo(who.ada as Person, 'open')
  forge.repo(who.ada as Person, 'secret', { private: true })
  await ada.put('/repos/ada/secret/collaborators/cai', { permission: 'read' })
})
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM star')))

const everyone = ['nobody', 'bob', 'cai', 'ada', 'root'] as const

const matrix: [line: string, statuses: number[]][] = [
  // visitor, stranger, reader of `secret`, owner, site administrator
  ['GET /user/starred', [401, 200, 200, 200, 200]],
  ['GET /users/bob/starred', [401, 200, 200, 200, 200]],
  ['GET /users/hid/starred', [404, 404, 404, 404, 200]],
  ['GET /users/missing/starred', [404, 404, 404, 404, 404]],
  ['PUT /user/starred/ada/open', [401, 204, 204, 204, 204]],
  ['PUT /user/starred/ada/secret', [401, 404, 204, 204, 204]],
  ['PUT /user/starred/ada/missing', [401, 404, 404, 404, 404]],
  ['GET /user/starred/ada/open', [401, 404, 404, 404, 404]],
  ['DELETE /user/starred/ada/open', [401, 204, 204, 204, 204]],
  ['DELETE /user/starred/ada/secret', [401, 404, 204, 204, 204]],
  ['GET /repos/ada/open/stargazers', [200, 200, 200, 200, 200]],
  ['GET /repos/ada/secret/stargazers', [404, 404, 200, 200, 200]],
]

test.each(matrix)('%s', async (line, statuses) => {
  const replies = await Promise.all(everyone.map((name) => forge.asUser(who[name]).send(line)))
  expect(replies.map(({ status }) => status)).toEqual(statuses)
})

interface Repo {
  full_name: string
  stars_count: number
}
const starredBy = async (viewer: string, name: string) =>
  (await forge.asUser(who[viewer]).get<Repo[]>(`/users/${name}/starred`)).body.map((repo) => repo.full_name)
const starsOf = async (line: string) => (await ada.get<Repo>(line)).body.stars_count
const gazers = async (viewer: string, line: string) =>
  (await forge.asUser(who[viewer]).get<{ login: string }[]>(`${line}/stargazers`)).body.map(({ login }) => login)

describe('a star', () => {
  test('is there once however often it is given, and taking it twice is no error', async () => {
    for (const _ of [1, 2]) expect((await bob.put('/user/starred/ada/open')).status).toBe(204)
    expect((await bob.get('/user/starred/ada/open')).status).toBe(204)
    expect(await starsOf('/repos/ada/open')).toBe(1)
    for (const _ of [1, 2]) expect((await bob.delete('/user/starred/ada/open')).status).toBe(204)
    expect((await bob.get('/user/starred/ada/open')).status).toBe(404)
    expect(await starsOf('/repos/ada/open')).toBe(0)
  })

  test('is found under the old name of a repository too, by a redirect', async () => {
    forge.repo(who.ada as Person, 'before')
    await ada.patch('/repos/ada/before', { name: 'after' })
    const reply = await bob.put('/user/starred/ada/before')
    expect([reply.status, reply.headers.get('location')]).toEqual([307, '/api/v1/user/starred/ada/after'])
  })

  test('may be given to an archived repository', async () => {
    forge.repo(who.ada as Person, 'old')
    await ada.patch('/repos/ada/old', { archived: true })
    expect((await bob.put('/user/starred/ada/old')).status).toBe(204)
  })

  test('is refused to whom the owner blocked, and taken back by them all the same', async () => {
    await bob.put('/user/starred/ada/open')
    const block = { blocker_id: who.ada?.row.id ?? 0, blocked_id: who.bob?.row.id ?? 0, note: '', created_at: 1 }
    forge.context.db.tx((tx) => tx.insert('block', block))
    const reply = await bob.put('/user/starred/ada/open')
    const taken = await bob.delete('/user/starred/ada/open')
    forge.context.db.tx((tx) => tx.run('DELETE FROM block'))
    expect([reply.status, reply.body, taken.status]).toEqual([403, expect.objectContaining({ message: 'user is blocked' }), 204])
  })

  test('goes with the repository, with the person, and with all others to one owner', async () => {
    const gone = await forge.person('gone')
    for (const name of ['x', 'y']) forge.repo(who.ada as Person, name)
    forge.repo(who.cai as Person, 'other')
    for (const star of ['ada/x', 'ada/y', 'cai/other']) await bob.put(`/user/starred/${star}`)
    await forge.asUser(gone).put('/user/starred/ada/y')
    await ada.delete('/repos/ada/x')
    expect(await starredBy('bob', 'bob')).toEqual(['ada/y', 'cai/other'])
    await forge.asUser('root1').delete('/admin/users/gone')
    expect(await starsOf('/repos/ada/y')).toBe(1)
    const all = { after: 0, until: Number.MAX_SAFE_INTEGER, before: 1 }
    forge.context.db.tx((tx) => forge.context.services.get(Interests).starring.dropOf(tx, who.bob?.row.id ?? 0, who.ada?.row.id ?? 0, all))
    expect([await starredBy('bob', 'bob'), await starsOf('/repos/ada/y')]).toEqual([['cai/other'], 0])
  })
})

describe('lists of what people starred', () => {
  test('show each viewer what that viewer may see', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/user/starred/ada/${repo}`)
    const seen = await Promise.all(['bob', 'cai', 'ada', 'root'].map((viewer) => starredBy(viewer, 'cai')))
    expect(seen).toEqual([['ada/open'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret']])
  })

  test('no longer show what the person may no longer see', async () => {
    await cai.put('/user/starred/ada/secret')
    await ada.delete('/repos/ada/secret/collaborators/cai')
    const reply = await cai.get<unknown>('/user/starred')
    await ada.put('/repos/ada/secret/collaborators/cai', { permission: 'read' })
    expect([reply.body, reply.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  test('come in pages', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/user/starred/ada/${repo}`)
    const reply = await cai.get<Repo[]>('/user/starred?limit=1&page=2')
    expect(reply.body.map((repo) => repo.full_name)).toEqual(['ada/secret'])
    expect(reply.headers.get('x-total-count')).toBe('2')
    expect(reply.headers.get('link')).toContain('rel="first"')
  })

  test('are for tokens of the right scopes; without the one for repositories only public ones are told', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/user/starred/ada/${repo}`)
    const status = async (line: string, ...scopes: string[]) => (await forge.asUser(forge.token(who.cai as Person, ...scopes)).send(line)).status
    expect(await status('GET /user/starred', 'read:user')).toBe(403)
    expect(await status('GET /user/starred', 'read:repository')).toBe(403)
    expect(await status('GET /user/starred', 'read:user', 'read:repository')).toBe(200)
    expect(await status('PUT /user/starred/ada/open', 'write:user', 'read:repository')).toBe(403)
    expect(await status('PUT /user/starred/ada/open', 'write:user', 'write:repository')).toBe(204)
    expect(await status('GET /repos/ada/open/stargazers', 'read:user')).toBe(403)
    const names = async (...scopes: string[]) =>
      (await forge.asUser(forge.token(who.cai as Person, ...scopes)).get<Repo[]>('/users/cai/starred')).body.map((repo) => repo.full_name)
    expect(await names('read:user')).toEqual(['ada/open'])
    expect(await names('read:user', 'read:repository')).toEqual(['ada/open', 'ada/secret'])
    expect(await names('all', 'public-only')).toEqual(['ada/open'])
  })
})

test('stargazers are those whom the viewer may see', async () => {
  for (const name of ['bob', 'lim', 'hid']) await forge.asUser(who[name]).put('/user/starred/ada/open')
  const seen = await Promise.all(['nobody', 'ada', 'hid', 'root'].map((viewer) => gazers(viewer, '/repos/ada/open')))
  expect(seen).toEqual([['bob'], ['bob', 'lim'], ['bob', 'lim', 'hid'], ['bob', 'lim', 'hid']])
  const page = await ada.get<{ login: string }[]>('/repos/ada/open/stargazers?limit=1&page=2')
  expect([page.body.map(({ login }) => login), page.headers.get('x-total-count')]).toEqual([['lim'], '2'])
})

test('searches order by stars', async () => {
  forge.repo(who.bob as Person, 'bright')
  for (const name of ['ada', 'cai']) await forge.asUser(who[name]).put('/user/starred/bob/bright')
  await bob.put('/user/starred/ada/open')
  const found = await bob.get<{ data: Repo[] }>('/repos/search?sort=stars&order=desc&limit=2')
  expect(found.body.data.map((repo) => [repo.full_name, repo.stars_count])).toEqual([
    ['bob/bright', 2],
    ['ada/open', 1],
  ])
})
