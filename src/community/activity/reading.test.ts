import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type FeedForge, feedForge, fillPrivate } from './feed.fixture.ts'
import type { Activity } from './schema.ts'

let forge: FeedForge
let crew: number
beforeEach(async () => {
  forge = await feedForge()
  crew = await fillPrivate(forge)
})
afterEach(() => forge[Symbol.asyncDispose]())

const everyone = [undefined, 'cara', 'bob', 'ada', 'root1'] as const
const all = ['acme/other', 'acme/tool', 'ada/secret', 'ada/engine']
const open = ['acme/other', 'ada/engine']
const tools = ['acme/other', 'acme/tool']

/** By path, which repositories' creation is told to each of `everyone`, or the status of the answer. */
const sights: [path: string, (string[] | number)[]][] = [
  ['/users/ada/activities/feeds', [open, open, all, all, all]],
  ['/users/ada/activities/feeds?only-performed-by=true', [open, open, all, all, all]],
  // Bob's team watches the tool.
  ['/users/bob/activities/feeds', [[], [], ['acme/tool'], ['acme/tool'], ['acme/tool']]],
  ['/orgs/acme/activities/feeds', [['acme/other'], ['acme/other'], tools, tools, tools]],
  ['/teams/CREW/activities/feeds', [401, 404, ['acme/tool'], ['acme/tool'], ['acme/tool']]],
  ['/repos/ada/engine/activities/feeds', Array(5).fill(['ada/engine'])],
  ['/repos/ada/secret/activities/feeds', [404, 404, ['ada/secret'], ['ada/secret'], ['ada/secret']]],
  ['/users/nobody/activities/feeds', [404, 404, 404, 404, 404]],
  ['/users/acme/activities/feeds', [['acme/other'], ['acme/other'], tools, tools, tools]],
  ['/orgs/ada/activities/feeds', [404, 404, 404, 404, 404]],
]

test('everybody is told of what happens where they may look, and of nothing else', async () => {
  for (const [path, sight] of sights) {
    for (const [i, as] of everyone.entries()) {
      const { status, body, headers } = await forge.asUser(as).get<Activity[]>(path.replace('CREW', String(crew)))
      const seen = status === 200 ? body.map(({ repo }) => repo.full_name) : status
      expect([path, as, seen]).toEqual([path, as, sight[i]])
      if (status === 200) expect(headers.get('x-total-count')).toBe(String(body.length))
    }
  }
})

test('each feed says whose it is, and whether the repository is private', async () => {
  const { body: org } = await forge.ask<{ id: number }>('GET /orgs/acme')
  const ownersOf = async (path: string) => (await forge.feed(path, 'bob')).map(({ user_id, act_user_id, is_private }) => [user_id, act_user_id, is_private])
  expect(await ownersOf('/orgs/acme/activities/feeds')).toEqual([
    [org.id, 1, false],
    [org.id, 1, true],
  ])
  expect(await ownersOf(`/teams/${crew}/activities/feeds`)).toEqual([[org.id, 1, true]])
  expect(await ownersOf('/repos/ada/secret/activities/feeds')).toEqual([[1, 1, true]])
  await forge.ask('PUT /repos/ada/secret/subscription', { as: 'bob' })
  expect(await ownersOf('/users/bob/activities/feeds')).toEqual([
    [2, 1, true],
    [2, 1, true],
  ])
})

