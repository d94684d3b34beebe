import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type Person, testForge } from '../../../test/harness.ts'
import { spansOf } from './charts.tsx'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let visitor: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  visitor = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    const commit = (who: string, text: string) => {
      writeFileSync(join(directory, 'a.txt'), text)
      gitIn(directory, 'add', '-A')
      gitIn(directory, 'commit', '-q', '-m', `By ${who}`, `--author=${who} <${who.length}@example.com>`)
    }
    commit('Grace', 'one\ntwo\n')
    commit('Grace', 'one\n2\n')
    commit('B&B Eve', 'one\n2\nthree\n')
  })
  for (const title of ['Broken', 'Slow', 'Old']) await asAda.post('/repos/ada/engine/issues', { title })
  await asAda.patch('/repos/ada/engine/issues/1', { state: 'closed' })
  forge.context.db.tx((tx) => tx.run("UPDATE issue SET created_at = 1000, updated_at = 1000 WHERE title = 'Old'"))
  await asAda.post('/repos/ada/engine/releases', { tag_name: 'v1', name: 'First' })
})
afterAll(() => forge[Symbol.asyncDispose]())

const plain = async (path: string) => (await visitor.get(`/ada/engine/activity${path}`)).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

test('a period is told with what was opened, closed and published, and by whom', async () => {
  const text = await plain('')
  expect(text).toContain(', 1 issue closed, 2 issues opened, 3 commits by 2 authors.')
  expect(text).toContain('First')
  expect(text).toMatch(/Grace 2 commits, \+3 −1/)
  expect(text).not.toContain('Old')
  for (const path of ['/daily', '/halfweekly', '/monthly', '/quarterly', '/semiyearly', '/yearly'])
    expect((await visitor.get(`/ada/engine/activity${path}`)).status).toBe(200)
  expect((await visitor.get('/ada/engine/activity/never')).status).toBe(404)
})

test('contributors come with how much they did, the code with how often it changed', async () => {
  const { text } = await visitor.get('/ada/engine/activity/contributors')
  expect(text).toContain('3 commits to main, excluding merge commits')
  expect(text).toContain('B&amp;B Eve')
  expect(text).not.toMatch(/\sstyle=/)
  expect(await plain('/code-frequency')).toContain('4 lines added and 1 deleted in main')
  expect(await plain('/recent-commits')).toContain('3 commits to main')
})

test('who may not read issues is told nothing of them, and a repository without commits has its page', async () => {
  await asAda.post('/user/repos', { name: 'empty' })
  expect((await visitor.get('/ada/empty/activity')).status).toBe(200)
  expect((await visitor.get('/ada/empty/activity/contributors')).text).toContain('No commits yet')
  await asAda.patch('/repos/ada/engine', { has_issues: false })
  const text = await plain('/monthly')
  expect(text).not.toContain('issues')
  expect(text).toContain('3 commits')
  await asAda.patch('/repos/ada/engine', { has_issues: true, private: true })
  expect((await visitor.get('/ada/engine/activity')).status).toBe(404)
  await asAda.patch('/repos/ada/engine', { private: false })
})

test('however far apart commits are dated, a chart has no more than so many bars', () => {
  const week = (number: number) => ({ week: number, commits: 1, additions: 2, deletions: 3 })
  const spans = spansOf([week(0), week(1), week(2800), week(400_000)])
  expect(spans.length).toBeLessThanOrEqual(104)
  expect(spans.reduce((sum, { commits }) => sum + commits, 0)).toBe(4)
  expect(spansOf([week(2800), week(2802)]).map(({ from, commits }) => [from, commits])).toEqual([
    ['2023-08-27', 1],
    ['2023-09-03', 0],
    ['2023-09-10', 1],
  ])
  expect(spansOf([])).toEqual([])
})
