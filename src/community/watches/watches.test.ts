import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Interests } from '#access/hooks.ts'
import { forgetLeaver, Leavers } from '#people/leaving/index.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import type { WatchInfo } from './schema.ts'

let forge: TestForge
const who: Record<string, Person | undefined> = {}

/** ada owns `open` and `secret`, which cai may read; lim and hid are accounts of limited and private visibility. Nobody watches yet. */
beforeAll(async () => {
  forge = testForge({ service: { AUTO_WATCH_NEW_REPOS: false } })
  for (const name of ['ada', 'bob', 'cai']) who[name] = await forge.person(name)
  who.lim = await forge.person('lim', { visibility: 'limited' })
  who.hid = await forge.person('hid', { visibility: 'private' })
  who.root = await forge.person('root1', { isAdmin: true })
  forge.repo(who.ada as Person, 'open')
  forge.repo(who.ada as Person, 'secret', { private: true })
  await ask('ada', 'PUT /repos/ada/secret/collaborators/cai', { permission: 'read' })
})
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(() => forge.context.db.tx((tx) => tx.run('DELETE FROM watch')))

const ask = <T = unknown>(name: string, line: string, body?: unknown) => forge.call<T>(line, { as: who[name], body })
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
  const replies = await Promise.all(everyone.map((name) => ask(name, line)))
  expect(replies.map(({ status }) => status)).toEqual(statuses)
})

interface Repo {
  full_name: string
  watchers_count: number
}
const watchedBy = async (viewer: string, name: string) => (await ask<Repo[]>(viewer, `GET /users/${name}/subscriptions`)).body.map((repo) => repo.full_name)
const watchersOf = async (line: string) => (await ask<Repo>('ada', `GET ${line}`)).body.watchers_count
const watchers = async (viewer: string, line: string) => (await ask<{ login: string }[]>(viewer, `GET ${line}/subscribers`)).body.map(({ login }) => login)
const setMode = (name: string, mode: string) =>
  forge.context.db.tx((tx) => tx.run('UPDATE watch SET mode = ?, created_at = 1 WHERE user_id = ?', mode, who[name]?.row.id ?? 0))

describe('a watch', () => {
  test('tells since when and of what, and is there once however often it is asked for', async () => {
    const url = `${forge.context.rootUrl}api/v1/repos/ada/open`
    const first = await ask<WatchInfo>('bob', 'PUT /repos/ada/open/subscription')
    expect(first.body).toEqual({
      subscribed: true,
      ignored: false,
      reason: null,
      created_at: expect.stringMatching(/^20/),
      url: `${url}/subscription`,
      repository_url: url,
    })
    setMode('bob', 'normal')
    expect((await ask<WatchInfo>('bob', 'PUT /repos/ada/open/subscription')).body.created_at).toBe('1970-01-01T00:00:01Z')
    expect((await ask<WatchInfo>('bob', 'GET /repos/ada/open/subscription')).body.subscribed).toBe(true)
    expect(await watchersOf('/repos/ada/open')).toBe(1)
  })

  test('ends, and ending it twice is no error', async () => {
    await ask('bob', 'PUT /repos/ada/open/subscription')
    for (const _ of [1, 2]) expect((await ask('bob', 'DELETE /repos/ada/open/subscription')).status).toBe(204)
    expect((await ask('bob', 'GET /repos/ada/open/subscription')).status).toBe(404)
    expect([await watchersOf('/repos/ada/open'), await watchers('ada', '/repos/ada/open')]).toEqual([0, []])
  })

  test('that began by itself is ignored once it was ended, until it is asked for', async () => {
    await ask('bob', 'PUT /repos/ada/open/subscription')
    setMode('bob', 'auto')
    for (const _ of [1, 2]) await ask('bob', 'DELETE /repos/ada/open/subscription')
    expect(forge.context.db.all<{ mode: string }>('SELECT mode FROM watch')).toEqual([{ mode: 'ignored' }])
    expect((await ask('bob', 'GET /repos/ada/open/subscription')).status).toBe(404)
    expect([await watchersOf('/repos/ada/open'), await watchers('ada', '/repos/ada/open'), await watchedBy('bob', 'bob')]).toEqual([0, [], []])
    const again = await ask<WatchInfo>('bob', 'PUT /repos/ada/open/subscription')
    expect([again.status, again.body.created_at === '1970-01-01T00:00:01Z', await watchersOf('/repos/ada/open')]).toEqual([200, false, 1])
  })

  test('is refused to whom the owner blocked', async () => {
    const block = { blocker_id: who.ada?.row.id ?? 0, blocked_id: who.bob?.row.id ?? 0, note: '', created_at: 1 }
    forge.context.db.tx((tx) => tx.insert('block', block))
    const reply = await ask('bob', 'PUT /repos/ada/open/subscription')
    forge.context.db.tx((tx) => tx.run('DELETE FROM block'))
    expect([reply.status, reply.body]).toEqual([403, expect.objectContaining({ message: 'user is blocked' })])
    expect(await watchersOf('/repos/ada/open')).toBe(0)
  })

  test('goes with the repository, with the person, and with all others of one owner', async () => {
    const gone = await forge.person('gone')
    for (const name of ['x', 'y']) forge.repo(who.ada as Person, name)
    forge.repo(who.cai as Person, 'other')
    for (const repo of ['ada/x', 'ada/y', 'cai/other']) await ask('bob', `PUT /repos/${repo}/subscription`)
    await forge.call('PUT /repos/ada/y/subscription', { as: gone })
    await ask('ada', 'DELETE /repos/ada/x')
    expect(await watchedBy('bob', 'bob')).toEqual(['ada/y', 'cai/other'])
    await ask('root', 'DELETE /admin/users/gone')
    expect(await watchersOf('/repos/ada/y')).toBe(1)
    const all = { after: 0, until: Number.MAX_SAFE_INTEGER, parting: 1 }
    forge.context.db.tx((tx) => forge.context.services.get(Interests).watching.dropOf(tx, who.bob?.row.id ?? 0, who.ada?.row.id ?? 0, all))
    expect([await watchedBy('bob', 'bob'), await watchersOf('/repos/ada/y')]).toEqual([['cai/other'], 0])
  })
})

