import { afterAll, expect } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { Release } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

let now = 1_800_000_000
const forge = testForge({}, { clock: { seconds: () => now++, millis: () => now * 1000 } })
const ada = forge.asUser('ada')
const bob = forge.asUser('bob')
const carl = forge.asUser('carl')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
for (const name of ['ada', 'bob', 'carl']) await forge.person(name)
for (const name of ['engine', 'mill', 'lists']) await ada.post('/user/repos', { name, auto_init: true })
await ada.post('/user/repos', { name: 'bare' })
for (const name of ['engine', 'lists']) await ada.put(`/repos/ada/${name}/collaborators/bob`, { permission: 'write' })

const R = '/repos/ada/engine/releases'
const tagOf = async (name: string) => (await ada.get<{ id: string; commit: { sha: string }; message: string }>(`/repos/ada/engine/tags/${name}`)).body
const tip = (await ada.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')).body.commit.id
const counter = async () => (await ada.get<{ release_counter: number }>('/repos/ada/engine')).body.release_counter

test('a release is made with its tag, read by id and by tag, changed and deleted; the tag stays', async () => {
  const made = await bob.post<Release & { message?: string }>(R, { tag_name: 'v1/a', name: 'One', body: '**text**', prerelease: true })
  const html = `${context.rootUrl}ada/engine`
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      tag_name: 'v1/a',
      target_commitish: 'main',
      name: 'One',
      body: '**text**',
      draft: false,
      prerelease: true,
      assets: [],
      author: { login: 'bob' },
      html_url: `${html}/releases/tag/v1/a`,
      zipball_url: `${html}/archive/v1/a.zip`,
      upload_url: `${context.rootUrl}api/v1${R}/${made.body.id}/assets`,
    },
  ])
  expect(await tagOf('v1/a')).toMatchObject({ id: tip, commit: { sha: tip } })
  for (const path of [made.body.id, 'tags/v1/a', 'tags/v1%2Fa'])
    expect((await forge.get<Release & { message?: string }>(`${R}/${path}`)).body).toMatchObject({ id: made.body.id })
  expect(await counter()).toBe(1)
  const edited = await bob.patch<Release & { message?: string }>(`${R}/${made.body.id}`, { name: '', body: '', prerelease: false })
  expect([edited.status, edited.body]).toMatchObject([200, { name: 'One', body: '**text**', prerelease: false, created_at: made.body.created_at }])
  expect((await forge.get<Release & { message?: string }>(`${R}/latest`)).body.id).toBe(made.body.id)
  expect((await bob.delete(`${R}/${made.body.id}`)).status).toBe(204)
  expect([(await bob.get(`${R}/${made.body.id}`)).status, (await bob.get(`${R}/latest`)).status, await counter()]).toEqual([404, 404, 0])
  expect((await tagOf('v1/a')).id).toBe(tip)
  const actions = context.events.after(0, 1000).flatMap(({ event }) => (event.type === 'release' ? [event.action] : []))
  expect(actions).toEqual(['published', 'updated', 'deleted'])
})

test('a message makes the tag an annotated one; a tag that is there is used', async () => {
  expect((await ada.post(R, { tag_name: 'noted', tag_message: 'See here' })).status).toBe(201)
  expect(await tagOf('noted')).toMatchObject({ message: 'See here', commit: { sha: tip } })
  expect((await tagOf('noted')).id).not.toBe(tip)
  const used = await ada.post<Release & { message?: string }>(R, { tag_name: 'v1/a', target_commitish: 'nowhere' })
  expect([used.status, used.body.target_commitish]).toEqual([201, 'nowhere'])
  for (const tag of ['noted', 'v1/a']) expect((await ada.delete(`${R}/tags/${tag}`)).status).toBe(204)
})

test.each([
  ['a tag that has one', { tag_name: 'taken' }, 409],
  ['an unknown target', { tag_name: 'x', target_commitish: 'nowhere' }, 404],
  ['a tag that climbs', { tag_name: '../../config' }, 422],
  ['a tag that git refuses', { tag_name: 'a..b' }, 422],
  ['a tag with a blank', { tag_name: 'a b' }, 422],
  ['a tag inside another', { tag_name: 'taken/x' }, 422],
  ['no tag', {}, 422],
])('a release of %s is refused, and no tag is made', async (_, body, status) => {
  await ada.post(R, { tag_name: 'taken' })
  const tags = async () => (await ada.get<{ name: string }[]>('/repos/ada/engine/tags')).body.map(({ name }) => name)
  const before = await tags()
  expect((await ada.post(R, body)).status).toBe(status)
  expect(await tags()).toEqual(before)
})

