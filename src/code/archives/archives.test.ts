import { afterAll, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, testForge } from '../../../test/harness.ts'
import { archiveDirectory } from './cache.ts'
import { dropOrphans } from './cleanup.ts'

const forge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
for (const name of ['ada', 'bob']) await forge.person(name)
for (const [name, isPrivate] of [
  ['engine', false],
  ['secret', true],
] as const)
  await ada.post('/user/repos', { name, private: isPrivate, auto_init: true, license: 'MIT' })
await ada.post('/repos/ada/engine/branches', { new_branch_name: 'feature/x' })
await ada.post('/repos/ada/engine/tags', { tag_name: 'v1.0', message: 'annotated' })
const tip = (await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')).body.commit.id

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  forge.app.handle(new Request(`http://localhost${path}`, { method, headers }))
const API = '/api/v1/repos/ada/engine/archive'
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

/** The files of an archive, as the programs that people have unpack them. */
async function listed(bytes: Uint8Array, kind: string): Promise<string[]> {
  const path = join(context.config.dataPath, `x.${kind}`)
  writeFileSync(path, bytes)
  const command = kind === 'zip' ? ['unzip', '-Z1', path] : ['tar', '-tf', path]
  return (await Bun.$`${command}`.text()).trim().split('\n').sort()
}

test.each(['zip', 'tar.gz', 'tar'])('main.%s holds the files, in a directory named like the repository', async (kind) => {
  const response = await ask(`${API}/main.${kind}`)
  expect([response.status, response.headers.get('content-disposition'), response.headers.get('content-security-policy')]).toEqual([
    200,
    `attachment; filename="engine-main.${kind}"; filename*=UTF-8''engine-main.${kind}`,
    expect.stringContaining('sandbox'),
  ])
  expect(response.headers.get('link')).toBe(`<${context.rootUrl}api/v1/repos/ada/engine/archive/${tip}.${kind}?rev=${tip}>; rel="immutable"`)
  expect(await listed(await bytesOf(response), kind)).toEqual(['engine/', 'engine/LICENSE', 'engine/README.md'])
})

test('the same bytes come by branch, tag and commit, by the addresses of pages and of older clients, and again', async () => {
  const expected = Bun.hash(await bytesOf(await ask(`${API}/${tip}.tar.gz`)))
  for (const path of [
    `${API}/main.tar.gz`,
    `${API}/feature/x.tar.gz`,
    `${API}/feature%2Fx.tar.gz`,
    `${API}/${tip.slice(0, 8)}.tar.gz`,
    '/ada/engine/archive/main.tar.gz',
    '/api/v1/repos/ada/engine/tarball/main',
  ]) {
    const response = await ask(path)
    expect([path, response.status, Bun.hash(await bytesOf(response))]).toEqual([path, 200, expected])
  }
  expect((await ask('/api/v1/repos/ada/engine/archive/main.zip', {}, 'HEAD')).headers.get('content-type')).toBe('application/zip')
  expect((await ask(`${API}/feature/x.zip`, {}, 'HEAD')).headers.get('content-disposition')).toContain('engine-feature-x.zip')
  const zipball = await ask('/api/v1/repos/ada/engine/zipball/main')
  expect(await listed(await bytesOf(zipball), 'zip')).toContain('engine/README.md')
})

test('files with export-subst name the tag that the archive was requested by, and its immutable link leads to the same bytes', async () => {
  const file = async (path: string, content: string) =>
    (await ada.post<{ commit: { sha: string } }>(`/repos/ada/subst/contents/${path}`, { content: btoa(content) })).body.commit.sha
  await ada.post('/user/repos', { name: 'subst', auto_init: true })
  await file('.gitattributes', 'VERSION export-subst\n')
  const oid = await file('VERSION', '$Format:%D|%d|%(describe)$\n')
  await ada.post('/repos/ada/subst/tags', { tag_name: 'v1.0', message: 'annotated' })
  await ada.post('/repos/ada/subst/tags', { tag_name: 'v1/light' })
  const versionIn = async (revision: string) => {
    const response = await ask(`/api/v1/repos/ada/subst/archive/${revision}`)
    const bytes = await bytesOf(response)
    return {
      version: /[^\0\n]*\|[^\0\n]*\|[^\0\n]*/.exec(Buffer.from(bytes).toString())?.[0],
      link: /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1],
      bytes,
    }
  }
  const { version, link = '', bytes } = await versionIn('v1.0.tar')
  expect(version).toBe('tag: v1.0| (tag: v1.0)|v1.0')
  expect((await versionIn('v1/light.tar')).version).toBe('tag: v1/light| (tag: v1/light)|v1/light')
  for (const revision of ['main.tar', `${oid}.tar`]) expect([revision, (await versionIn(revision)).version]).toEqual([revision, '||'])
  const immutable = `/api/v1${link.split('/api/v1')[1]}`
  expect(Buffer.from(await bytesOf(await ask(immutable))).equals(bytes)).toBe(true)
  await ada.delete('/repos/ada/subst/tags/v1.0')
  expect((await ask(immutable)).status).toBe(404)
})

test.each(['main', 'feature/x', 'v1.0', tip])('the bundle of %s is one that git clones and checks out', async (revision) => {
  const path = join(context.config.dataPath, `${revision.replace('/', '-')}.bundle`)
  writeFileSync(path, await bytesOf(await ask(`${API}/${revision}.bundle`)))
  const clone = `${path}.clone`
  await git(['-c', 'init.defaultBranch=other', 'clone', '-q', path, clone])
  expect(await git(['-C', clone, 'rev-parse', 'HEAD'])).toBe(tip)
  expect(await git(['-C', clone, 'status', '--porcelain'])).toBe('')
  await git(['-C', clone, 'fsck', '--strict', '--full'])
})