describe('lists of what people watch', () => {
  test('show each viewer what that viewer may see', async () => {
    for (const repo of ['open', 'secret']) await ask('cai', `PUT /repos/ada/${repo}/subscription`)
    const seen = await Promise.all(['bob', 'cai', 'ada', 'root'].map((viewer) => watchedBy(viewer, 'cai')))
    expect(seen).toEqual([['ada/open'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret'], ['ada/open', 'ada/secret']])
  })

  test('no longer show what the person may no longer see', async () => {
    await ask('cai', 'PUT /repos/ada/secret/subscription')
    await ask('ada', 'DELETE /repos/ada/secret/collaborators/cai')
    const reply = await ask('cai', 'GET /user/subscriptions')
    await ask('ada', 'PUT /repos/ada/secret/collaborators/cai', { permission: 'read' })
    expect([reply.body, reply.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  test('come in pages', async () => {
    for (const repo of ['open', 'secret']) await ask('cai', `PUT /repos/ada/${repo}/subscription`)
    const reply = await ask<Repo[]>('cai', 'GET /user/subscriptions?limit=1')
    expect(reply.body.map((repo) => repo.full_name)).toEqual(['ada/open'])
    expect(reply.headers.get('x-total-count')).toBe('2')
    expect(reply.headers.get('link')).toContain('page=2')
  })

  test('tell a token without the scope for repositories of public ones alone', async () => {
    for (const repo of ['open', 'secret']) await ask('cai', `PUT /repos/ada/${repo}/subscription`)
    for (const line of ['GET /user/subscriptions', 'GET /users/cai/subscriptions']) {
      const names = async (...scopes: string[]) =>
        (await forge.call<Repo[]>(line, { as: forge.token(who.cai as Person, ...scopes) })).body.map((r) => r.full_name)
      expect(await names('read:user')).toEqual(['ada/open'])
      expect(await names('read:user', 'read:repository')).toEqual(['ada/open', 'ada/secret'])
      expect(await names('all', 'public-only')).toEqual(['ada/open'])
      expect((await forge.call(line, { as: forge.token(who.cai as Person, 'read:repository') })).status).toBe(403)
    }
  })
})

test('subscribers are those whom the viewer may see', async () => {
  for (const name of ['bob', 'lim', 'hid']) await ask(name, 'PUT /repos/ada/open/subscription')
  const seen = await Promise.all(['nobody', 'ada', 'hid', 'root'].map((viewer) => watchers(viewer, '/repos/ada/open')))
  expect(seen).toEqual([['bob'], ['bob', 'lim'], ['bob', 'lim', 'hid'], ['bob', 'lim', 'hid']])
  const page = await ask<{ login: string }[]>('ada', 'GET /repos/ada/open/subscribers?limit=1&page=2')
  expect([page.body.map(({ login }) => login), page.headers.get('x-total-count')]).toEqual([['lim'], '2'])
})

describe('a new repository', () => {
  test('is watched by who creates it', async () => {
    await using watchful = testForge()
    const ada = await watchful.person('ada')
    const root = await watchful.person('root1', { isAdmin: true })
    const { body } = await watchful.call('POST /user/repos', { as: ada, body: { name: 'mine' } })
    expect(body.watchers_count).toBe(1)
    expect((await watchful.call('GET /repos/ada/mine/subscription', { as: ada })).status).toBe(200)
    await watchful.call('POST /orgs', { as: ada, body: { username: 'acme' } })
    await watchful.call('POST /orgs/acme/repos', { as: root, body: { name: 'ours' } })
    expect((await watchful.call('GET /repos/acme/ours/subscription', { as: root })).status).toBe(200)
    expect((await watchful.call('GET /repos/acme/ours/subscription', { as: ada })).status).toBe(404)
  })

  test('is watched by nobody when the setting says so', async () => {
    expect((await ask<Repo>('ada', 'POST /user/repos', { name: 'quiet' })).body.watchers_count).toBe(0)
  })
})

test('turning private ends the watches and stars of those who no longer see the repository', async () => {
  await ask('ada', 'POST /orgs', { username: 'acme' })
  await ask('ada', 'POST /orgs/acme/repos', { name: 'closing' })
  const team = await ask<{ id: number }>('ada', 'POST /orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })
  await ask('ada', `PUT /teams/${team.body.id}/members/lim`)
  await ask('ada', `PUT /teams/${team.body.id}/repos/acme/closing`)
  await ask('ada', 'PUT /repos/acme/closing/collaborators/cai', { permission: 'read' })
  for (const name of ['ada', 'bob', 'cai', 'lim', 'hid', 'root']) {
    await ask(name, 'PUT /repos/acme/closing/subscription')
    await ask(name, 'PUT /user/starred/acme/closing')
  }
  expect(await watchers('root', '/repos/acme/closing')).toEqual(['ada', 'bob', 'cai', 'lim', 'hid', 'root1'])
  const { body } = await ask('ada', 'PATCH /repos/acme/closing', { private: true })
  expect(body).toMatchObject({ watchers_count: 4, stars_count: 4 })
  expect(await watchers('root', '/repos/acme/closing')).toEqual(['ada', 'cai', 'lim', 'root1'])
  await ask('ada', 'PATCH /repos/acme/closing', { private: false })
  expect([await watchedBy('bob', 'bob'), (await ask('bob', 'GET /user/starred/acme/closing')).status]).toEqual([[], 404])
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
    await ask('ada', 'POST /orgs', { username: 'acme' })
    for (const [name, isPrivate] of Object.entries({ plans: true, wares: false })) await ask('ada', 'POST /orgs/acme/repos', { name, private: isPrivate })
    const team = await ask<{ id: number }>('ada', 'POST /orgs/acme/teams', {
      name: crypto.randomUUID(),
      permission: 'read',
      units_map: { 'repo.code': 'read' },
    })
    const say = (line: string) => ask('ada', line.replace('TEAM', String(team.body.id)), line.includes('collaborators') ? { permission: 'read' } : undefined)
    for (const line of begin) expect((await say(line)).status).toBe(204)
    for (const name of ['plans', 'wares']) expect((await ask('bob', `PUT /repos/acme/${name}/subscription`)).status).toBe(200)
    expect((await ask('bob', 'PUT /user/starred/acme/plans')).status).toBe(204)
    expect(await watchers('ada', '/repos/acme/plans')).toContain('bob')
    expect((await say(end)).status).toBe(204)
    expect(await watchers('ada', '/repos/acme/plans')).not.toContain('bob')
    expect(await watchers('ada', '/repos/acme/wares')).toContain('bob')
    await ask('ada', 'PUT /repos/acme/plans/collaborators/bob', { permission: 'read' })
    expect(await watchedBy('bob', 'bob')).toEqual(['acme/wares'])
    expect((await ask('bob', 'GET /user/starred/acme/plans')).status).toBe(204)
    await ask('ada', 'DELETE /repos/acme/plans/collaborators/bob')
  })

  test('however much they watch, some of it at a time', async () => {
    const ada = who.ada as Person
    const ids = Array.from({ length: 250 }, (_, i) => forge.repo(ada, `many${i}`, { private: true }).id)
    const bob = who.bob?.row.id ?? 0
    forge.context.db.tx((tx) => {
      for (const id of ids) forge.context.services.get(Interests).watching.begin(tx, bob, id, 1)
      forgetLeaver(forge.context, tx, bob, ada.row.id)
    })
    await forge.context.services.get(Leavers).run()
    expect(forge.context.db.all('SELECT * FROM watch WHERE user_id = ?', bob)).toEqual([])
    expect(forge.context.db.all('SELECT * FROM leaver')).toEqual([])
  })
})
