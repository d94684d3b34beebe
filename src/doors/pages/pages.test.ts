import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../../test/eventually.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const PASSWORD = 'correct horse battery'
const forge = testForge()
let ada: Person
let cookie: string
let tip: string
beforeAll(async () => {
  ada = await forge.person('ada', { password: PASSWORD })
  await forge.person('bob')
  const settings = { full_name: ATTACK, description: ATTACK, location: '<script>x' }
  expect((await forge.asUser(ada).patch('/user/settings', settings)).status).toBe(200)
  forge.repo(ada, 'empty')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', description: ATTACK, auto_init: true })
  await forge.asUser(ada).post('/user/repos', { name: 'secret', private: true, auto_init: true })
  await write('doc/<b>.ts', 'const a = 1 // <script>alert(1)</script>\nconst b = `\n`\n')
  await write('doc/guide.md', 'the guide')
  await write('README.md', `# Engine\n\n${ATTACK}\n\n[guide](doc/guide.md)`)
  await forge.asUser(ada).post('/repos/ada/engine/issues', { title: ATTACK, body: ATTACK })
  await forge.asUser(ada).post('/repos/ada/engine/branches', { new_branch_name: 'feature/x', old_branch_name: 'main' })
  tip = (await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')).body.commit.id
  const { sessions } = forge.context.authenticator
  cookie = sessions.begin(ada.row, new Request('http://localhost/')).split(';')[0] as string
})
afterAll(() => forge[Symbol.asyncDispose]())

async function write(path: string, text: string): Promise<void> {
  const known = await forge.asUser(ada).get<{ sha?: string }>(`/repos/ada/engine/contents/${path}`)
  const body = { content: Buffer.from(text).toString('base64'), message: `Write ${path} ${ATTACK}`, sha: known.body.sha, branch: 'main' }
  const { status } = await forge.asUser(ada).send(`${body.sha ? 'PUT' : 'POST'} /repos/ada/engine/contents/${encodeURIComponent(path)}`, { body })
  expect(status).toBeLessThan(300)
}

async function page(path: string, asAda = false): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = { Accept: 'text/html', ...(asAda ? { Cookie: cookie } : {}) }
  const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const paths = [
  '/',
  '/explore/repos',
  '/explore/users',
  '/explore/organizations',
  '/ada',
  '/ada/engine',
  '/ada/engine/src/branch/main/doc',
  '/ada/engine/src/branch/feature/x/README.md',
  '/ada/engine/src/branch/main/doc/%3Cb%3E.ts',
  '/ada/engine/commits/branch/main',
  '/ada/engine/commits/branch/feature/x/doc/guide.md',
  '/ada/engine/branches',
  '/ada/engine/tags',
  '/ada/engine/issues',
  '/ada/engine/issues/1',
  '/ada/engine/pulls',
  '/ada/empty',
  '/user/login',
]

test('every page is whole and runs nothing that people stored', async () => {
  for (const path of [...paths, `/ada/engine/commit/${tip}`, `/ada/engine/src/commit/${tip}`]) {
    for (const asAda of [false, path !== '/user/login']) {
      const { status, text, headers } = await page(path, asAda)
      expect([path, status]).toEqual([path, 200])
      expect(text.match(/<h1[ >]/g)?.length ?? 0).toBeGreaterThanOrEqual(1)
      expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror|\sstyle="/i)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toMatch(/private|no-store/)
    }
  }
})

test('every link on the pages leads somewhere', async () => {
  const seen = new Set(['/'])
  for (const path of seen) {
    const { text, status, headers } = await page(path, true)
    expect([path, status < 400]).toEqual([path, true])
    if (!headers.get('content-type')?.startsWith('text/html')) continue
    for (const [, href = ''] of text.matchAll(/\s(?:href|src)="([^"#]+)/g)) {
      const local = href.replaceAll('&amp;', '&').replace(/^http:\/\/localhost(?=\/)/, '')
      // The attack has a picture that is not there.
      if (local.startsWith('/') && !/\/(?:media\/.*|engine)\/x$/.test(local) && seen.size < 200) seen.add(local)
    }
  }
  expect(seen.size).toBeGreaterThan(25)
})

test('what is hidden looks like what is absent, with a way to sign in', async () => {
  const [hidden, absent] = await Promise.all([page('/ada/secret'), page('/ada/nothing')])
  expect([hidden.status, absent.status]).toEqual([404, 404])
  expect(hidden.text.replaceAll('secret', 'nothing')).toBe(absent.text)
  expect(hidden.text).toContain('/user/login?redirect_to=%2Fada%2Fsecret')
  expect((await page('/ada/secret', true)).status).toBe(200)
})

test('programs get JSON where people get a page', async () => {
  const response = await forge.app.handle(new Request('http://localhost/ada/nothing'))
  expect(response.headers.get('content-type')).toContain('json')
})

test('an empty repository says how to push, with this address and this name', async () => {
  const { text } = await page('/ada/empty', true)
  expect(text).toContain('git remote add origin http://ada@localhost/ada/empty.git')
  const seen = (await page('/ada/empty')).text
  expect([seen.includes('No commits have been pushed yet.'), seen.includes('git remote add')]).toEqual([true, false])
})

test('a file has colours and an anchor for each line', async () => {
  const read = async () => (await page('/ada/engine/src/branch/main/doc/%3Cb%3E.ts')).text
  // On a busy machine a page does not wait for its colours, and the next one has them.
  const text = await eventually(async () => /<span class="hljs-keyword">const<\/span>/.test(await read()) && read())
  expect(text).toContain('<tr id="L2">')
  expect(text).toContain('&lt;script&gt;alert(1)')
})

test('a commit shows what it changed, by line', async () => {
  const { text } = await page(`/ada/engine/commit/${tip}`)
  expect(text).toMatch(
    /<tr class="add" id="[^"]+R1"><td class="n"><\/td><td class="n"><a [^>]+>1<\/a><\/td><td>\+(<span [^>]+>)?# Engine(<\/span>)?<\/td><\/tr>/,
  )
})

test('raw files keep the headers under which no browser runs them, and open to the cookie', async () => {
  const { status, text, headers } = await page('/ada/secret/raw/branch/main/README.md', true)
  expect([status, headers.get('content-security-policy')?.includes('sandbox')]).toEqual([200, true])
  expect(text).toContain('secret')
  expect((await page('/ada/secret/raw/branch/main/README.md')).status).toBe(404)
})

test('pages do not shadow the API, git or assets', async () => {
  const json = await forge.app.handle(new Request('http://localhost/api/nothing', { headers: { Accept: 'text/html' } }))
  expect([json.status, json.headers.get('content-type')?.includes('json')]).toEqual([404, true])
  expect((await forge.app.handle(new Request('http://localhost/ada/engine/info/refs?service=git-upload-pack'))).status).toBe(200)
  expect((await forge.app.handle(new Request('http://localhost/api/nothing', { method: 'DELETE' }))).status).toBe(404)
})

test('the address to clone a repository from leads a browser to its page, where it may be seen', async () => {
  const lead = async (path: string, asAda = false) => {
    const { status, headers } = await page(path, asAda)
    return [status, headers.get('location')]
  }
  expect(await lead('/ada/engine.git')).toEqual([303, '/ada/engine'])
  expect(await lead('/ada/secret.git')).toEqual([404, null])
  expect(await lead('/ada/secret.git', true)).toEqual([303, '/ada/secret'])
})