test('a token shows no more than its scopes', async () => {
  const cases: [path: string, scopes: string[], string[] | number][] = [
    ['/users/ada/activities/feeds', ['read:user', 'read:repository'], all],
    ['/users/ada/activities/feeds', ['read:user'], open],
    ['/users/ada/activities/feeds', ['read:user', 'read:repository', 'public-only'], open],
    ['/users/ada/activities/feeds', ['read:repository'], 403],
    ['/orgs/acme/activities/feeds', ['read:organization'], ['acme/other']],
    ['/orgs/acme/activities/feeds', ['read:user'], 403],
    [`/teams/${crew}/activities/feeds`, ['read:organization', 'read:repository', 'public-only'], []],
    [`/teams/${crew}/activities/feeds`, ['read:organization', 'read:repository'], ['acme/tool']],
    ['/repos/ada/secret/activities/feeds', ['read:repository', 'public-only'], 404],
    ['/repos/ada/secret/activities/feeds', ['read:user'], 403],
  ]
  for (const [path, scopes, expected] of cases) {
    const { status, body } = await forge.asUser(forge.token('ada', ...scopes)).get<Activity[]>(path)
    const seen = status === 200 ? body.map(({ repo }) => repo.full_name) : status
    expect([path, scopes, seen]).toEqual([path, scopes, expected])
  }
})

test('who watches a repository is told what others do there, as long as they see it', async () => {
  await forge.ask('PUT /repos/ada/engine/subscription', { as: 'cara' })
  await forge.ask('POST /user/repos', { as: 'cara', body: { name: 'garden' } })
  const caras = '/users/cara/activities/feeds'
  expect(await forge.told(caras, 'cara')).toEqual(['create_repo in cara/garden', 'create_repo in ada/engine'])
  expect(await forge.told(`${caras}?only-performed-by=true`, 'cara')).toEqual(['create_repo in cara/garden'])
  forge.context.db.tx((tx) => tx.run('UPDATE repository SET is_private = 1 WHERE id = 1'))
  expect(await forge.told(caras, 'cara')).toEqual(['create_repo in cara/garden'])
  forge.context.db.tx((tx) => tx.run('UPDATE repository SET is_private = 0 WHERE id = 1'))
  await forge.ask('DELETE /repos/ada/engine/subscription', { as: 'cara' })
  expect(await forge.told(caras, 'cara')).toEqual(['create_repo in cara/garden'])
})

test('activity that is kept private is told to its actor and to site administrators', async () => {
  await forge.ask('PUT /repos/ada/engine/subscription', { as: 'bob' })
  await forge.ask('PATCH /user/settings', { as: 'ada', body: { hide_activity: true } })
  const paths = ['/users/ada/activities/feeds', '/users/bob/activities/feeds', '/orgs/acme/activities/feeds', '/repos/ada/engine/activities/feeds']
  const countFor = async (as: string | undefined) => {
    const feeds = await Promise.all(paths.map((path) => forge.feed(path, as)))
    const heatmap = await forge.ask<unknown[]>('GET /users/ada/heatmap', { as })
    return [...feeds.map((activities) => activities.length), heatmap.body.length > 0]
  }
  for (const as of [undefined, 'cara', 'bob']) expect([as, await countFor(as)]).toEqual([as, [0, 0, 0, 0, false]])
  for (const as of ['ada', 'root1']) expect([as, await countFor(as)]).toEqual([as, [4, 2, 2, 1, true]])
})

test('people whom the viewer cannot see do nothing', async () => {
  for (const [visibility, told] of Object.entries({ limited: [0, 1, 1, 1], private: [0, 0, 1, 1] })) {
    await forge.ask('PATCH /admin/users/ada', { as: 'root1', body: { login_name: 'ada', source_id: 0, visibility } })
    const counts = await Promise.all(
      [undefined, 'cara', 'ada', 'root1'].map(async (as) => (await forge.feed('/orgs/acme/activities/feeds', as)).filter(({ repo }) => !repo.private).length),
    )
    expect([visibility, counts]).toEqual([visibility, told])
  }
})

