import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

/** Who asks, in the order of the table's columns. */
const roles = ['anonymous', 'stranger', 'reader', 'writer', 'admin', 'owner', 'root'] as const

/** `reading` and friends: the status for each role, in a private repository. */
const reading = [404, 404, 200, 200, 200, 200, 200]
const writing = (status: number) => [404, 404, 403, status, status, status, status]
const administering = (status: number) => [404, 404, 403, 403, status, status, status]
const owning = (status: number) => [404, 404, 403, 403, 403, status, status]

const table: [line: string, body: unknown, statuses: number[]][] = [
  ['GET /repos/owner/it', undefined, reading],
  ['GET /repositories/1', undefined, reading],
  ['GET /repos/owner/it/branches', undefined, reading],
  ['GET /repos/owner/it/branches/feature/one', undefined, reading],
  ['GET /repos/owner/it/commits', undefined, reading],
  ['GET /repos/owner/it/git/commits/main', undefined, reading],
  ['GET /repos/owner/it/git/refs', undefined, reading],
  ['GET /repos/owner/it/git/refs/heads', undefined, reading],
  ['GET /repos/owner/it/git/trees/main', undefined, reading],
  ['GET /repos/owner/it/tags', undefined, reading],
  ['GET /repos/owner/it/tags/v1', undefined, reading],
  ['GET /repos/owner/it/contents', undefined, reading],
  ['GET /repos/owner/it/contents/a.txt', undefined, reading],
  ['GET /repos/owner/it/raw/a.txt', undefined, reading],
  ['GET /repos/owner/it/media/a.txt', undefined, reading],
  ['POST /repos/owner/it/branches', { new_branch_name: '' }, writing(422)],
  ['POST /repos/owner/it/branches', { new_branch_name: 'main' }, writing(409)],
  ['DELETE /repos/owner/it/branches/none', undefined, writing(404)],
  ['PATCH /repos/owner/it', { description: 'changed' }, administering(200)],
  ['DELETE /repos/owner/none', undefined, [404, 404, 404, 404, 404, 404, 404]],
]

const levels: Record<string, string> = { reader: 'read', writer: 'write', admin: 'admin' }
const forge = testForge()

beforeAll(async () => {
  for (const name of ['owner', 'stranger', 'reader', 'writer', 'admin']) await forge.person(name)
  await forge.person('root', { isAdmin: true })
  await forge.asUser('owner').post('/user/repos', { name: 'it', private: true })
  await forge.asUser('owner').post('/user/repos', { name: 'open' })
  for (const id of [1, 2]) fillRepo(forge, id, makeHistory)
  forge.context.db.tx((tx) => {
    for (const [name, level] of Object.entries(levels)) {
      const { id } = tx.find<{ id: number }>('SELECT id FROM user WHERE name = ?', name) as { id: number }
      for (const repo of [1, 2]) tx.run('INSERT INTO collaboration (repo_id, user_id, level) VALUES (?, ?, ?)', repo, id, level)
    }
  })
})

afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  Bun.spawnSync(['sh', '-c', 'echo a > a.txt'], { cwd: directory })
  gitIn(directory, 'add', '.')
  gitIn(directory, 'commit', '-qm', 'first')
  gitIn(directory, 'tag', 'v1')
  gitIn(directory, 'branch', 'feature/one')
}

const caller = (role: (typeof roles)[number]) => (role === 'anonymous' ? undefined : role)

describe('in a private repository', () => {
  test.each(table)('%s %j answers each role as it may', async (line, body, statuses) => {
    const answers = []
    for (const role of roles) answers.push((await forge.asUser(caller(role)).send(line, { body })).status)
    expect(answers).toEqual(statuses)
  })

  test('only its owner and site administrators delete it', async () => {
    const answers = []
    for (const role of roles.slice(0, 5)) answers.push((await forge.asUser(caller(role)).delete('/repos/owner/it')).status)
    expect(answers).toEqual(owning(204).slice(0, 5))
  })

  test('what a stranger gets is what a name that was never there gets', async () => {
    for (const line of ['GET /repos/owner/it', 'GET /repos/owner/it/branches', 'DELETE /repos/owner/it', 'PATCH /repos/owner/it']) {
      const body = line.startsWith('PATCH') ? { name: 'x'.repeat(500) } : undefined
      const hidden = await forge.asUser('stranger').send(line, { body })
      const absent = await forge.asUser('stranger').send(line.replace('owner/it', 'owner/absent'), { body })
      expect([hidden.status, hidden.body, [...hidden.headers.keys()]]).toEqual([absent.status, absent.body, [...absent.headers.keys()]])
    }
  })
})

