import { afterAll, beforeAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import type { Repository } from './schema.ts'

const forge = testForge()

beforeAll(async () => {
  for (const name of ['ada', 'bob', 'cy']) await forge.person(name)
  const repos: Record<string, string | number | null>[] = [
    { owner_id: 1, name: 'Engine', description: 'computes 100%', created_at: 5, updated_at: 1, size_bytes: 30 },
    { owner_id: 1, name: 'notes', is_private: 1, created_at: 4, updated_at: 2, size_bytes: 20 },
    { owner_id: 2, name: 'engine', fork_of: 1, created_at: 3, updated_at: 3, size_bytes: 10 },
    { owner_id: 2, name: 'mirror', is_mirror: 1, archived_at: 7, created_at: 2, updated_at: 4, size_bytes: 5 },
    { owner_id: 2, name: 'secret', is_private: 1, is_template: 1, created_at: 1, updated_at: 5, size_bytes: 1 },
  ]
  forge.context.db.tx((tx) => {
    for (const repo of repos) tx.insert('repository', { ...repo, lower_name: String(repo.name).toLowerCase(), default_branch: 'main' })
    tx.insert('collaboration', { repo_id: 5, user_id: 1, level: 'read' })
    tx.insert('star', { user_id: 3, repo_id: 4, created_at: 1 })
    tx.insert('topic', { repo_id: 1, name: 'math' })
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const [engine, notes, fork, mirror, secret] = ['ada/Engine', 'ada/notes', 'bob/engine', 'bob/mirror', 'bob/secret']

test.each<[query: string, viewer: string | undefined, found: string[]]>([
  ['', undefined, [engine, fork, mirror]],
  ['', 'ada', [engine, fork, mirror, notes, secret]],
  ['', 'cy', [engine, fork, mirror]],
  ['private=false', 'ada', [engine, fork, mirror]],
  ['is_private=true', 'ada', [notes, secret]],
  ['is_private=true', 'cy', []],
  ['is_private=false', 'ada', [engine, fork, mirror]],
  ['q=ENGINE', 'ada', [engine, fork]],
  ['q=ngin,not', 'ada', [engine, fork, notes]],
  ['q=bob/eng', 'ada', [fork]],
  ['q=%25', 'ada', []],
  ['q=100%25', 'ada', []],
  ['q=100%25&includeDesc=true', 'ada', [engine]],
  ["q='%20OR%201=1--", 'ada', []],
  ['q=_', 'ada', []],
  ['q=math', 'ada', [engine]],
  ['q=mat&topic=true', 'ada', []],
  ['q=math&topic=true', 'ada', [engine]],
  ['uid=1', 'ada', [engine, notes, secret]],
  ['uid=1', 'cy', [engine]],
  ['uid=1&exclusive=true', 'ada', [engine, notes]],
  ['uid=1&mode=collaborative', 'ada', [secret]],
  ['uid=99', 'ada', []],
  ['uid=0', 'ada', [engine, fork, mirror, notes, secret]],
  ['team_id=1', 'ada', []],
  ['starredBy=3', 'ada', [mirror]],
  ['starredBy=1', 'ada', []],
  ['template=true', 'ada', [secret]],
  ['template=false', 'ada', [engine, fork, mirror, notes]],
  ['archived=true', 'ada', [mirror]],
  ['archived=false', 'ada', [engine, fork, notes, secret]],
  ['mode=fork', 'ada', [fork]],
  ['mode=mirror', 'ada', [mirror]],
  ['mode=source', 'ada', [engine, notes, secret]],
  ['sort=alpha&order=desc', 'ada', [secret, mirror, fork, notes, engine]],
  ['sort=created', 'ada', [secret, mirror, fork, notes, engine]],
  ['sort=updated&order=desc', 'ada', [secret, mirror, fork, notes, engine]],
  ['sort=size', 'ada', [secret, mirror, fork, notes, engine]],
  ['sort=git_size&order=desc', 'ada', [engine, notes, fork, mirror, secret]],
  ['sort=id&order=desc', 'ada', [secret, mirror, fork, notes, engine]],
  ['sort=stars&order=desc&limit=1', 'ada', [mirror]],
  ['sort=forks&order=desc&limit=1', 'ada', [engine]],
  ['priority_owner_id=2', 'ada', [fork, mirror, secret, engine, notes]],
  ['limit=2&page=2', 'ada', [mirror, notes]],
  ['limit=2&page=9', 'ada', []],
])('?%s as %s finds %j', async (query, viewer, found) => {
  const { status, body } = await forge.asUser(viewer).get<{ ok: boolean; data: Repository[] }>(`/repos/search?${query}`)
  expect([status, body.ok, body.data.map((repo) => repo.full_name)]).toEqual([200, true, found])
})

const notIds = ['uid=abc', 'uid=-1', 'uid=1.5', `uid=${'9'.repeat(20)}`, 'priority_owner_id=x', 'team_id=x', 'starredBy=x']

test.each([...notIds, 'mode=other', 'sort=other', 'sort=name', 'sort=constructor', 'sort=alpha&order=up', 'order=up', `q=${'x'.repeat(1025)}`])(
  '?%s is 422',
  async (query) => {
    expect((await forge.asUser('ada').get(`/repos/search?${query}`)).status).toBe(422)
  },
)

test('the headers tell the total of all pages and lead to the others', async () => {
  const { headers } = await forge.asUser('ada').get('/repos/search?limit=2&page=2&q=e')
  expect(headers.get('x-total-count')).toBe('4')
  expect(headers.get('link')).toContain('<http://localhost:3000/api/v1/repos/search?limit=2&page=1&q=e>; rel="first"')
})

test('permissions are those of whoever asks', async () => {
  const permissions = async (as?: string) =>
    (await forge.asUser(as).get<{ ok: boolean; data: Repository[] }>('/repos/search?q=ada/engine')).body.data[0]?.permissions
  expect([await permissions(), await permissions('bob'), await permissions('ada')]).toEqual([
    { admin: false, push: false, pull: true },
    { admin: false, push: false, pull: true },
    { admin: true, push: true, pull: true },
  ])
})

test('lists of one user hold what that user owns, and of oneself what one contributes to as well', async () => {
  const names = async (line: string, as?: string) => (await forge.asUser(as).send<Repository[]>(line)).body.map((repo) => repo.full_name)
  expect(await names('GET /user/repos', 'ada')).toEqual([engine, notes, secret])
  expect(await names('GET /users/bob/repos', 'ada')).toEqual([fork, mirror, secret])
  expect(await names('GET /users/bob/repos')).toEqual([fork, mirror])
  expect((await forge.get('/users/nobody/repos')).status).toBe(404)
  expect((await forge.get('/user/repos')).status).toBe(401)
})
