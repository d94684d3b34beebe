import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { eventually } from '../../../test/eventually.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { anHourLater } from '../../../test/stopwatch.ts'

const ATTACK = '<img src=x onerror=alert(1)>'
let forge: TestForge
let page: TestBrowser

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine', { description: 'An engine of wheels' })
  page = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    const commit = (message: string, files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
      gitIn(directory, 'add', '-A')
      gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', message)
    }
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit('Begin', { 'README.md': '# Engine', 'src/a.ts': 'a', 'src/deep/b.ts': 'b' })
    commit(`Turn ${ATTACK}`, { 'src/a.ts': 'aa' })
    commit('Say more', { 'README.md': '# Engine\n\nMore.' })
    gitIn(directory, 'branch', 'feature/wheels')
    gitIn(directory, 'tag', 'v1.0')
    mkdirSync(join(directory, 'lib'))
    gitIn(directory, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    writeFileSync(join(directory, '.gitmodules'), '[submodule "lib"]\n\tpath = lib\n\turl = https://example.org/lib.git\n')
    commit('Take the library in', {})
  })
  // What pages tell of history they have only once threads have started.
  for (const path of ['/ada/engine', '/ada/engine/src/branch/main/src']) {
    await eventually(async () => (await page.get(path)).headers.has('etag'), 'the history of a page')
  }
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Each entry of a list with the subject of its last change. */
function changesIn(text: string): Record<string, string> {
  const rows = text.matchAll(/<td class="name">.*?<a[^>]*>([^<]+)<\/a>.*?<td class="subject"><a[^>]*>(.*?)<\/a>/gs)
  return Object.fromEntries([...rows].map(([, name = '', subject = '']) => [name, subject]))
}

test('every entry is shown with its last change, and the newest commit above them', async () => {
  const { text } = await page.get('/ada/engine')
  const attack = 'Turn &lt;img src=x onerror=alert(1)&gt;'
  expect(changesIn(text)).toEqual({ src: attack, '.gitmodules': 'Take the library in', 'README.md': 'Say more', lib: 'Take the library in' })
  expect(text).toContain('4 commits')
  expect(text).toContain('href="https://example.org/lib.git">lib</a>')
  expect(text).toContain('An engine of wheels')
  expect(text).not.toContain('<img src=x')
})

test('below the root the last commit of the directory stands above its entries', async () => {
  const { text } = await page.get('/ada/engine/src/branch/main/src')
  expect(changesIn(text)).toEqual({ deep: 'Begin', 'a.ts': 'Turn &lt;img src=x onerror=alert(1)&gt;' })
  expect(/class="head-commit".*?<a class="subject"[^>]*>(.*?)<\/a>/s.exec(text)?.[1]).toStartWith('Turn ')
})

test('the list alone can be asked for, as a part of the page', async () => {
  const { text } = await page.get('/ada/engine/src/branch/main/src?last=all&fragment=entries')
  expect(changesIn(text)).toEqual({ deep: 'Begin', 'a.ts': 'Turn &lt;img src=x onerror=alert(1)&gt;' })
  expect(text).not.toContain('<main')
})

test('entries whose last change is not known yet come with a link that waits for it', async () => {
  const { git } = forge.context
  const run = git.run.bind(git)
  git.run = (task, where, input) => (task === 'lastCommits' ? Promise.resolve(new Map() as never) : run(task, where, input))
  try {
    const { text } = await page.get('/ada/engine/src/branch/feature/wheels')
    expect(text).toContain('data-later="/ada/engine/src/branch/feature/wheels?last=all&amp;fragment=entries"')
    expect(text).toContain('/ada/engine/src/branch/feature/wheels?last=all')
  } finally {
    git.run = run
  }
  using _clock = anHourLater()
  expect((await page.get('/ada/engine/src/branch/feature/wheels?again')).text).not.toContain('data-later')
})

test('branches and tags are found by a part of their names, and one that is named whole is gone to', async () => {
  const { text } = await page.get('/ada/engine/refs?q=WHEEL&view=src&path=src')
  expect(text).toContain('href="/ada/engine/refs?view=src&amp;path=src&amp;ref=branch%2Ffeature%2Fwheels"')
  const exact = await page.get('/ada/engine/refs?q=v1.0&view=commits&path=src/a.ts')
  expect([exact.status, exact.headers.get('location')]).toEqual([303, '/ada/engine/refs?view=commits&path=src%2Fa.ts&ref=tag%2Fv1.0'])
  const there = await page.get(exact.headers.get('location') ?? '')
  expect([there.status, there.headers.get('location')]).toEqual([303, '/ada/engine/commits/tag/v1.0/src/a.ts'])
})

test('what is not in another branch leads to the next directory above it that is', async () => {
  const { headers } = await page.get('/ada/engine/refs?view=blame&path=src/deep/none/x.ts&ref=tag/v1.0')
  expect(headers.get('location')).toBe('/ada/engine/src/tag/v1.0/src/deep')
})

test('files are found by some letters of their paths', async () => {
  const { text } = await page.get('/ada/engine/find/branch/main?q=deepb')
  expect([...text.matchAll(/class="list compact">.*?<\/ul>/gs)].join('')).toContain('href="/ada/engine/src/branch/main/src/deep/b.ts"')
  expect((await page.get('/ada/engine/find/branch/main?q=zzz')).text).toContain('No files found')
  expect((await page.get('/ada/engine/find/branch/absent')).status).toBe(404)
})

test('a directory whose path is longer than any that is listed has no page: its path would stand on it a thousand times', async () => {
  const eve = await forge.person('eve')
  const levels = Array.from({ length: 20 }, () => 'd'.repeat(250))
  fillRepo(forge, forge.repo(eve, 'deep').id, (directory) => {
    writeFileSync(join(directory, 'a'), 'a')
    const blob = gitIn(directory, 'hash-object', '-w', 'a').trim()
    gitIn(directory, 'update-index', '--add', '--cacheinfo', `100644,${blob},${levels.join('/')}/a`)
    gitIn(directory, 'commit', '-q', '-m', 'Begin')
  })
  const status = async (depth: number) => (await page.get(`/eve/deep/src/branch/main/${levels.slice(0, depth).join('/')}`)).status
  expect([await status(16), await status(17)]).toEqual([200, 404])
})

test('the twin for terminals sets the newest commit apart from what it says', async () => {
  const reply = await forge.app.handle(new Request('http://localhost/ada/engine', { headers: { 'User-Agent': 'curl/8.5.0', Accept: '*/*' } }))
  expect(await reply.text()).toMatch(/Take the library in [0-9a-f]{10} /)
})