describe('in a public repository', () => {
  test.each(table.filter(([line]) => line.startsWith('GET')))('%s can be read by everybody', async (line) => {
    for (const role of roles) {
      const { status } = await forge.asUser(caller(role)).send(line.replace('owner/it', 'owner/open').replace('repositories/1', 'repositories/2'))
      expect([role, status]).toEqual([role, 200])
    }
  })

  test('visitors are asked to sign in before they change anything, others are refused', async () => {
    const create = { body: { new_branch_name: 'x' } }
    expect((await forge.post('/repos/owner/open/branches', create.body)).status).toBe(401)
    expect((await forge.asUser('stranger').post('/repos/owner/open/branches', create.body)).status).toBe(403)
    expect((await forge.delete('/repos/owner/open')).status).toBe(401)
  })
})

test.each([
  ['GET /repos/owner/it', ['read:user'], 403],
  ['GET /repos/owner/it', ['read:repository'], 200],
  ['PATCH /repos/owner/it', ['read:repository'], 403],
  ['PATCH /repos/owner/it', ['write:repository'], 200],
  ['GET /repos/owner/it', ['all', 'public-only'], 404],
  ['GET /repos/owner/it/raw/a.txt', ['read:repository', 'public-only'], 404],
  ['GET /repos/owner/open/raw/a.txt', ['read:repository', 'public-only'], 200],
  ['GET /user/repos', ['read:user'], 403],
  ['GET /user/repos', ['read:user', 'read:repository'], 200],
  ['GET /users/owner/repos', ['read:user'], 403],
  ['GET /repos/search', ['read:issue'], 403],
  ['GET /repos/search', ['read:repository'], 200],
])('%s with scopes %j answers %i', async (line, scopes, status) => {
  const token = forge.token('owner', ...(scopes as string[]))
  expect((await forge.asUser(token).send(line as string, { body: (line as string).startsWith('PATCH') ? {} : undefined })).status).toBe(status as number)
})

interface Named {
  name: string
}

test('a token for public things only lists nothing else', async () => {
  const token = forge.token('owner', 'read:repository', 'read:user', 'public-only')
  for (const line of ['GET /repos/search', 'GET /repos/search?private=true&uid=1', 'GET /user/repos', 'GET /users/owner/repos']) {
    const { body } = await forge.asUser(token).send<Named[] | { data: Named[] }>(line)
    expect(('data' in body ? body.data : body).map((repo) => repo.name)).toEqual(['open'])
  }
})

test('a token for public things only neither makes nor hides what it could not see', async () => {
  const as = forge.token('owner', 'all', 'public-only')
  const asAs = forge.asUser(as)
  const refused = { message: 'token scope is limited to public repositories and organizations' }
  for (const [line, body] of [
    ['POST /user/repos', { name: 'dark', private: true }],
    ['PATCH /repos/owner/open', { private: true }],
    ['POST /orgs', { username: 'dark', visibility: 'private' }],
    ['POST /orgs', { username: 'dark', visibility: 'limited' }],
  ] as const) {
    const reply = await asAs.send(line, { body })
    expect([line, reply.status, reply.body]).toEqual([line, 403, expect.objectContaining(refused)])
  }
  expect((await asAs.post('/orgs', { username: 'bright' })).status).toBe(201)
  for (const line of ['POST /orgs/bright/repos', 'POST /org/bright/repos']) {
    expect((await asAs.send(line, { body: { name: 'dark', private: true } })).status).toBe(403)
  }
  expect((await asAs.post('/orgs/bright/repos', { name: 'lit' })).status).toBe(201)
  expect((await asAs.patch('/orgs/bright', { visibility: 'limited' })).status).toBe(403)
  expect((await asAs.patch('/orgs/bright', { description: 'x' })).status).toBe(200)
  expect((await forge.asUser('owner').delete('/repos/bright/lit')).status).toBe(204)
})
