import { afterAll, expect } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { Release } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

let now = 1_800_000_000
const forge = testForge({}, { clock: { seconds: () => now++, millis: () => now * 1000 } })
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
for (const name of ['ada', 'bob', 'carl']) await forge.person(name)
for (const name of ['engine', 'mill', 'lists']) await forge.call('POST /user/repos', { as: 'ada', body: { name, auto_init: true } })
await forge.call('POST /user/repos', { as: 'ada', body: { name: 'bare' } })
for (const name of ['engine', 'lists']) await forge.call(`PUT /repos/ada/${name}/collaborators/bob`, { as: 'ada', body: { permission: 'write' } })

const R = '/repos/ada/engine/releases'
const ask = <T = Release & { message?: string }>(as: string | undefined, line: string, body?: unknown) => forge.call<T>(line, { as, body })
const tagOf = async (name: string) => (await ask<{ id: string; commit: { sha: string }; message: string }>('ada', `GET /repos/ada/engine/tags/${name}`)).body
const tip = (await ask<{ commit: { id: string } }>('ada', 'GET /repos/ada/engine/branches/main')).body.commit.id
const counter = async () => (await ask<{ release_counter: number }>('ada', 'GET /repos/ada/engine')).body.release_counter

test('a release is made with its tag, read by id and by tag, changed and deleted; the tag stays', async () => {
  const made = await ask('bob', `POST ${R}`, { tag_name: 'v1/a', name: 'One', body: '**text**', prerelease: true })
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
  for (const path of [made.body.id, 'tags/v1/a', 'tags/v1%2Fa']) expect((await ask(undefined, `GET ${R}/${path}`)).body).toMatchObject({ id: made.body.id })
  expect(await counter()).toBe(1)
  const edited = await ask('bob', `PATCH ${R}/${made.body.id}`, { name: '', body: '', prerelease: false })
  expect([edited.status, edited.body]).toMatchObject([200, { name: 'One', body: '**text**', prerelease: false, created_at: made.body.created_at }])
  expect((await ask(undefined, `GET ${R}/latest`)).body.id).toBe(made.body.id)
  expect((await ask('bob', `DELETE ${R}/${made.body.id}`)).status).toBe(204)
  expect([(await ask('bob', `GET ${R}/${made.body.id}`)).status, (await ask('bob', `GET ${R}/latest`)).status, await counter()]).toEqual([404, 404, 0])
  expect((await tagOf('v1/a')).id).toBe(tip)
  const actions = context.events.after(0, 1000).flatMap(({ event }) => (event.type === 'release' ? [event.action] : []))
  expect(actions).toEqual(['published', 'updated', 'deleted'])
})

test('a message makes the tag an annotated one; a tag that is there is used', async () => {
  expect((await ask('ada', `POST ${R}`, { tag_name: 'noted', tag_message: 'See here' })).status).toBe(201)
  expect(await tagOf('noted')).toMatchObject({ message: 'See here', commit: { sha: tip } })
  expect((await tagOf('noted')).id).not.toBe(tip)
  const used = await ask('ada', `POST ${R}`, { tag_name: 'v1/a', target_commitish: 'nowhere' })
  expect([used.status, used.body.target_commitish]).toEqual([201, 'nowhere'])
  for (const tag of ['noted', 'v1/a']) expect((await ask('ada', `DELETE ${R}/tags/${tag}`)).status).toBe(204)
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
  await ask('ada', `POST ${R}`, { tag_name: 'taken' })
  const tags = async () => (await ask<{ name: string }[]>('ada', 'GET /repos/ada/engine/tags')).body.map(({ name }) => name)
  const before = await tags()
  expect((await ask('ada', `POST ${R}`, body)).status).toBe(status)
  expect(await tags()).toEqual(before)
})

test('an empty repository, one that may only be read, and one of others has no releases made in it', async () => {
  expect((await ask('ada', 'POST /repos/ada/bare/releases', { tag_name: 'v1' })).status).toBe(422)
  expect([(await ask('carl', `POST ${R}`, { tag_name: 'c' })).status, (await ask(undefined, `POST ${R}`, { tag_name: 'c' })).status]).toEqual([403, 401])
  const { id } = (await ask('ada', `POST ${R}`, { tag_name: 'mine' })).body
  for (const line of [`PATCH ${R}/${id}`, `DELETE ${R}/${id}`, `DELETE ${R}/tags/mine`]) expect((await ask('carl', line, {})).status).toBe(403)
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await ask('ada', `${method} /repos/ada/mill/releases/${id}`, method === 'GET' ? undefined : {})).status).toBe(404)
  await ask('ada', 'PATCH /repos/ada/engine', { archived: true })
  expect((await ask('ada', `POST ${R}`, { tag_name: 'late' })).status).toBe(423)
  await ask('ada', 'PATCH /repos/ada/engine', { archived: false })
})

test('a draft is for writers alone, makes no tag before it is published, and is dated then', async () => {
  const draft = (await ask('ada', `POST ${R}`, { tag_name: 'next', draft: true })).body
  expect((await ask('ada', 'GET /repos/ada/engine/tags/next')).status).toBe(404)
  const reading = forge.token('bob', 'read:repository')
  for (const [as, status] of [
    ['bob', 200],
    ['carl', 404],
    [undefined, 404],
    [reading, 404],
  ] as const)
    for (const path of [String(draft.id), 'tags/next', `${draft.id}/assets`]) expect([as, (await ask(as, `GET ${R}/${path}`)).status]).toEqual([as, status])
  const listed = async (as: string | undefined) => (await ask<Release[]>(as, `GET ${R}?draft=true`)).body.map(({ tag_name }) => tag_name)
  expect(await listed('bob')).toEqual(['next'])
  for (const as of ['carl', undefined, reading]) expect(await listed(as)).not.toContain('next')
  const published = await ask('bob', `PATCH ${R}/${draft.id}`, { draft: false })
  expect(published.body.created_at > draft.created_at).toBe(true)
  expect((await tagOf('next')).id).toBe(tip)
  expect((await ask('carl', `GET ${R}/${draft.id}`)).status).toBe(200)
  const other = (await ask('ada', `POST ${R}`, { tag_name: 'never', target_commitish: 'nowhere', draft: true })).body
  expect((await ask('ada', `PATCH ${R}/${other.id}`, { draft: false })).status).toBe(404)
  expect((await ask('ada', `GET ${R}/${other.id}`)).body.draft).toBe(true)
})

test('lists go by date, are filtered, and come page by page', async () => {
  const L = '/repos/ada/lists/releases'
  for (const [tag, more] of [
    ['a', {}],
    ['b', { prerelease: true, body: 'Steam' }],
    ['c', { draft: true }],
    ['d', {}],
  ] as const)
    await ask('ada', `POST ${L}`, { tag_name: tag, ...more })
  const list = async (as: string, query: string) => {
    const { body, headers } = await ask<Release[]>(as, `GET ${L}?${query}`)
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
  expect((await ask('carl', `GET ${L}/latest`)).body.tag_name).toBe('d')
})

test('fifty who publish the same at once are one release and one tag', async () => {
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => ask('ada', `POST ${R}`, { tag_name: 'rush', tag_message: 'x' })))).map(
    ({ status }) => status,
  )
  expect([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length]).toEqual([1, 49])
})
