import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { git, tryGit } from '../git.ts'
import { commitFiles, forgeForStories, type Member, newWorkingCopy, story } from './forge.ts'

/** Two names of one length: one of a private repository, one of none. */
const SECRET = 'ada/secret'
const ABSENT = 'ada/absent'

story('a stranger cannot tell a private repository from none', () => {
  const forge = forgeForStories({ env: { POCKETFORGE_SECURITY_SIGN_IN_FAILURES: '0' } })
  let eve: Member
  let tip: string

  beforeAll(async () => {
    eve = await forge.join('eve')
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    tip = await commitFiles(copy, 'Start', { 'README.md': '# Secret\n' })
    await git(['tag', '-a', '-m', 'One', 'v1'], { cwd: copy })
    await git(['push', '--quiet', '--tags', forge.url(SECRET, forge.ada), 'main'], { cwd: copy })
    await git(['push', '--quiet', '-o', 'repo.private=false', forge.url('ada/public', forge.ada), 'main'], { cwd: copy })
  }, 120_000)

  /** Status, all headers but the date, and the body of an answer. */
  async function answer(method: string, path: string, headers: Record<string, string>, body?: string): Promise<unknown> {
    const response = await fetch(`${forge.server.origin}${path}`, { method, headers, body, redirect: 'manual' })
    const kept = [...response.headers].filter(([name]) => name !== 'date')
    return { status: response.status, headers: kept, body: await response.text() }
  }

  /** @param wrong credentials; of a password the check takes long */
  async function expectSame(
    ask: (repository: string) => [method: string, path: string, headers?: Record<string, string>, body?: string],
    wrong = `Basic ${btoa('ada:wrong')}`,
  ): Promise<void> {
    for (const authorization of [undefined, eve.authorization, wrong]) {
      const of = (repository: string) => {
        const [method, path, headers = {}, body] = ask(repository)
        return answer(method, path, authorization === undefined ? headers : { ...headers, Authorization: authorization }, body)
      }
      const absent = await of(ABSENT)
      expect({ asked: ask(SECRET), authorization, answer: await of(SECRET) }).toEqual({ asked: ask(SECRET), authorization, answer: absent })
      expect((absent as { status: number }).status).toBeOneOf([400, 401, 403, 404, 405, 415])
    }
  }

  const upload = { 'Content-Type': 'application/x-git-upload-pack-request' }
  const receive = { 'Content-Type': 'application/x-git-receive-pack-request' }

  test('by any request of git', async () => {
    for (const suffix of ['.git', '']) {
      for (const query of ['?service=git-upload-pack', '?service=git-receive-pack', '?service=git-upload-archive', '?service=', '']) {
        await expectSame((repository) => ['GET', `/${repository}${suffix}/info/refs${query}`])
        await expectSame((repository) => ['GET', `/${repository}${suffix}/info/refs${query}`, { 'Git-Protocol': 'version=2' }])
      }
      await expectSame((repository) => [
        'POST',
        `/${repository}${suffix}/git-upload-pack`,
        { ...upload, 'Git-Protocol': 'version=2' },
        '0014command=ls-refs\n0000',
      ])
      await expectSame((repository) => ['POST', `/${repository}${suffix}/git-upload-pack`, upload, `0032want ${tip}\n00000009done\n`])
      await expectSame((repository) => ['POST', `/${repository}${suffix}/git-receive-pack`, receive, '0000'])
      for (const file of ['HEAD', 'config', 'objects/info/packs', 'info/lfs/objects/batch', `objects/${tip.slice(0, 2)}/${tip.slice(2)}`]) {
        await expectSame((repository) => ['GET', `/${repository}${suffix}/${file}`])
      }
    }
  })

  test('by any operation that the API documents', async () => {
    const document = (await (await fetch(`${forge.server.origin}/swagger.v1.json`)).json()) as {
      basePath: string
      paths: Record<string, Record<string, unknown>>
    }
    const asked = Object.entries(document.paths).filter(([path]) => path.startsWith('/repos/{owner}/{repo}'))
    expect(asked.length).toBeGreaterThan(10)
    for (const [path, methods] of asked) {
      for (const method of Object.keys(methods)) {
        const filled = path
          .slice('/repos/{owner}/{repo}'.length)
          .replace(/\{(sha|ref|branch)\}/g, 'main')
          .replace(/\{\w+\}/g, '1')
        const [headers, body] = method === 'get' || method === 'head' ? [] : [{ 'Content-Type': 'application/json' }, '{}']
        await expectSame((repository) => [method.toUpperCase(), `${document.basePath}/repos/${repository}${filled}`, headers, body], `token ${'0'.repeat(40)}`)
      }
    }
  })

  test('nor by a list or a search', async () => {
    for (const path of ['/repos/search?q=secret&private=true', '/repos/search?limit=50', '/users/search?q=ada']) {
      for (const who of [undefined, eve]) expect(await (await forge.api(`GET ${path}`, who)).text()).not.toContain('secret')
    }
    expect(await (await forge.api('GET /repos/search?q=secret', forge.ada)).text()).toContain('ada/secret')
  })
})