test('a feed comes in pages, and day by day', async () => {
  const at = (name: string, time: string) =>
    forge.context.db.tx((tx) =>
      tx.run('UPDATE event SET created_at = ? WHERE repo_id = (SELECT id FROM repository WHERE name = ?)', Date.parse(time) / 1000, name),
    )
  at('engine', '2026-01-30T23:59:59Z')
  at('secret', '2026-01-31T00:00:00Z')
  at('tool', '2026-01-31T23:59:59Z')
  at('other', '2026-02-01T00:00:00Z')
  const path = '/users/ada/activities/feeds'
  expect(await forge.told(`${path}?date=2026-01-31`, 'ada')).toEqual(['create_repo in acme/tool', 'create_repo in ada/secret'])
  expect(await forge.told(`${path}?date=2026-01-31`)).toEqual([])
  expect(await forge.told(`${path}?date=`, 'ada')).toHaveLength(4)
  const { body, headers } = await forge.ask<Activity[]>(`GET ${path}?limit=3&page=2`, { as: 'ada' })
  expect(body.map(({ created }) => created)).toEqual(['2026-01-30T23:59:59Z'])
  expect(headers.get('x-total-count')).toBe('4')
  expect(headers.get('link')).toContain('limit=3&page=1>; rel="first"')
})

test('what is no day is refused, in every feed', async () => {
  for (const path of ['/users/ada', '/orgs/acme', `/teams/${crew}`, '/repos/ada/engine']) {
    for (const date of ['2026-02-30', '2026-13-01', 'yesterday', '2026-1-1', '+1', '2026-01-01T00:00:00Z']) {
      const { status, body } = await forge.asUser('ada').get(`${path}/activities/feeds?date=${encodeURIComponent(date)}`)
      expect([date, status, body.message]).toEqual([date, 422, expect.stringMatching(/^\[date\]: .*expected a date such as 2026-01-31$/)])
    }
  }
})

test('a heatmap counts what a person did by quarters of an hour, for a year and a week', async () => {
  const now = Math.floor(forge.context.clock.seconds() / 900) * 900
  const at = [now - 373 * 86_400 - 900, now - 86_400, now - 86_400 + 899, now - 86_400 + 900]
  for (const [i, time] of at.entries()) forge.context.db.tx((tx) => tx.run('UPDATE event SET created_at = ? WHERE repo_id = ?', time, i + 1))
  const bins = (...counts: [number, number][]) => counts.map(([timestamp, contributions]) => ({ timestamp, contributions }))
  expect((await forge.ask<unknown[]>('GET /users/ada/heatmap', { as: 'ada' })).body).toEqual(bins([now - 86_400, 2], [now - 85_500, 1]))
  expect((await forge.ask<unknown[]>('GET /users/ada/heatmap')).body).toEqual(bins([now - 85_500, 1]))
  expect((await forge.ask<unknown[]>('GET /users/cara/heatmap')).body).toEqual([])
  expect((await forge.get('/users/nobody/heatmap')).status).toBe(404)
})

test('what happened in a repository while it was private is told of its people, once it is public, to those who saw it then', async () => {
  await forge.ask('POST /repos/ada/secret/issues', { as: 'ada', body: { title: 'Hush' } })
  await forge.ask('PATCH /repos/ada/secret', { as: 'ada', body: { private: false } })
  const told = async (path: string, as?: string) => (await forge.told(path, as)).filter((line) => line.endsWith('ada/secret'))
  const toldTo = (as?: string) => told('/users/ada/activities/feeds?only-performed-by=true', as)
  const before = ['create_issue in ada/secret', 'create_repo in ada/secret']
  for (const as of [undefined, 'cara']) expect([as, await toldTo(as)]).toEqual([as, []])
  for (const as of ['bob', 'ada', 'root1']) expect([as, await toldTo(as)]).toEqual([as, before])
  expect(await told('/repos/ada/secret/activities/feeds')).toEqual(before)
  const sumFor = async (as: string) =>
    (await forge.ask<{ contributions: number }[]>('GET /users/ada/heatmap', { as })).body.reduce((sum, one) => sum + one.contributions, 0)
  // Besides, bob alone sees acme/tool.
  expect((await sumFor('bob')) - (await sumFor('cara'))).toBe(3)
  await forge.ask('POST /repos/ada/secret/issues', { as: 'ada', body: { title: 'Hello' } })
  expect(await toldTo()).toEqual(['create_issue in ada/secret'])
})
