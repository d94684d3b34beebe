import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'

const forge = testForge()
let hers: TestBrowser
const heads: Record<string, string> = {}

/** A pull request of two commits that was rebased onto a base that had moved, with its second commit reworked, and then got a third. */
beforeAll(async () => {
  const ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  const same = Array.from({ length: 12 }, (_, i) => `line ${i}\n`).join('')
  fillRepo(forge, repo.id, (made) => {
    const commit = (branch: string, files: Record<string, string>, message: string) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
      gitIn(made, 'add', '.')
      gitIn(made, 'commit', '-q', '-m', message)
      gitIn(made, 'branch', '-f', branch)
      heads[branch] = gitIn(made, 'rev-parse', 'HEAD').trim()
    }
    gitIn(made, 'checkout', '-q', '--orphan', 'work')
    commit('first', { 'base.txt': 'old\n' }, 'First')
    commit('v1-1', { 'a.txt': 'kept\n' }, 'Add a')
    commit('v1', { 'b.txt': `one <b>\n${same}` }, 'Add b')
    gitIn(made, 'checkout', '-q', '--detach', 'first')
    commit('main', { 'base.txt': 'moved\n' }, 'Move the base')
    commit('v2-1', { 'a.txt': 'kept\n' }, 'Add a')
    commit('v2', { 'b.txt': `two <b>\n${same}` }, 'Add b, better')
    commit('v3', { 'c.txt': 'more\n' }, 'Add c')
    gitIn(made, 'branch', 'topic', 'v1')
  })
  await forge.asUser(ada).post('/repos/ada/engine/pulls', { title: 'Add things', head: 'topic', base: 'main' })
  for (const [to, force] of [
    ['v2', true],
    ['v3', false],
  ] as const) {
    const { status } = await forge.asUser(ada).put('/repos/ada/engine/branches/topic', { new_commit_id: heads[to], force })
    expect(status).toBe(204)
  }
  hers = new TestBrowser(forge, ada)
}, PATIENCE)
afterAll(() => forge[Symbol.asyncDispose]())

const versions = '/ada/engine/pulls/1/versions'
const comparing = (from: string, to: string) => `${versions}?from=${heads[from]}&to=${heads[to]}`
const textOf = (html: string) =>
  html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('all versions are listed with who made them, how, and how many commits they have', async () => {
  const { text } = await hers.get(versions)
  const told = textOf(text)
  for (const line of ['Version 3 pushed by ada', 'Version 2 force-pushed by ada', 'Version 1 opened by ada']) expect(told).toContain(line)
  expect([...told.matchAll(/\d commits?\b/g)].map(([count]) => count)).toEqual(['3 commits', '2 commits', '2 commits'])
  expect(text).toContain(`href="${comparing('v1', 'v2').replace('&', '&amp;')}"`)
})

test('two versions are compared commit by commit, and file by file without what the base brought', async () => {
  const { status, text } = await hers.get(comparing('v1', 'v2'))
  const told = textOf(text)
  expect(status).toBe(200)
  expect(told).toContain('= Unchanged Add a')
  expect(told).toContain('! Changed Add b, better , previously: Add b')
  expect(told).toContain('-+one &lt;b&gt; ++two &lt;b&gt;')
  expect(told).toContain('-one &lt;b&gt;')
  expect(told).toContain('The two versions start from different commits of the base branch')
  expect(told).not.toContain('moved')
})

test('a commit that came is told as new, one that went as gone', async () => {
  expect(textOf((await hers.get(comparing('v2', 'v3'))).text)).toContain('&gt; New Add c')
  expect(textOf((await hers.get(comparing('v3', 'v2'))).text)).toContain('&lt; Removed Add c')
})

test('the conversation leads from a forced push to what changed by it', async () => {
  const { text } = await hers.get('/ada/engine/pulls/1')
  expect(text).toContain(`href="${comparing('v1', 'v2').replace('&', '&amp;')}">compare</a>`)
  expect(text).toContain(`href="${versions}"`)
})

test('what is no version of the pull request is not compared', async () => {
  for (const other of ['main', 'first', 'v1-1']) expect((await hers.get(comparing(other, 'v3'))).status).toBe(404)
  expect((await hers.get(`${versions}?from=x&to=y`)).status).toBe(404)
})

test('in a terminal the comparison reads as git range-diff prints it', async () => {
  const request = new Request(`http://localhost${comparing('v1', 'v2')}`, { headers: { 'User-Agent': 'curl/8.0', Accept: '*/*' } })
  const text = await (await forge.app.handle(request)).text()
  expect(text).toMatch(/= Unchanged Add a 1: \w{10} → 1: \w{10}\n/)
  expect(text).toContain('\n-+one <b>\n++two <b>\n')
})

test('once it is merged its versions are what they were', async () => {
  const merged = await forge.asUser('ada').post('/repos/ada/engine/pulls/1/merge', { Do: 'merge' })
  expect(merged.status).toBe(200)
  expect(textOf((await hers.get(comparing('v1', 'v2'))).text)).toContain('! Changed Add b, better')
  expect([...textOf((await hers.get(versions)).text).matchAll(/\d commits?\b/g)].map(([count]) => count)).toEqual(['3 commits', '2 commits', '2 commits'])
})
