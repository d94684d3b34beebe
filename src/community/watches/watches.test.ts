import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Interests } from '#access/hooks.ts'
import { forgetLeaver } from '#people/leaving/index.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import type { WatchInfo } from './schema.ts'

const forge = testForge({ service: { AUTO_WATCH_NEW_REPOS: false } })
const asAda = forge.asUser('ada')
const asBob = forge.asUser('bob')
const cai = forge.asUser('cai')
const who: Record<string, Person | undefined> = {}

/** ada owns `open` and `secret`, which cai may read; lim and hid are accounts of limited and private visibility. Nobody watches yet. */
beforeAll(async () => {
  for (const name of ['ada', 'bob', 'cai']) who[name] = await forge.person(name)
  who.lim = await forge.person('lim', { visibility: 'limited' })
  who.hid = await forge.person('hid', { visibility: 'private' })
  who.root = await forge.person('root1', { isAdmin: true })
  forge.repo(who.ada as Person, 'open')
  forge.repo(who.ada as Person, 'secret', { private: true })
  await asAda.put('/repos/ada/secret/collaborators/cai', { permission: 'read' })
})
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM watch')))

const everyone = ['nobody', 'bob', 'cai', 'ada', 'root'] as const

const matrix: [line: string, statuses: number[]][] = [
  // visitor, stranger, reader of `secret`, owner, site administrator
  ['GET /user/subscriptions', [401, 200, 200, 200, 200]],
  ['GET /users/bob/subscriptions', [401, 200, 200, 200, 200]],
  ['GET /users/hid/subscriptions', [404, 404, 404, 404, 200]],
  ['GET /users/missing/subscriptions', [404, 404, 404, 404, 404]],
  ['GET /repos/ada/open/subscription', [401, 404, 404, 404, 404]],
  ['PUT /repos/ada/open/subscription', [401, 200, 200, 200, 200]],
  ['PUT /repos/ada/secret/subscription', [404, 404, 200, 200, 200]],
  ['PUT /repos/ada/missing/subscription', [404, 404, 404, 404, 404]],
  ['DELETE /repos/ada/open/subscription', [401, 204, 204, 204, 204]],
  ['DELETE /repos/ada/secret/subscription', [404, 404, 204, 204, 204]],
  ['GET /repos/ada/open/subscribers', [200, 200, 200, 200, 200]],
  ['GET /repos/ada/secret/subscribers', [404, 404, 200, 200, 200]],
]

test.each(matrix)('%s', async (line, statuses) => {
  const replies = await Promise.all(everyone.map((name) => forge.asUser(who[name]).send(line)))
  expect(replies.map(({ status }) => status)).toEqual(statuses)
})

interface Repo {
  full_name: string
  watchers_count: number
}
const watchedBy = async (viewer: string, name: string) =>
  (await forge.asUser(who[viewer]).get<Repo[]>(`/users/${name}/subscriptions`)).body.map((repo) => repo.full_name)
const watchersOf = async (line: string) => (await asAda.get<Repo>(line)).body.watchers_count
const watchers = async (viewer: string, line: string) =>
  (await forge.asUser(who[viewer]).get<{ login: string }[]>(`${line}/subscribers`)).body.map(({ login }) => login)
const setMode = (name: string, mode: string) =>
  forge.context.db.tx((tx) => tx.run('UPDATE watch SET mode = ?, created_at = 1 WHERE user_id = ?', mode, who[name]?.row.id ?? 0))

