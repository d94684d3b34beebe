import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateHistory } from '../../../test/generate-history.ts'
import { git } from '../../../test/git.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
let ada: Person
let directory: string
let host: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let origin: string

beforeAll(async () => {
  ada = await forge.person('ada')
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  await generateHistory(join(directory, 'origin.git'), { commits: 30 })
  await git(['init', '--quiet', '--bare', join(directory, 'empty.git')])
  const script = join(import.meta.dir, '../../../test/bench/cgi-host.ts')
  host = Bun.spawn([process.execPath, script, directory], { stdout: 'pipe', stderr: 'inherit', stdin: 'ignore' })
  const { value } = await host.stdout.getReader().read()
  origin = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/origin.git`
})
afterAll(async () => {
  host.kill()
  await forge[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

const migrate = (body: Record<string, unknown>) =>
  forge.asUser(ada).post<{ default_branch: string; message: string; full_name: string }>('/repos/migrate', body)
const exists = async (name: string) => (await forge.asUser(ada).get(`/repos/ada/${name}`)).status === 200

test('imports all branches and tags of a stock git server, with the default branch', async () => {
  const { status, body } = await migrate({ clone_addr: origin, repo_name: 'copy', description: 'A copy' })
  expect([status, body.full_name, body.default_branch]).toEqual([201, 'ada/copy', 'main'])
  const refs = (await git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags'], { cwd: join(directory, 'origin.git') })).trim()
  const { id } = forge.context.db.find<{ id: number }>("SELECT id FROM repository WHERE name = 'copy'") ?? { id: 0 }
  const stored = forge.context.db.all<{ name: string; oid: string }>('SELECT name, oid FROM ref WHERE repo_id = ? ORDER BY name', id)
  expect(stored.map(({ name, oid }) => `${name} ${oid}`).sort()).toEqual(refs.split('\n').sort())
  const [commit] = (await forge.asUser(ada).get<{ sha: string }[]>('/repos/ada/copy/commits?limit=1')).body
  expect(commit?.sha).toBe((await git(['rev-parse', 'main'], { cwd: join(directory, 'origin.git') })).trim())
})

test('imports an empty repository', async () => {
  expect((await migrate({ clone_addr: origin.replace('origin', 'empty'), repo_name: 'empty' })).status).toBe(201)
  expect(await exists('empty')).toBe(true)
})

test('imports from another Pocketforge with credentials, and shows them nowhere', async () => {
  const bob = await forge.person('bob', { password: 'correct horse battery' })
  await forge.asUser(bob).post('/user/repos', { name: 'secret', private: true, auto_init: true })
  using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => forge.app.handle(request) })
  const clone_addr = new URL('/bob/secret.git', server.url).href
  const refused = await migrate({ clone_addr, repo_name: 'theirs' })
  expect([refused.status, refused.body.message]).toEqual([422, 'Authentication failed: The remote server requires a username and a password or token.'])
  const withCredentials = clone_addr.replace('://', `://bob:${bob.token}@`)
  expect((await migrate({ clone_addr: withCredentials, repo_name: 'theirs' })).status).toBe(201)
  expect((await migrate({ clone_addr, auth_token: bob.token, repo_name: 'by-token' })).status).toBe(201)
  const { db } = forge.context
  for (const { name } of db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    expect([name, JSON.stringify(db.all(`SELECT * FROM "${name}"`)).includes(bob.token)]).toEqual([name, false])
})

test('a failed import leaves nothing behind and says why', async () => {
  for (const [clone_addr, message] of [
    [origin.replace('origin', 'none'), 'Migration failed: The remote repository does not exist, or it requires credentials'],
    ['http://169.254.169.254/a.git', 'You can not import from disallowed hosts.'],
    ['file:///srv/x.git', 'You are not allowed to import local repositories.'],
    ['/srv/x.git', 'You are not allowed to import local repositories.'],
    ['http://a.example/\r\nX: y', 'is invalid'],
    ['ssh://git@example.org/a.git', 'is invalid'],
  ] as const) {
    const { status, body } = await migrate({ clone_addr, repo_name: 'failed' })
    expect([clone_addr, status, body.message.includes(message), await exists('failed')]).toEqual([clone_addr, 422, true, false])
  }
})

test('a broken pack is rejected, and the repository is deleted', async () => {
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const response = await fetch(origin + pathname + search, {
        method: request.method,
        headers: { 'Content-Type': request.headers.get('Content-Type') ?? '', 'Git-Protocol': 'version=2' },
        body: request.method === 'POST' ? await request.arrayBuffer() : undefined,
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      const at = Buffer.from(bytes).indexOf('PACK')
      if (at >= 0) bytes[at + 200] = (bytes[at + 200] ?? 0) ^ 255
      return new Response(bytes, { headers: response.headers })
    },
  })
  const { status, body } = await migrate({ clone_addr: server.url.href, repo_name: 'broken' })
  expect([status, body.message.startsWith('Migration failed: '), await exists('broken')]).toEqual([422, true, false])
})

test('an existing name, a foreign owner and a disabled feature are rejected as in Gitea', async () => {
  await forge.person('carl')
  await forge.asUser(ada).post('/user/repos', { name: 'taken' })
  const say = async (body: Record<string, unknown>) => {
    const reply = await migrate({ clone_addr: origin, repo_name: 'new', ...body })
    return [reply.status, reply.body.message]
  }
  expect(await say({ repo_name: 'taken' })).toEqual([409, 'The repository with the same name already exists.'])
  expect((await say({ mirror: true }))[0]).toBe(422)
  expect(await say({ repo_owner: 'carl' })).toEqual([403, 'Given user is not an organization.'])
  expect((await say({ repo_owner: 'nobody-here' }))[0]).toBe(422)
  await using closed = testForge({ repository: { DISABLE_MIGRATIONS: true } })
  await closed.person('ada')
  expect((await closed.asUser('ada').post('/repos/migrate', { clone_addr: origin, repo_name: 'new' })).status).toBe(403)
})
