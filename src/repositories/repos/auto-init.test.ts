import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gitIn, testForge } from '../../../test/harness.ts'
import type { Repository } from './schema.ts'

const forge = testForge()
beforeAll(async () => {
  await forge.person('ada', { fullName: 'Ada <King>\nLovelace' })
})
afterAll(() => forge[Symbol.asyncDispose]())

test('auto_init makes a first commit that git accepts, in the name of who asked', async () => {
  const body = {
    name: 'engine',
    description: 'It computes',
    auto_init: true,
    readme: 'Default',
    gitignores: 'Go, node',
    license: 'mit',
    default_branch: 'trunk',
  }
  const { status, body: repo } = await forge.asUser('ada').post<Repository>('/user/repos', body)
  expect([status, repo.empty, repo.default_branch, repo.size > 0]).toEqual([201, false, 'trunk', true])
  const path = forge.context.git.pathOf(repo.id)
  const tip = (await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/trunk')).body.commit.id
  gitIn(path, 'fsck', '--strict', '--full', tip)
  expect(gitIn(path, 'ls-tree', '--name-only', tip).trim().split('\n')).toEqual(['.gitignore', 'LICENSE', 'README.md'])
  expect(gitIn(path, 'log', '--format=%an <%ae>|%cn|%P|%B', tip).trim()).toBe('Ada KingLovelace <ada@example.org>|Ada KingLovelace||Initial commit')
  expect(gitIn(path, 'show', `${tip}:README.md`)).toBe('# engine\n\nIt computes')
  expect(gitIn(path, 'show', `${tip}:.gitignore`)).toMatch(/^# ---> Go\n.*\n# ---> Node\n/s)
  expect(gitIn(path, 'show', `${tip}:LICENSE`)).toContain(`Copyright (c) ${new Date().getUTCFullYear()} Ada`)
})

test('a first commit with C, C++ and MIT has the size that the tests of Gitea’s Go SDK expect', async () => {
  const body = { name: 'ToDownload', description: 'A test Repo: ToDownload', auto_init: true, gitignores: 'C,C++', license: 'MIT', readme: 'Default' }
  expect((await forge.asUser('ada').post('/user/repos', body)).status).toBe(201)
  const [commit] = (await forge.get<[{ stats: { additions: number } }]>('/repos/ada/ToDownload/commits')).body
  expect(commit.stats.additions).toBe(109)
  const archive = await forge.app.handle(new Request('http://localhost/api/v1/repos/ada/ToDownload/archive/main.zip'))
  expect(archive.status).toBe(200)
  expect((await archive.arrayBuffer()).byteLength).toBeWithin(1501, 1700)
})

test('templates are only written with auto_init, and checked without it too', async () => {
  const create = (name: string, more: object) => forge.asUser('ada').post('/user/repos', { name, ...more })
  expect((await create('bare', { license: 'MIT' })).body.empty).toBe(true)
  expect((await create('wrong', { license: 'No-Such' })).status).toBe(422)
  expect((await create('wrong', { auto_init: true, gitignores: 'Go,No-Such' })).status).toBe(422)
  expect((await forge.get('/repos/ada/wrong')).status).toBe(404)
})

test('templates can be listed and read by name', async () => {
  const [ignores, licenses, labels] = [
    (await forge.get<string[]>('/gitignore/templates')).body,
    (await forge.get<object[]>('/licenses')).body,
    (await forge.get<string[]>('/label/templates')).body,
  ]
  expect(ignores).toEqual(ignores.toSorted())
  expect(ignores.length).toBeGreaterThanOrEqual(321)
  for (const name of ignores)
    expect((await forge.get<object>(`/gitignore/templates/${encodeURIComponent(name)}`)).body).toEqual({ name, source: expect.stringMatching(/^\S.*\S\n$/s) })
  expect(licenses.length).toBeGreaterThan(500)
  expect(licenses.slice(0, 3)).toEqual(['Apache-2.0', 'MIT', '0BSD'].map((key) => expect.objectContaining({ key, name: key })))
  expect((await forge.get<object>('/licenses/Apache-2.0')).body).toMatchObject({
    key: 'Apache-2.0',
    name: 'Apache-2.0',
    body: expect.stringContaining('TERMS AND CONDITIONS'),
  })
  expect(labels).toEqual(['Default', 'Advanced'])
  expect((await forge.get<object[]>('/label/templates/Default')).body[0]).toEqual({
    name: 'bug',
    color: 'ee0701',
    description: 'Something is not working',
    exclusive: false,
  })
})

test.each(['/gitignore/templates/none', '/gitignore/templates/..%2F..%2Fetc', '/licenses/none', '/licenses/__proto__', '/label/templates/constructor'])(
  'GET %s is 404',
  async (path) => {
    expect((await forge.get(path)).status).toBe(404)
  },
)
