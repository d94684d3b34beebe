import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anonymous } from '#access/index.ts'
import { parseOid } from '#git/objects/oid.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { colourChanges } from './colour-changes.ts'
import { readChanges } from './read-changes.ts'

let forge: TestForge
let page: TestBrowser
let repoId: number
/** Commits in their order. */
const commits: string[] = []

const before = 'const kept = 1\n/* begins\n   goes on */\nreturn "left words"\n  indented()\nlast()'
const after = 'const kept = 1\n/* begins\n   stays <b> */\nreturn "other words"\n      indented()\nlast() // &'

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  repoId = id
  page = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    const commit = (files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text)
      gitIn(directory, 'add', '-A')
      gitIn(directory, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'change')
      commits.push(gitIn(directory, 'rev-parse', 'HEAD').trim())
    }
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit({ 'a.js': before, 'words.none': 'const a = 1\n' })
    commit({ 'a.js': after, 'words.none': 'const a = 2\n', 'z.js': `let a = 1\n${'// much\n'.repeat(40_000)}` })
    commit({ 'z.js': `let b = 2\n${'// much\n'.repeat(40_000)}` })
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Colours the changes without haste first: what was coloured once is known when the page is asked for. */
async function show(commit: number, query = '') {
  const [from, to] = [commits[commit - 1], commits[commit]].map((oid) => parseOid(oid ?? ''))
  const ends = { where: repoId, from, to: to as NonNullable<typeof to> }
  const { found } = await readChanges(forge.context, ends, { skip: 0, ignoredSpace: query.includes('whitespace') ? 'all' : undefined })
  await colourChanges(forge.context, anonymous, repoId, found.files, 20_000)
  return (await page.get(`/ada/engine/commit/${to}${query}`)).text
}

const cells = (html: string, kind: string) => [...html.matchAll(new RegExp(`<tr class="${kind}"[^>]*>.*?<td>([^]*?)</td></tr>`, 'g'))].map(([, text]) => text)

test('both sides of a diff are coloured as in the whole file, and changed words are marked in that', async () => {
  const html = await show(1)
  expect(html).toContain('<td> <span class="hljs-keyword">const</span> kept')
  expect(cells(html, 'del').slice(0, 2)).toEqual([
    '-<span class="hljs-comment">   <mark>goes on</mark> */</span>',
    '-<span class="hljs-keyword">return</span> <span class="hljs-string">&quot;<mark>left</mark> words&quot;</span>',
  ])
  expect(cells(html, 'add').slice(0, 2)).toEqual([
    '+<span class="hljs-comment">   <mark>stays &lt;b&gt;</mark> */</span>',
    '+<span class="hljs-keyword">return</span> <span class="hljs-string">&quot;<mark>other</mark> words&quot;</span>',
  ])
  expect(cells(html, 'add')[3]).toBe(
    '+<span class="hljs-title function_">last</span>()<mark> </mark><span class="hljs-comment"><mark>// &amp;</mark></span>\n\\ No newline at end of file',
  )
  expect(html).toContain('+const a = <mark>2</mark>')
})

test('side by side the same', async () => {
  expect(await show(1, '?style=split')).toContain('<td class="del">-<span class="hljs-keyword">return</span>')
})

test('where blanks do not count, a line that kept its words is shown as the new file has it', async () => {
  const html = await show(1, '?whitespace=ignore-all')
  expect(html).toContain('<td>       <span class="hljs-title function_">indented</span>()</td>')
  expect(cells(html, 'add').join('')).not.toContain('indented')
})

test('a file that is too large for colours is shown as it is', async () => {
  expect(cells(await show(2), 'add')).toEqual(['+let <mark>b = 2</mark>'])
})