test('parts can be asked for, and nothing is sent to who has it', async () => {
  const whole = await ask(`${API}/main.zip`)
  const etag = whole.headers.get('etag') as string
  const bytes = await bytesOf(whole)
  const part = await ask(`${API}/main.zip`, { range: 'bytes=10-19', 'if-range': etag })
  expect([part.status, part.headers.get('content-range'), await bytesOf(part)]).toEqual([206, `bytes 10-19/${bytes.length}`, bytes.slice(10, 20)])
  expect((await ask(`${API}/main.zip`, { 'if-none-match': etag })).status).toBe(304)
  expect((await ask(`${API}/main.zip`, { range: `bytes=${bytes.length}-` })).status).toBe(416)
  const head = await ask(`${API}/main.zip`, {}, 'HEAD')
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, String(bytes.length), etag])
  const bundle = await ask(`${API}/main.bundle`)
  await bundle.body?.cancel()
  expect((await ask(`${API}/main.bundle`, { 'if-none-match': bundle.headers.get('etag') as string })).status).toBe(304)
})

test('HEAD tells of an archive what is known, and has none made', async () => {
  for (const path of [`${API}/v1.0.tar.zst`, '/ada/engine/archive/v1.0.zip?path=README.md', `${API}/v1.0.bundle`]) {
    const before = readdirSync(archiveDirectory(context))
    const head = await ask(path, {}, 'HEAD')
    const { headers } = head
    expect([path, head.status, headers.get('content-length'), headers.get('etag')]).toEqual([path, 200, null, expect.stringContaining('"')])
    expect(readdirSync(archiveDirectory(context))).toEqual(before)
    const whole = await ask(path)
    await whole.body?.cancel()
    expect(whole.headers.get('etag')).toBe(headers.get('etag'))
  }
  expect((await ask(`${API}/nowhere.zip`, {}, 'HEAD')).status).toBe(404)
})

test('only the paths that are asked for are in it', async () => {
  expect(await listed(await bytesOf(await ask(`${API}/main.tar?path=LICENSE&path=README.md`)), 'tar')).toEqual([
    'engine/',
    'engine/LICENSE',
    'engine/README.md',
  ])
  expect(await listed(await bytesOf(await ask(`${API}/main.tar?path=LICENSE`)), 'tar')).toEqual(['engine/', 'engine/LICENSE'])
})

test.each([
  ['main.rar', 400],
  ['main', 400],
  ['.zip', 400],
  ['nowhere.zip', 404],
  [`${'0'.repeat(40)}.zip`, 404],
  ['..%2f..%2fetc%2fpasswd.zip', 404],
  ['--output=x.zip', 404],
  ['main.zip?path=nowhere', 404],
  ['main.zip?path=../x', 400],
  ['main.zip?path=/etc', 400],
  ['main.zip?path=a%00b', 400],
  [`main.zip?${'path=a&'.repeat(101)}`, 400],
  ['main.bundle?path=LICENSE', 400],
])('%s is %i', async (name, status) => {
  const response = await ask(`${API}/${name}`)
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ message: expect.any(String) })])
})

test('nobody gets the archive of what they may not read', async () => {
  for (const path of ['/api/v1/repos/ada/secret/archive/main.zip', '/ada/secret/archive/main.zip', '/api/v1/repos/ada/secret/tarball/main'])
    for (const authorization of [undefined, `token ${forge.token('bob', 'all')}`, `token ${forge.token('ada', 'all', 'public-only')}`])
      expect((await ask(path, authorization ? { authorization } : {})).status).toBeOneOf([403, 404])
  const mine = await ask('/ada/secret/archive/main.zip', { authorization: `token ${forge.token('ada', 'read:repository')}` })
  expect(mine.status).toBe(200)
  await mine.body?.cancel()
  expect((await ask('/ada/secret/archive/main.zip', { authorization: `token ${forge.token('ada', 'read:issue')}` })).status).toBe(403)
})

test('fifty who ask at once get the same, for one file', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, async () => Bun.hash(await bytesOf(await ask(`${API}/main.tar.gz?path=LICENSE`)))))
  expect(new Set(all).size).toBe(1)
  expect(readdirSync(archiveDirectory(context)).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('an archive larger than all that may be kept is sent as it is made', async () => {
  await using small = testForge({ repository: { ARCHIVE_CACHE_SIZE: 0 } })
  await small.person('ada')
  await small.asUser('ada').post('/user/repos', { name: 'engine', auto_init: true })
  const response = await small.app.handle(new Request('http://localhost/ada/engine/archive/main.tar'))
  expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, null])
  expect(await listed(await bytesOf(response), 'tar')).toEqual(['engine/', 'engine/README.md'])
})

test('the archives of a deleted repository go with it', async () => {
  await ada.post('/user/repos', { name: 'brief', auto_init: true })
  const { body } = await forge.get<{ id: number }>('/repos/ada/brief')
  await bytesOf(await ask('/ada/brief/archive/main.zip'))
  const kept = () => readdirSync(archiveDirectory(context)).filter((name) => name.startsWith(`${body.id}-`)).length
  await dropOrphans(context)
  expect(kept()).toBe(1)
  await ada.delete('/repos/ada/brief')
  await dropOrphans(context)
  expect(kept()).toBe(0)
})

test('whoever leaves before an archive is there is nobody’s error', async () => {
  const request = new Request(`http://localhost${API}/${tip}.tar.zst?path=LICENSE`, { signal: AbortSignal.abort() })
  expect((await forge.app.handle(request)).status).toBe(499)
})