describe('a watch', () => {
  test('tells since when and of what, and is there once however often it is asked for', async () => {
    const url = `${forge.context.rootUrl}api/v1/repos/ada/open`
    const first = await asBob.put<WatchInfo>('/repos/ada/open/subscription')
    expect(first.body).toEqual({
      subscribed: true,
      ignored: false,
      reason: null,
      created_at: expect.stringMatching(/^20/),
      url: `${url}/subscription`,
      repository_url: url,
    })
    setMode('bob', 'normal')
    expect((await asBob.put<WatchInfo>('/repos/ada/open/subscription')).body.created_at).toBe('1970-01-01T00:00:01Z')
    expect((await asBob.get<WatchInfo>('/repos/ada/open/subscription')).body.subscribed).toBe(true)
    expect(await watchersOf('/repos/ada/open')).toBe(1)
  })

  test('ends, and ending it twice is no error', async () => {
    await asBob.put('/repos/ada/open/subscription')
    for (const _ of [1, 2]) expect((await asBob.delete('/repos/ada/open/subscription')).status).toBe(204)
    expect((await asBob.get('/repos/ada/open/subscription')).status).toBe(404)
    expect([await watchersOf('/repos/ada/open'), await watchers('ada', '/repos/ada/open')]).toEqual([0, []])
  })

  test('that began by itself is ignored once it was ended, until it is asked for', async () => {
    await asBob.put('/repos/ada/open/subscription')
    setMode('bob', 'auto')
    for (const _ of [1, 2]) await asBob.delete('/repos/ada/open/subscription')
    expect(forge.context.db.all<{ mode: string }>('SELECT mode FROM watch')).toEqual([{ mode: 'ignored' }])
    expect((await asBob.get('/repos/ada/open/subscription')).status).toBe(404)
    expect([await watchersOf('/repos/ada/open'), await watchers('ada', '/repos/ada/open'), await watchedBy('bob', 'bob')]).toEqual([0, [], []])
    const again = await asBob.put<WatchInfo>('/repos/ada/open/subscription')
    expect([again.status, again.body.created_at === '1970-01-01T00:00:01Z', await watchersOf('/repos/ada/open')]).toEqual([200, false, 1])
  })

  test('is refused to whom the owner blocked', async () => {
    const block = { blocker_id: who.ada?.row.id ?? 0, blocked_id: who.bob?.row.id ?? 0, note: '', created_at: 1 }
    forge.context.db.tx((tx) => tx.insert('block', block))
    const reply = await asBob.put('/repos/ada/open/subscription')
    forge.context.db.tx((tx) => tx.run('DELETE FROM block'))
    expect([reply.status, reply.body]).toEqual([403, expect.objectContaining({ message: 'user is blocked' })])
    expect(await watchersOf('/repos/ada/open')).toBe(0)
  })

  test('goes with the repository, with the person, and with all others of one owner', async () => {
    const gone = await forge.person('gone')
    for (const name of ['x', 'y']) forge.repo(who.ada as Person, name)
    forge.repo(who.cai as Person, 'other')
    for (const repo of ['ada/x', 'ada/y', 'cai/other']) await asBob.put(`/repos/${repo}/subscription`)
    await forge.asUser(gone).put('/repos/ada/y/subscription')
    await asAda.delete('/repos/ada/x')
    expect(await watchedBy('bob', 'bob')).toEqual(['ada/y', 'cai/other'])
    await forge.asUser('root1').delete('/admin/users/gone')
    expect(await watchersOf('/repos/ada/y')).toBe(1)
    const all = { after: 0, until: Number.MAX_SAFE_INTEGER, before: 1 }
    forge.context.db.tx((tx) => forge.context.services.get(Interests).watching.dropOf(tx, who.bob?.row.id ?? 0, who.ada?.row.id ?? 0, all))
    expect([await watchedBy('bob', 'bob'), await watchersOf('/repos/ada/y')]).toEqual([['cai/other'], 0])
  })
})

