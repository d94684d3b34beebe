import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { eventually } from '../../../test/eventually.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
let page: TestBrowser
/** Commits by their subjects. */
const commits: Record<string, string> = {}
const numbered = (count: number, change = (line: string, _: number) => line) =>
  `${Array.from({ length: count }, (_, i) => change(`line ${i + 1}`, i + 1)).join('\n')}\n`
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  page = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    const commit = (subject: string, files: Record<string, string | Uint8Array>) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text)
      gitIn(directory, 'add', '-A')
      gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', subject)
      commits[subject] = gitIn(directory, 'rev-parse', 'HEAD').trim()
    }
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit('begin', { 'a.txt': numbered(60), 'pic.png': PIXEL, 'bytes.bin': new Uint8Array([0, 1, 2]), 'b.txt': 'one  two\n' })
    commit('change', { 'a.txt': numbered(60, (line, i) => (i === 10 || i === 40 ? `${line} <changed>` : line)) })
    gitIn(directory, 'tag', 'v1')
    gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'notes', 'add', '-m', 'seen by ada')
    commit('picture', { 'pic.png': Buffer.concat([PIXEL, PIXEL]), 'bytes.bin': new Uint8Array([0, 9]) })
    commit('spaces', { 'b.txt': 'one two\n' })
    mkdirSync(join(directory, 'many'))
    commit('many', Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`many/f${String(i).padStart(2, '0')}.txt`, `${i}\n`])))
    commit('long', { 'long.txt': numbered(3500) })
    gitIn(directory, 'mv', 'a.txt', 'moved.txt')
    commit('move', {})
    const western = (text: string) => Buffer.from(text, 'latin1')
    const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    const code = (price: string) => `// Gr\u00f6\u00dfe\nconst price = \`${price}\`\n${numbered(30)}`
    commit('foreign', { 'size.js': western(code('4 \u00a3')), 'wide.txt': wide('first\nsch\u00f6n \u4e2d\n'), 'turned.txt': western('caf\u00e9\nsame\n') })
    commit('abroad', { 'size.js': western(code('5 \u00a3')), 'wide.txt': wide('first\nsch\u00f6ner \u4e2d\n'), 'turned.txt': 'caf\u00e9\nsame\n' })
    const below = (size: number) => `function messen(gr\u00f6\u00dfe) {\n${numbered(9, (line) => ` ${line}`)}  ${size}\n`
    commit('measure', { 'measure.js': western(below(1)) })
    commit('measured', { 'measure.js': western(below(2)) })
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const show = async (subject: string, query = '') => (await page.get(`/ada/engine/commit/${commits[subject]}${query}`)).text
const sha1 = (path: string) => new Bun.CryptoHasher('sha1').update(path).digest('hex')

test('a summary comes first, and leads to each file by the anchor that Gitea gives it', async () => {
  const text = await show('change')
  expect(text).toContain('1 changed file<')
  expect(text).toContain(`id="diff-${sha1('a.txt')}"`)
  expect(text).toContain(`href="#diff-${sha1('a.txt')}"`)
  expect(text).toContain('+line 10<mark> &lt;changed&gt;</mark>')
})

test('lines between two parts are asked for by themselves, numbered on both sides', async () => {
  const text = await show('change')
  const address = /data-part="([^"]+)"[^>]*aria-label="Show lines 14 to 36"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const rows = (await page.get(address)).text
  expect([...rows.matchAll(/<tr id="[^"]+R(\d+)"/g)].map(([, line]) => Number(line))).toEqual(Array.from({ length: 23 }, (_, i) => i + 14))
  expect(rows).not.toContain('<main')
  expect((await page.get(address.replace('first=14', 'first=x'))).status).toBe(404)
})

test('side by side, what went stands beside what came in its place', async () => {
  expect(await show('change', '?style=split')).toMatch(/<td class="del">-line 10<\/td><td class="n"[^>]*><a[^>]*>10<\/a><\/td><td class="add">\+line 10<mark>/)
})

test('whitespace does not count where that is asked for', async () => {
  expect(await show('spaces')).toContain('+1')
  const text = await show('spaces', '?whitespace=ignore-all')
  expect(text).not.toContain('class="add"')
  expect(text).toContain('No content changes to show.')
})

test('pictures stand beside each other, and other files without text are told in words', async () => {
  const text = await show('picture')
  expect(text).toContain(`/ada/engine/raw/commit/${commits.change}/pic.png`)
  expect(text).toContain(`/ada/engine/raw/commit/${commits.picture}/pic.png`)
  expect(text).toContain('Binary file not shown')
})

test('a page ends after twenty files, and the next begins where it ended', async () => {
  const text = await show('many')
  expect(text).toContain('25 changed files')
  expect(text.match(/class="diff-file"/g)).toHaveLength(20)
  const later = /data-later="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const part = (await page.get(later)).text
  expect(part.match(/class="diff-file"/g)).toHaveLength(5)
  expect(part).toContain('many/f20.txt')
  expect(part).not.toContain('<main')
  expect(text).toContain(`?skip=20#diff-${sha1('many/f20.txt')}`)
})

test('a file with too many lines is shown when it is asked for by itself', async () => {
  const text = await show('long')
  expect(text).toContain('Large diff not rendered')
  expect((await show('long', '?only=long.txt')).match(/class="add"/g)).toHaveLength(3500)
})

test('lines are shown in the encoding of their file, in colours and between two parts, too', async () => {
  const read = async () => (await page.get(`/ada/engine/commit/${commits.abroad}`)).text
  // On a busy machine a page does not wait for its colours, and the next one has them.
  const text = await eventually(async () => /<span class="hljs-keyword">const<\/span> price = /.test(await read()) && read())
  const plain = text.replaceAll(/<\/?(?:span|mark)[^>]*>/g, '')
  for (const line of ['-const price = `4 £`', '+const price = `5 £`', ' // Größe', '-schön 中', '+schöner 中', '-café', '+café'])
    expect(plain).toContain(`<td>${line}`)
  expect([text.includes('\ufffd'), text.includes('Binary file not shown')]).toEqual([false, false])
  const lines = await page.get(`/ada/engine/commit/${commits.abroad}?fragment=lines&of=size.js&first=1&last=2&shift=0`)
  expect(lines.text.replaceAll(/<\/?span[^>]*>/g, '')).toContain('// Größe')
  const patch = await page.get(`/ada/engine/commit/${commits.abroad}.diff`)
  expect(patch.text).toContain('Binary files a/wide.txt and b/wide.txt differ')
})

test('what a part of a diff stands in is read in the encoding of its file, and cut where git cuts it in patches', async () => {
  expect((await show('measured')).replaceAll(/<\/?(?:span|mark)[^>]*>/g, '')).toContain('function messen(größe) {')
  const patch = await page.get(`/ada/engine/commit/${commits.measured}.diff`)
  expect(patch.text).toContain('@@ function messen(gr\n')
})

test('a file that only moved says so', async () => {
  const text = await show('move')
  expect(text).toContain('a.txt → moved.txt')
  expect(text).toContain('File renamed without changes.')
})

test('a commit tells which branches and tags have it, and what was noted of it', async () => {
  const text = await show('change')
  expect(text).toContain('href="/ada/engine/commits/branch/main"')
  expect(text).toContain('href="/ada/engine/commits/tag/v1"')
  expect(text).toContain('seen by ada')
  expect(await show('move')).not.toContain('href="/ada/engine/commits/tag/v1"')
})
