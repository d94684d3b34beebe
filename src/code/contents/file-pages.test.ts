import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'

const forge = testForge()
let page: TestBrowser
let hers: TestBrowser
const files: Record<string, string | Uint8Array> = {
  'README.md': '# The engine\n\nIt *turns*.\n',
  'src/a.ts': 'const a = 1\n',
  'drawn.md': '```mermaid\ngraph TD; A-->B\n```\n\n```math\nx^2\n```\n\n```js\nlet a\n```\n',
  'notes.ipynb': '{"cells":[{"cell_type":"markdown","source":["<script>alert(1)</script>"]}]}\n',
  'src/deep/b.ts': 'const b = 2\n',
  'src/trojan.ts': 'if (isAdmin) { /* \u202e } \u2066*/ }\n',
  'big.txt': 'a line of a large file\n'.repeat(60_000),
  'long.txt': Array.from({ length: 5100 }, (_, i) => `line ${i + 1}\n`).join(''),
  'empty.txt': '',
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'wide.txt': new Uint8Array([0xff, 0xfe, 0x68, 0, 0xe9, 0, 0x0a, 0, 0x62, 0]),
  'western.txt': new Uint8Array([0x68, 0xe9, 0x0a]),
  'prices.csv': 'name,price\r\n"Bolt, ""long""",1.50\n"two\nlines",<b>\u202e\nlast,4,five\n',
  'german.csv': 'Name;Preis\nSchraube;1,50\n',
  'rows.tsv': `a\tb\n${'1\t"2\n'.repeat(3)}`,
  'many.csv': 'n,m\n'.repeat(5000),
  'none.csv': '',
  'paper.pdf': '%PDF-1.4\n%%EOF\n',
  'movie.bin': new Uint8Array([0, 1, 2, 3]),
  'large.psd': `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 5000000\n`,
}