describe('lists of what people watch', () => {
  test('show each viewer what that viewer may see', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/repos/ada/${repo}/subscription`)
    const seen = await Promise.all(['bob', 'cai', 'ada', 'root'].map((viewer) => watchedBy(viewer, 'cai')))
    expect(seen).toEqual([['ada/open'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret']])
  })

  test('no longer show what the person may no longer see', async () => {
    await cai.put('/repos/ada/secret/subscription')
    await asAda.delete('/repos/ada/secret/collaborators/cai')
    const reply = await cai.get<unknown>('/user/subscriptions')
    await asAda.put('/repos/ada/secret/collaborators/cai', { permission: 'read' })
    expect([reply.body, reply.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  test('come in pages', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/repos/ada/${repo}/subscription`)
    const reply = await cai.get<Repo[]>('/user/subscriptions?limit=1')
    expect(reply.body.map((repo) => repo.full_name)).toEqual(['ada/open'])
    expect(reply.headers.get('x-total-count')).toBe('2')
    expect(reply.headers.get('link')).toContain('page=2')
  })

  test('tell a token without the scope for repositories of public ones alone', async () => {
    for (const repo of ['open', 'secret']) await cai.put(`/repos/ada/${repo}/subscription`)
    for (const line of ['GET /user/subscriptions', 'GET /users/cai/subscriptions']) {
      const names = async (...scopes: string[]) =>
        (await forge.asUser(forge.token(who.cai as Person, ...scopes)).send<Repo[]>(line)).body.map((r) => r.full_name)
      expect(await names('read:user')).toEqual(['ada/open'])
      expect(await names('read:user', 'read:repository')).toEqual(['ada/open', 'ada/secret'])
      expect(await names('all', 'public-only')).toEqual(['ada/open'])
      expect((await forge.asUser(forge.token(who.cai as Person, 'read:repository')).send(line)).status).toBe(403)
    }
  })
})

test('subscribers are those whom the viewer may see', async () => {
  for (const name of ['bob', 'lim', 'hid']) await forge.asUser(who[name]).put('/repos/ada/open/subscription')
  const seen = await Promise.all(['nobody', 'ada', 'hid', 'root'].map((viewer) => watchers(viewer, '/repos/ada/open')))
  expect(seen).toEqual([['bob'], ['bob', 'lim'], ['bob', 'lim', 'hid'], ['bob', 'lim', 'hid']])
  const page = await asAda.get<{ login: string }[]>('/repos/ada/open/subscribers?limit=1&page=2')
  expect([page.body.map(({ login }) => login), page.headers.get('x-total-count')]).toEqual([['lim'], '2'])
})

describe('a new repository', () => {
  test('is watched by who creates it', async () => {
    await using watchful = testForge()
    const ada = await watchful.person('ada')
    const root = await watchful.person('root1', { isAdmin: true })
    const { body } = await watchful.asUser(ada).post('/user/repos', { name: 'mine' })
    expect(body.watchers_count).toBe(1)
    expect((await watchful.asUser(ada).get('/repos/ada/mine/subscription')).status).toBe(200)
    await watchful.asUser(ada).post('/orgs', { username: 'acme' })
    await watchful.asUser(root).post('/orgs/acme/repos', { name: 'ours' })
    expect((await watchful.asUser(root).get('/repos/acme/ours/subscription')).status).toBe(200)
    expect((await watchful.asUser(ada).get('/repos/acme/ours/subscription')).status).toBe(404)
  })

  test('is watched by nobody when the setting says so', async () => {
    expect((await asAda.post<Repo>('/user/repos', { name: 'quiet' })).body.watchers_count).toBe(0)
  })
})