test('an empty repository, one that may only be read, and one of others has no releases made in it', async () => {
  expect((await ada.post('/repos/ada/bare/releases', { tag_name: 'v1' })).status).toBe(422)
  expect([(await carl.post(R, { tag_name: 'c' })).status, (await forge.post(R, { tag_name: 'c' })).status]).toEqual([403, 401])
  const { id } = (await ada.post<Release & { message?: string }>(R, { tag_name: 'mine' })).body
  for (const line of [`PATCH ${R}/${id}`, `DELETE ${R}/${id}`, `DELETE ${R}/tags/mine`]) expect((await carl.send(line, { body: {} })).status).toBe(403)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await ada.send(`${method} /repos/ada/mill/releases/${id}`, { body: method === 'GET' ? undefined : {} })).status).toBe(404)
  await ada.patch('/repos/ada/engine', { archived: true })
  expect((await ada.post(R, { tag_name: 'late' })).status).toBe(423)
  await ada.patch('/repos/ada/engine', { archived: false })
})

test('a draft is for writers alone, makes no tag before it is published, and is dated then', async () => {
  const draft = (await ada.post<Release & { message?: string }>(R, { tag_name: 'next', draft: true })).body
  expect((await ada.get('/repos/ada/engine/tags/next')).status).toBe(404)
  const reading = forge.token('bob', 'read:repository')
  for (const [as, status] of [
    ['bob', 200],
    ['carl', 404],
    [undefined, 404],
    [reading, 404],
  ] as const)
    for (const path of [String(draft.id), 'tags/next', `${draft.id}/assets`])
      expect([as, (await forge.asUser(as).get(`${R}/${path}`)).status]).toEqual([as, status])
  const listed = async (as: string | undefined) => (await forge.asUser(as).get<Release[]>(`${R}?draft=true`)).body.map(({ tag_name }) => tag_name)
  expect(await listed('bob')).toEqual(['next'])
  for (const as of ['carl', undefined, reading]) expect(await listed(as)).not.toContain('next')
  const published = await bob.patch<Release & { message?: string }>(`${R}/${draft.id}`, { draft: false })
  expect(published.body.created_at > draft.created_at).toBe(true)
  expect((await tagOf('next')).id).toBe(tip)
  expect((await carl.get(`${R}/${draft.id}`)).status).toBe(200)
  const other = (await ada.post<Release & { message?: string }>(R, { tag_name: 'never', target_commitish: 'nowhere', draft: true })).body
  expect((await ada.patch(`${R}/${other.id}`, { draft: false })).status).toBe(404)
  expect((await ada.get<Release & { message?: string }>(`${R}/${other.id}`)).body.draft).toBe(true)
})

test('lists go by date, are filtered, and come page by page', async () => {
  const L = '/repos/ada/lists/releases'
  for (const [tag, more] of [
    ['a', {}],
    ['b', { prerelease: true, body: 'Steam' }],
    ['c', { draft: true }],
    ['d', {}],
  ] as const)
    await ada.post(L, { tag_name: tag, ...more })
  const list = async (as: string, query: string) => {
    const { body, headers } = await forge.asUser(as).get<Release[]>(`${L}?${query}`)
    return [body.map(({ tag_name }) => tag_name).join(''), headers.get('x-total-count')]
  }
  for (const [as, query, expected] of [
    ['bob', '', ['dcba', '4']],
    ['carl', '', ['dba', '3']],
    ['bob', 'draft=true', ['c', '1']],
    ['carl', 'draft=true', ['', '0']],
    ['bob', 'draft=false', ['dba', '3']],
    ['bob', 'pre-release=true', ['b', '1']],
    ['bob', 'pre-release=false&draft=false', ['da', '2']],
    ['bob', 'q=STEAM', ['b', '1']],
    ['bob', 'q=%25', ['', '0']],
    ['bob', 'limit=2&page=2', ['ba', '4']],
  ] as const)
    expect([as, query, await list(as, query)]).toEqual([as, query, [...expected]])
  expect((await carl.get<Release & { message?: string }>(`${L}/latest`)).body.tag_name).toBe('d')
})

test('fifty who publish the same at once are one release and one tag', async () => {
  const statuses = (
    await Promise.all(Array.from({ length: 50 }, () => ada.post<Release & { message?: string }>(R, { tag_name: 'rush', tag_message: 'x' })))
  ).map(({ status }) => status)
  expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([1, 49])
})