beforeAll(async () => {
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  page = new TestBrowser(forge)
  hers = new TestBrowser(forge, ada)
  fillRepo(forge, id, (directory) => {
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    symlinkSync('../README.md', join(directory, 'src/link'))
    symlinkSync('../../outside%zz', join(directory, 'src/out'))
    mkdirSync(join(directory, 'lib'))
    gitIn(directory, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    gitIn(directory, 'add', '-A')
    gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'Begin')
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const show = async (path: string) => (await page.get(`/ada/engine/src/branch/main/${path}`)).text
const mainOf = (text: string) => text.slice(text.indexOf('<main'))

/** Each row: what a path's page says, and what it does not. */
const table: [claim: string, path: string, says: string[], not: string[]][] = [
  ['a file is told with its lines and size', 'src/a.ts', ['1 line · 12 bytes', 'id="L1"', '/ada/engine/blame/branch/main/src/a.ts"'], []],
  ['beside it its neighbours stand, and nothing of other directories', 'src/a.ts', ['aria-label="Files"', '> deep</a>', '> README.md</a>'], ['> b.ts</a>']],
  ['a submodule among them has the icon of one', 'src/a.ts', ['#file-submodule"/></svg> lib</a>'], []],
  [
    'a diagram is shown as its source, and a formula as it reads',
    'drawn.md',
    ['Mermaid diagram (source):', '<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>'],
    ['undefined', 'LaTeX formula'],
  ],
  ['and so is a notebook', 'notes.ipynb', ['Notebooks are not rendered. This is the source.'], ['<script>alert']],
  ['Markdown is shown as it reads', 'README.md', ['<em>turns</em>', '?display=source"'], ['id="L1"']],
  [
    'values are shown as a table, and its lines as they are written',
    'prices.csv',
    [
      '<th scope="col">price</th>',
      '<tr id="L2"><td>Bolt, &quot;long&quot;</td><td>1.50</td>',
      '<td>two\nlines</td><td>&lt;b&gt;<mark',
      '<tr id="L5"><td>last</td>',
    ],
    ['<b>', '\u202e', 'This table is too large'],
  ],
  ['they stand apart by what the first line has', 'german.csv', ['<td>Schraube</td><td>1,50</td>'], []],
  ['their source is one click away', 'prices.csv', ['?display=source">'], []],
  ['and is there', 'prices.csv?display=source', ['id="L1"', 'name,price'], ['<th scope="col">']],
  ['so are lines that are asked for', 'prices.csv?lines=2', ['id="L1"'], ['<th scope="col">']],
  ['a quote that is never closed ends with the file', 'rows.tsv', ['<th scope="col">b</th>'], []],
  ['of a long table the beginning is shown', 'many.csv', ['<tr id="L1000">', 'This table is too large'], ['<tr id="L1001">']],
  ['an empty one is no table', 'none.csv', ['This file is empty'], ['<th']],
  ['and as it is written', 'README.md?display=source', ['id="L1"', '*turns*'], ['<em>']],
  [
    'signs that turn text are shown by their numbers',
    'src/trojan.ts',
    ['U+202E</mark>', 'U+2066</mark>', 'hidden or bidirectional Unicode characters'],
    ['\u202e', '\u2066'],
  ],
  [
    'a file that is large is shown from its beginning',
    'big.txt',
    ['id="L1"', 'This file is too large to show in full.', '/raw/branch/main/big.txt'],
    ['id="L5001"'],
  ],
  ['a file with many lines has pages', 'long.txt?page=2', ['id="L5001"', 'id="L5100"'], ['id="L5000"']],
  ['a file without content has no lines', 'empty.txt', ['0 lines · 0 bytes', 'This file is empty.'], ['id="L1"']],
  ['text in UTF-16 is read, and not offered for what takes UTF-8', 'wide.txt', ['2 lines · 10 bytes · UTF-16', 'hé</td>'], ['/blame/']],
  ['text that is no UTF-8 is read as Windows has it', 'western.txt', ['· Windows-1252', 'hé</td>', '/blame/branch/main/western.txt'], []],
  ['a drawing is a picture', 'dot.svg', ['<img src="/ada/engine/raw/branch/main/dot.svg"', 'dot.svg?display=source"'], ['id="L1"']],
  ['and text', 'dot.svg?display=source', ['id="L1"'], ['<img src="/ada/engine/raw']],
  ['what is no text is linked', 'movie.bin', ['Binary file not shown.', '/raw/branch/main/movie.bin'], ['id="L1"']],
  ['a PDF that is all ASCII is linked', 'paper.pdf', ['PDF file not shown.', '/raw/branch/main/paper.pdf'], ['id="L1"', '%PDF-1.4', '/_edit/']],
  ['a pointer says what it stands for', 'large.psd', ['4.8 MiB', 'ab'.repeat(32)], []],
  [
    'lines that the address names are marked, and entered where it says',
    'long.txt?lines=3-5',
    [
      '<tr id="L3" data-picked><td class="n"><a tabindex="-1" id="L3-L5" href="#L3">',
      '<tr id="L5" data-picked>',
      '?lines=3-5#L3-L5" data-key="y"',
      'raw/branch/main/long.txt?lines=3-5',
    ],
    ['<tr id="L2" data-picked>', '<tr id="L6" data-picked>'],
  ],
  ['on the page that has them', 'long.txt?lines=5050', ['<tr id="L5050" data-picked>'], ['id="L5000"']],
  ['those of Markdown as it is written', 'README.md?lines=3', ['<tr id="L3" data-picked>'], ['<em>']],
  ['what names no lines marks none', 'long.txt?lines=nonsense', ['id="L1"'], ['data-picked']],
  ['a symbolic link leads to what it names', 'src/link', ['href="/ada/engine/src/branch/main/README.md">../README.md</a>'], []],
  ['one that leads out of the repository leads nowhere', 'src/out', ['<code>../../outside%zz</code>'], []],
  ['a submodule says which commit belongs there', 'lib', ['1'.repeat(40)], []],
]

test.each(table)('%s', async (_, path, says, not) => {
  const text = mainOf(await show(path))
  for (const one of says) expect(text).toContain(one)
  for (const one of not) expect(text).not.toContain(one)
})

test('each file is offered for what can be done with it, and no link of that leads nowhere', async () => {
  const offered = async (path: string) => {
    const text = mainOf((await hers.get(`/ada/engine/src/branch/main/${path}`)).text)
    const links = [...text.matchAll(/href="(\/ada\/engine\/(_edit|_delete|blame)\/[^"]*)"/g)]
    for (const [, link = ''] of links) expect([link, (await hers.get(link)).status]).toEqual([link, 200])
    return links.map(([, , action]) => action)
  }
  expect(await offered('src/a.ts')).toEqual(['_edit', '_delete', 'blame'])
  expect(await offered('dot.svg')).toEqual(['_edit', '_delete'])
  expect(await offered('western.txt')).toEqual(['_delete', 'blame'])
  for (const path of ['src/link', 'wide.txt', 'movie.bin']) expect(await offered(path)).toEqual(['_delete'])
})

test('a symbolic link is deleted, and what it leads to stays', async () => {
  const form = (await hers.get('/ada/engine/_delete/main/src/out')).text
  const [, sha = ''] = /name="sha" value="(\w+)"/.exec(form) ?? []
  expect((await hers.post('/ada/engine/_delete/main/src/out', { sha, new_branch: 'without' })).status).toBe(303)
  expect((await hers.get('/ada/engine/src/branch/without/src/out')).status).toBe(404)
  expect((await hers.get('/ada/engine/src/branch/without/src/link')).status).toBe(200)
})

test('lines are asked for in a form, without scripts', async () => {
  const picked = await page.get('/ada/engine/src/branch/main/long.txt?pick=L9+-+3')
  expect([picked.status, picked.headers.get('location')]).toEqual([303, '/ada/engine/src/branch/main/long.txt?lines=3-9#L3-L9'])
  expect((await page.get('/ada/engine/src/branch/main/long.txt?pick=7')).headers.get('location')).toBe('/ada/engine/src/branch/main/long.txt?lines=7#L7')
})

test('programs get the lines that they ask for, and a word on why not', async () => {
  const raw = async (path: string) => {
    const { status, text } = await page.get(`/ada/engine/raw/branch/main/${path}`)
    return [status, text]
  }
  expect(await raw('long.txt?lines=3-5')).toEqual([200, 'line 3\nline 4\nline 5\n'])
  expect(await raw('long.txt?lines=5099-9999')).toEqual([200, 'line 5099\nline 5100\n'])
  expect(await raw('src/a.ts?lines=1')).toEqual([200, 'const a = 1\n'])
  const statuses = await Promise.all(['long.txt?lines=x', 'movie.bin?lines=1', 'long.txt?lines=5101', 'absent?lines=1', 'big.txt?lines=1'].map(raw))
  expect(statuses.map(([status]) => status)).toEqual([400, 400, 404, 404, 413])
})

test.each([
  ['tree/main', '/ada/engine/src/branch/main/'],
  ['tree/main/src/deep', '/ada/engine/src/branch/main/src/deep'],
  ['blob/main/src/a.ts', '/ada/engine/src/branch/main/src/a.ts'],
  ['blob/gone/src/a.ts', null],
  ['src/main', '/ada/engine/src/branch/main/'],
  ['src/main/src/a.ts', '/ada/engine/src/branch/main/src/a.ts'],
  ['raw/main/src/a.ts', '/ada/engine/raw/branch/main/src/a.ts'],
  ['media/main/src/a.ts', '/ada/engine/media/branch/main/src/a.ts'],
  ['raw/gone/src/a.ts', null],
  ['blame/main/src/a.ts', '/ada/engine/blame/branch/main/src/a.ts'],
  ['commits/main', '/ada/engine/commits/branch/main/'],
  ['commits/main/src?by=Ada', '/ada/engine/commits/branch/main/src?by=Ada'],
  ['commits', '/ada/engine/commits/branch/main/'],
  ['commits/gone', null],
  ['src', '/ada/engine'],
  ['raw/long.txt', '/ada/engine/raw/branch/main/long.txt'],
  ['raw/src/a.ts?lines=1', '/ada/engine/raw/branch/main/src/a.ts?lines=1'],
  ['media/long.txt', '/ada/engine/media/branch/main/long.txt'],
  ['src/src/a.ts', '/ada/engine/src/branch/main/src/a.ts'],
  ['tree/HEAD/src', '/ada/engine/src/branch/main/src'],
  ['raw/HEAD/src/a.ts', '/ada/engine/raw/branch/main/src/a.ts'],
  ['raw/%zz', null],
])('%s, as other forges have it, or Gitea once had, leads to the place here', async (path, place) => {
  const { status, headers } = await page.get(`/ada/engine/${path}`)
  expect([status, headers.get('location')]).toEqual([place === null ? 404 : 303, place])
})

test('HEAD in an address means the default branch', async () => {
  for (const path of [
    'src/branch/HEAD/src/a.ts',
    'src/commit/HEAD/src/a.ts',
    'raw/branch/HEAD/src/a.ts',
    'media/branch/HEAD/src/a.ts',
    'raw/commit/HEAD/src/a.ts',
  ]) {
    const { status, text } = await page.get(`/ada/engine/${path}`)
    expect([path, status, text.includes('const')]).toEqual([path, 200, true])
  }
  for (const path of [
    'blame/branch/HEAD/src/a.ts',
    'commits/branch/HEAD',
    'commits/commit/HEAD/src',
    'rss/branch/HEAD',
    'atom/branch/HEAD/src',
    'find/branch/HEAD?q=a',
  ]) {
    expect([path, (await page.get(`/ada/engine/${path}`)).status]).toEqual([path, 200])
  }
  expect((await page.get('/ada/engine/src/branch/HEAD')).text).toContain('href="/ada/engine/src/branch/main/src"')
  for (const path of ['src/tag/HEAD', 'src/branch/HEAD/none', 'src/branch/head'])
    expect([path, (await page.get(`/ada/engine/${path}`)).status]).toEqual([path, 404])
})

test('a branch that is named HEAD is shown before the default one, and a renamed branch is found by its former name', async () => {
  const ada = await forge.person('named')
  await forge.asUser(ada).post('/user/repos', { name: 'heads', auto_init: true })
  const file = (branch: string) => ({ branch: 'main', new_branch: branch, content: btoa(`on ${branch}`), message: 'Add a file' })
  await forge.asUser(ada).post('/repos/named/heads/contents/a.txt', file('old/name'))
  await forge.asUser(ada).patch('/repos/named/heads/branches/old%2Fname', { name: 'new' })
  const raw = async (place: string) => (await page.get(`/named/heads/raw/${place}`)).text
  expect(await raw('branch/old/name/a.txt')).toBe('on old/name')
  expect((await page.get('/named/heads/src/old/name/a.txt')).headers.get('location')).toBe('/named/heads/src/branch/new/a.txt')
  const [main] = (await forge.get<{ object: { sha: string } }[]>('/repos/named/heads/git/refs/heads/new')).body
  const { id } = (await forge.get<{ id: number }>('/repos/named/heads')).body
  forge.context.db.tx((tx) => tx.insert('ref', { repo_id: id, name: 'refs/heads/HEAD', oid: main?.object.sha as string }))
  expect(await raw('branch/HEAD/a.txt')).toBe('on old/name')
})