story('git is asked for credentials, and judged by them', () => {
  const forge = forgeForStories()
  let eve: Member
  let copy: string

  beforeAll(async () => {
    eve = await forge.join('eve')
    copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', forge.url('ada/secret', forge.ada), 'main'], { cwd: copy })
    await git(['push', '--quiet', '-o', 'repo.private=false', forge.url('ada/public', forge.ada), 'main'], { cwd: copy })
  }, 120_000)

  /** Whether others than its own people may send changes to the public repository. */
  const letPropose = async (isAllowed: boolean) =>
    expect((await forge.api('PATCH /repos/ada/public', forge.ada, { has_pull_requests: isAllowed })).status).toBe(200)

  const ask = (path: string, headers: Record<string, string> = {}, body?: Uint8Array | string | ReadableStream) =>
    fetch(`${forge.server.origin}${path}`, { headers, method: body === undefined ? 'GET' : 'POST', body })

  test('a private repository, a push and wrong credentials are answered by 401 with the realm that credential managers look for', async () => {
    const cases: [path: string, authorization?: string][] = [
      ['/ada/secret.git/info/refs?service=git-upload-pack'],
      ['/ada/public.git/info/refs?service=git-receive-pack'],
      ['/nobody/nothing.git/info/refs?service=git-upload-pack'],
      ['/ada/public.git/info/refs?service=git-upload-pack', `Basic ${btoa('ada:wrong')}`],
      ['/ada/public.git/info/refs?service=git-upload-pack', `Basic ${btoa('nobody:wrong')}`],
      ['/ada/public.git/info/refs?service=git-upload-pack', `Bearer ${'0'.repeat(40)}`],
      ['/ada/secret.git/info/refs?service=git-upload-pack', 'Nonsense'],
    ]
    for (const [path, authorization] of cases) {
      const response = await ask(path, authorization === undefined ? {} : { Authorization: authorization })
      expect({ path, authorization, status: response.status, realm: response.headers.get('www-authenticate') }).toEqual({
        path,
        authorization,
        status: 401,
        realm: 'Basic realm="Gitea"',
      })
    }
  })

  test('a public repository is read without credentials and written with none but its own people’s', async () => {
    expect(await git(['ls-remote', forge.url('ada/public')])).toContain('refs/heads/main')
    // Who may propose changes is let in; which refs move is asked of each.
    await letPropose(true)
    const refused = { exitCode: 1, stderr: expect.stringContaining('User permission denied for writing.') }
    expect(await tryGit(['push', forge.url('ada/public', eve), 'main:refs/heads/eve'], { cwd: copy })).toMatchObject(refused)
    await letPropose(false)
    expect((await ask('/ada/public.git/info/refs?service=git-receive-pack', { Authorization: eve.authorization })).status).toBe(403)
    expect(await tryGit(['push', forge.url('ada/public', eve), 'main:refs/heads/eve'], { cwd: copy })).toMatchObject({ exitCode: 128 })
  })

  test('the service is what the path says, whatever the query says', async () => {
    const flush = '0000'
    await letPropose(false)
    for (const query of ['?service=git-upload-pack', '?service=git-receive-pack', '?service=git-upload-pack&service=git-receive-pack']) {
      const type = { 'Content-Type': 'application/x-git-receive-pack-request' }
      expect((await ask(`/ada/public.git/git-receive-pack${query}`, type, flush)).status).toBe(401)
      expect((await ask(`/ada/public.git/git-receive-pack${query}`, { ...type, Authorization: eve.authorization }, flush)).status).toBe(403)
    }
  })

  test('a body of another type is not taken', async () => {
    for (const type of ['text/plain', 'application/x-git-upload-pack-request', 'application/json']) {
      expect((await ask('/ada/public.git/git-receive-pack', { 'Content-Type': type, Authorization: forge.ada.authorization }, '0000')).status).toBe(415)
    }
  })

  test('a client that speaks only the dumb protocol is told what it needs', async () => {
    const response = await ask('/ada/public.git/info/refs')
    expect(response.status).toBe(403)
    expect(response.headers.get('content-type')).toStartWith('text/plain')
    expect(await response.text()).toContain('smart')
  })

  test('bodies may come in gzip, in chunks, or both', async () => {
    const request = '0014command=ls-refs\n0000'
    const headers = { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' }
    const plain = await (await ask('/ada/public.git/git-upload-pack', headers, request)).text()
    expect(plain).toContain('refs/heads/main')
    const zipped = gzipSync(request)
    expect(await (await ask('/ada/public.git/git-upload-pack', { ...headers, 'Content-Encoding': 'gzip' }, zipped)).text()).toBe(plain)
    expect(await (await ask('/ada/public.git/git-upload-pack', headers, inPieces(Buffer.from(request)))).text()).toBe(plain)
    expect(await (await ask('/ada/public.git/git-upload-pack', { ...headers, 'Content-Encoding': 'gzip' }, inPieces(zipped))).text()).toBe(plain)
    expect((await ask('/ada/public.git/git-upload-pack', { ...headers, 'Content-Encoding': 'gzip' }, request)).status).toBe(400)
    expect((await ask('/ada/public.git/git-upload-pack', { ...headers, 'Content-Encoding': 'br' }, request)).status).toBe(400)
  })

  test('a push that git sends in chunks lands', async () => {
    await commitFiles(copy, 'Big', { noise: Array.from({ length: 120_000 }, (_, i) => `${(i * 7919) % 104_729}\n`).join('') })
    await git(['-c', 'http.postBuffer=65536', 'push', '--quiet', forge.url('ada/secret', forge.ada), 'main'], { cwd: copy })
    expect(await git(['ls-remote', forge.url('ada/secret', forge.ada), 'refs/heads/main'])).toStartWith(await git(['rev-parse', 'HEAD'], { cwd: copy }))
  })
})

/** As a client sends what it does not know the length of. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5))
      controller.close()
    },
  })
}
