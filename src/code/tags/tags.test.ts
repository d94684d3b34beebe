import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import { updateRefs, writeDerived } from '#repositories/refs/index.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { Tag } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
let path: string

const create = (body: unknown, as = 'ada', repo = 'ada/it') => forge.asUser(as).post<Tag & { message: string }>(`/repos/${repo}/tags`, body)
const remove = (name: string, as = 'ada', repo = 'ada/it') => forge.asUser(as).delete(`/repos/${repo}/tags/${name}`)
const rev = (name: string) => gitIn(path, 'rev-parse', name).trim()

beforeAll(async () => {
  for (const name of ['ada', 'bob', 'cyd']) await forge.person(name)
  for (const name of ['it', 'empty', 'mirror']) await ada.post('/user/repos', { name })
  for (const id of [1, 3]) fillRepo(forge, id, makeHistory)
  forge.context.db.tx((tx) => tx.update('repository', 3, { is_mirror: 1 }))
  await ada.put('/repos/ada/it/collaborators/bob', { permission: 'write' })
  path = forge.context.git.pathOf(1)
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  gitIn(directory, 'commit', '-qm', 'first', '--allow-empty')
  gitIn(directory, 'tag', '-am', 'old', 'taken/x')
  gitIn(directory, 'commit', '-qm', 'second', '--allow-empty')
  gitIn(directory, 'branch', 'topic/x')
}

describe('POST', () => {
  test.each([
    ['light', {}, 'main'],
    ['of-branch', { target: 'topic/x' }, 'topic/x'],
    ['of/tag', { target: 'taken/x' }, 'taken/x^{commit}'],
    ['ünï', { target: 'main' }, 'main'],
  ])('%s with %j tags a commit by itself', async (name, more, target) => {
    const { status, body } = await create({ tag_name: name, ...more })
    expect([status, body.name, body.id, body.commit.sha]).toEqual([201, name, rev(target), rev(target)])
    expect((await remove(encodeURIComponent(name))).status).toBe(204)
  })

  test('with a message makes a tag object that git reads', async () => {
    const { status, body } = await create({ tag_name: 'v2', message: 'Second\n\nWith more.', target: rev('main') })
    await writeDerived(forge.context, 1, true)
    expect([status, body.message, body.commit.sha]).toEqual([201, 'Second\n\nWith more.', rev('main')])
    expect([rev('v2'), rev('v2^{commit}'), gitIn(path, 'cat-file', '-t', 'v2')]).toEqual([body.id, rev('main'), 'tag\n'])
    expect(gitIn(path, 'for-each-ref', '--format=%(taggername) %(contents:subject)', 'refs/tags/v2')).toBe('ada Second\n')
    expect(gitIn(path, 'fsck', '--strict')).toBe('')
    expect(forge.context.events.after(0, 1000).at(-1)?.event).toMatchObject({ type: 'push', changes: [{ name: 'refs/tags/v2', after: body.id }] })
    await remove('v2')
  })

  test.each([
    [{ tag_name: 'taken/x' }, 409],
    [{ tag_name: 'taken' }, 409],
    [{ tag_name: 'taken/x/y', message: 'm' }, 409],
    [{ tag_name: 'x', target: 'absent' }, 404],
    [{ tag_name: 'x', target: '--exec=id' }, 404],
    [{}, 422],
    ...['', '-x', 'a..b', 'a b', 'x.lock', '../heads/x', 'a\u0007'].map((name): [object, number] => [{ tag_name: name, message: 'm' }, 422]),
  ])('%j is %i', async (body, status) => {
    await writeDerived(forge.context, 1, true)
    const before = gitIn(path, 'for-each-ref')
    expect((await create(body)).status).toBe(status)
    await writeDerived(forge.context, 1, true)
    expect(gitIn(path, 'for-each-ref')).toBe(before)
  })

  test('of twenty at once for one name, one wins', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => create({ tag_name: 'race', ...(i % 2 ? { message: `${i}` } : {}) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    await remove('race')
  })

  test('is for writers, in repositories with commits that are no mirrors or archived', async () => {
    expect((await create({ tag_name: 'x' }, 'cyd')).status).toBe(403)
    expect((await create({ tag_name: 'x' }, 'ada', 'ada/empty')).status).toBe(404)
    expect((await create({ tag_name: 'x' }, 'ada', 'ada/mirror')).status).toBe(403)
    expect((await remove('taken/x', 'ada', 'ada/mirror')).status).toBe(403)
    await ada.patch('/repos/ada/it', { archived: true })
    expect([(await create({ tag_name: 'x' })).status, (await remove('taken/x')).status]).toEqual([423, 423])
    expect((await ada.post('/repos/ada/it/tag_protections', { name_pattern: 'x', whitelist_usernames: ['ada'] })).status).toBe(423)
    await ada.patch('/repos/ada/it', { archived: false })
  })
})

test.each(['absent', '..%2Fheads%2Fmain', '%ff', '--all'])('DELETE of %s is 404', async (name) => {
  expect((await remove(name)).status).toBe(404)
})

test('a tag that a release is of stays until the release is gone', async () => {
  const release = await ada.post<{ id: number }>('/repos/ada/it/releases', { tag_name: 'given-out' })
  expect([release.status, (await remove('given-out')).status]).toEqual([201, 409])
  await ada.delete(`/repos/ada/it/releases/${release.body.id}`)
  expect((await remove('given-out')).status).toBe(204)
})

describe('tag protection', () => {
  const at = '/repos/ada/it/tag_protections'
  const protect = (body: unknown) => ada.post<{ id: number; name_pattern: string; whitelist_usernames: string[] }>(at, body)

  test('keeps all but those listed from making, moving and deleting tags, by the API and by push alike', async () => {
    const { status, body } = await protect({ name_pattern: 'v*', whitelist_usernames: ['bob'] })
    expect([status, body]).toMatchObject([201, { name_pattern: 'v*', whitelist_usernames: ['bob'], whitelist_teams: [] }])
    expect(await create({ tag_name: 'v1/rc' })).toMatchObject({ status: 422, body: { message: 'user not allowed to create protected tag' } })
    expect((await ada.post('/repos/ada/it/releases', { tag_name: 'v1/rc' })).status).toBe(422)
    expect((await create({ tag_name: 'v1', message: 'm' }, 'bob')).status).toBe(201)
    expect(await remove('v1')).toMatchObject({ status: 422, body: { message: 'user not allowed to delete protected tag' } })
    const pushed = forge.context.db.tx((tx) => {
      const updates = ['refs/tags/v1', 'refs/tags/free'].map((name) => ({ name, new: name.endsWith('v1') ? SHA1.zero : (rev('main') as never) }))
      return updateRefs(forge.context, tx, { repoId: 1, actorId: 1, message: 'push', updates })
    })
    expect(pushed).toEqual([
      { name: 'refs/tags/v1', ok: false, reason: 'Tag v1 is protected', isForbidden: true },
      { name: 'refs/tags/free', ok: true },
    ])
    expect((await remove('v1', 'bob')).status).toBe(204)
    expect((await remove('free')).status).toBe(204)
    expect((await ada.delete(`${at}/${body.id}`)).status).toBe(204)
    expect((await create({ tag_name: 'v1' })).status).toBe(201)
    await remove('v1')
  })

  test('one of several patterns that lists somebody is enough, and what is left out of an edit stays', async () => {
    const wide = await protect({ name_pattern: '/^release-[0-9]+$/', whitelist_usernames: ['bob'] })
    const narrow = await protect({ name_pattern: 'release-{1,2}', whitelist_usernames: ['Ada'] })
    expect([(await create({ tag_name: 'release-1' })).status, (await create({ tag_name: 'release-3' })).status]).toEqual([201, 422])
    expect((await create({ tag_name: 'release-x' })).status).toBe(201)
    const edited = await ada.patch(`${at}/${narrow.body.id}`, { name_pattern: 'release-9' })
    expect([edited.status, edited.body]).toMatchObject([200, { name_pattern: 'release-9', whitelist_usernames: ['ada'] }])
    expect((await remove('release-1')).status).toBe(422)
    const cleared = await ada.patch(`${at}/${wide.body.id}`, { whitelist_usernames: [] })
    expect([cleared.status, cleared.body]).toMatchObject([200, { name_pattern: '/^release-[0-9]+$/', whitelist_usernames: [] }])
    expect((await remove('release-1', 'bob')).status).toBe(422)
    expect((await ada.get<unknown[]>(at)).body).toHaveLength(2)
  })

  test.each([
    [{ whitelist_usernames: ['ada'] }, 400],
    [{ name_pattern: ' ', whitelist_usernames: ['ada'] }, 400],
    [{ name_pattern: 'x' }, 400],
    [{ name_pattern: 'x', whitelist_usernames: [], whitelist_teams: [] }, 400],
    [{ name_pattern: 'release-9', whitelist_usernames: ['ada'] }, 403],
    [{ name_pattern: 'x', whitelist_usernames: ['nobody'] }, 422],
    [{ name_pattern: '/(/', whitelist_usernames: ['ada'] }, 422],
    [{ name_pattern: '/a{9999}/', whitelist_usernames: ['ada'] }, 422],
    [{ name_pattern: '/.{1000}.{1000}/', whitelist_usernames: ['ada'] }, 422],
    [{ name_pattern: '{x', whitelist_usernames: ['ada'] }, 422],
  ])('POST of %j is %i', async (body, status) => {
    expect((await protect(body)).status).toBe(status)
    expect((await ada.get<unknown[]>(at)).body).toHaveLength(2)
  })

  test('a pattern that makes others run for ever does not hold the server up', async () => {
    const { status, body } = await protect({ name_pattern: '/^(a+)+$/', whitelist_usernames: ['bob'] })
    expect([status, (await create({ tag_name: `${'a'.repeat(200)}b` })).status]).toEqual([201, 201])
    await ada.delete(`${at}/${body.id}`)
  })

  test('is seen and changed by administrators of the repository alone', async () => {
    for (const as of ['bob', 'cyd']) expect((await forge.asUser(as).get(at)).status).toBe(403)
    expect((await ada.get(`${at}/99`)).status).toBe(404)
    expect((await ada.get('/repos/ada/empty/tag_protections/2')).status).toBe(404)
  })
})

test('teams of the owning organization may be listed; who leaves the team may no more', async () => {
  await ada.post('/orgs', { username: 'crew' })
  const team = await ada.post<{ id: number }>('/orgs/crew/teams', {
    name: 'Releasers',
    permission: 'write',
    units: ['repo.code'],
    includes_all_repositories: true,
  })
  await ada.put(`/teams/${team.body.id}/members/bob`)
  await ada.post('/orgs/crew/repos', { name: 'ship', auto_init: true })
  const body = { name_pattern: '*', whitelist_teams: ['releasers'] }
  const protection = await ada.post('/repos/crew/ship/tag_protections', body)
  expect([protection.status, protection.body]).toMatchObject([201, { whitelist_teams: ['Releasers'] }])
  expect((await ada.post('/repos/crew/ship/tag_protections', { name_pattern: 'y', whitelist_teams: ['nobody'] })).status).toBe(422)
  expect((await create({ tag_name: 'v1' }, 'ada', 'crew/ship')).status).toBe(422)
  expect((await create({ tag_name: 'v1' }, 'bob', 'crew/ship')).status).toBe(201)
  await ada.delete(`/teams/${team.body.id}/members/bob`)
  expect((await remove('v1', 'bob', 'crew/ship')).status).not.toBe(204)
})