test('turning private ends the watches and stars of those who no longer see the repository', async () => {
  await asAda.post('/orgs', { username: 'acme' })
  await asAda.post('/orgs/acme/repos', { name: 'closing' })
  const team = await asAda.post<{ id: number }>('/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })
  await asAda.put(`/teams/${team.body.id}/members/lim`)
  await asAda.put(`/teams/${team.body.id}/repos/acme/closing`)
  await asAda.put('/repos/acme/closing/collaborators/cai', { permission: 'read' })
  for (const name of ['ada', 'bob', 'cai', 'lim', 'hid', 'root']) {
    await forge.asUser(who[name]).put('/repos/acme/closing/subscription')
    await forge.asUser(who[name]).put('/user/starred/acme/closing')
  }
  expect(await watchers('root', '/repos/acme/closing')).toEqual(['ada', 'bob', 'cai', 'lim', 'hid', 'root1'])
  const { body } = await asAda.patch('/repos/acme/closing', { private: true })
  expect(body).toMatchObject({ watchers_count: 4, stars_count: 4 })
  expect(await watchers('root', '/repos/acme/closing')).toEqual(['ada', 'cai', 'lim', 'root1'])
  await asAda.patch('/repos/acme/closing', { private: false })
  expect([await watchedBy('bob', 'bob'), (await asBob.get('/user/starred/acme/closing')).status]).toEqual([[], 404])
})

describe('who may no longer read a repository does not watch it, nor again on return, and keeps the star', () => {
  const ways: [name: string, begin: string[], end: string][] = [
    ['taken off the collaborators', ['PUT /repos/acme/plans/collaborators/bob'], 'DELETE /repos/acme/plans/collaborators/bob'],
    ['out of the team', ['PUT /teams/TEAM/repos/acme/plans', 'PUT /teams/TEAM/members/bob'], 'DELETE /teams/TEAM/members/bob'],
    ['out of the organization', ['PUT /teams/TEAM/repos/acme/plans', 'PUT /teams/TEAM/members/bob'], 'DELETE /orgs/acme/members/bob'],
    ['of a team that lost it', ['PUT /teams/TEAM/members/bob', 'PUT /teams/TEAM/repos/acme/plans'], 'DELETE /teams/TEAM/repos/acme/plans'],
    ['of a team that is gone', ['PUT /teams/TEAM/members/bob', 'PUT /teams/TEAM/repos/acme/plans'], 'DELETE /teams/TEAM'],
  ]
  test.each(ways)('%s', async (_name, begin, end) => {
    await asAda.post('/orgs', { username: 'acme' })
    for (const [name, isPrivate] of Object.entries({ plans: true, wares: false })) await asAda.post('/orgs/acme/repos', { name, private: isPrivate })
    const team = await asAda.post<{ id: number }>('/orgs/acme/teams', {
      name: crypto.randomUUID(),
      permission: 'read',
      units_map: { 'repo.code': 'read' },
    })
    for (const line of begin)
      expect(
        (await asAda.send(line.replace('TEAM', String(team.body.id)), { body: line.includes('collaborators') ? { permission: 'read' } : undefined })).status,
      ).toBe(204)
    for (const name of ['plans', 'wares']) expect((await asBob.put(`/repos/acme/${name}/subscription`)).status).toBe(200)
    expect((await asBob.put('/user/starred/acme/plans')).status).toBe(204)
    expect(await watchers('ada', '/repos/acme/plans')).toContain('bob')
    expect(
      (await asAda.send(end.replace('TEAM', String(team.body.id)), { body: end.includes('collaborators') ? { permission: 'read' } : undefined })).status,
    ).toBe(204)
    expect(await watchers('ada', '/repos/acme/plans')).not.toContain('bob')
    expect(await watchers('ada', '/repos/acme/wares')).toContain('bob')
    await asAda.put('/repos/acme/plans/collaborators/bob', { permission: 'read' })
    expect(await watchedBy('bob', 'bob')).toEqual(['acme/wares'])
    expect((await asBob.get('/user/starred/acme/plans')).status).toBe(204)
    await asAda.delete('/repos/acme/plans/collaborators/bob')
  })

  test('however much they watch, some of it at a time', async () => {
    const ada = who.ada as Person
    const ids = Array.from({ length: 250 }, (_, i) => forge.repo(ada, `many${i}`, { private: true }).id)
    const bob = who.bob?.row.id ?? 0
    forge.context.db.tx((tx) => {
      for (const id of ids) forge.context.services.get(Interests).watching.begin(tx, bob, id, 1)
      forgetLeaver(forge.context, tx, bob, ada.row.id)
    })
    await forge.context.jobs.resume()
    expect(forge.context.db.all('SELECT * FROM watch WHERE user_id = ?', bob)).toEqual([])
    expect(forge.context.db.all('SELECT * FROM job')).toEqual([])
  })
})
