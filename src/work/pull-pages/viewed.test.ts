import { afterAll, beforeAll, expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { PATIENCE } from '../../../test/seeds.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let bob: Person
let hers: TestBrowser
const heads: Record<string, string> = {}
const lines = (first: string, last: string) => `${[first, ...Array.from({ length: 30 }, (_, i) => `line ${i}`), last].join('\n')}\n`

beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  const repo = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (made) => {
    const commit = (branch: string, files: Record<string, string>) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
      gitIn(made, 'add', '.')
      gitIn(made, 'commit', '-q', '-m', branch)
      gitIn(made, 'branch', '-f', branch)
      heads[branch] = gitIn(made, 'rev-parse', 'HEAD').trim()
    }
    gitIn(made, 'checkout', '-q', '--orphan', 'work')
    commit('first', { 'a.txt': lines('top', 'end'), 'b.txt': lines('top', 'end') })
    commit('v1', { 'a.txt': lines('top', 'mine'), 'b.txt': lines('top', 'mine'), 'c.txt': 'new\n' })
    gitIn(made, 'checkout', '-q', '--detach', 'first')
    commit('moved', { 'a.txt': lines('theirs', 'end') })
    commit('v2', { 'a.txt': lines('theirs', 'mine'), 'b.txt': lines('top', 'other'), 'c.txt': 'new\n' })
    gitIn(made, 'branch', 'topic', 'v1')
    gitIn(made, 'branch', 'main', 'first')
  })
  await asAda.post('/repos/ada/engine/pulls', { title: 'Mine', head: 'topic', base: 'main' })
  hers = new TestBrowser(forge, ada)
}, PATIENCE)
afterAll(() => forge[Symbol.asyncDispose]())

const files = '/ada/engine/pulls/1/files'

/** The head of each file on the page: whether it is open, what is said of it, and what its form would send. */
async function filesOn(browser = hers): Promise<Record<string, { isOpen: boolean; said: string; form: Record<string, string> }>> {
  const { text } = await browser.get(files)
  const found = [...text.matchAll(/<details class="diff-file" id="[^"]+"( open)?>(.*?)<\/details>/gs)].map(([, open, html = '']) => {
    const fields = [...html.matchAll(/name="(path|old_side|new_side|viewed)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const said = [...html.matchAll(/<span class="mark">(Viewed|Changed since[^<]*)<\/span>/g)].map(([, words]) => words).join()
    const [, name = ''] = /<h3[^>]*>([^<]+)</.exec(html) ?? []
    return [name, { isOpen: open !== undefined, said, form: Object.fromEntries(fields) }] as const
  })
  return Object.fromEntries(found)
}

const progressOn = async (browser = hers) => /(\d+ of \d+ viewed)/.exec((await browser.get(files)).text)?.[1]

async function press(path: string): Promise<number> {
  return (await hers.post('/ada/engine/pulls/1/viewed', (await filesOn())[path]?.form)).status
}

test('a file is marked as viewed by a button, folded, and counted; of another person it is not', async () => {
  expect(await progressOn()).toBe('0 of 3 viewed')
  expect(await press('a.txt')).toBe(303)
  expect(await progressOn()).toBe('1 of 3 viewed')
  const shown = await filesOn()
  expect([shown['a.txt']?.isOpen, shown['a.txt']?.said]).toEqual([false, 'Viewed'])
  expect([shown['b.txt']?.isOpen, shown['b.txt']?.said]).toEqual([true, ''])
  const his = new TestBrowser(forge, bob)
  expect(await progressOn(his)).toBe('0 of 3 viewed')
  expect((await filesOn(new TestBrowser(forge)))['a.txt']).toEqual({ isOpen: true, said: '', form: {} })
})

test('pressed again, it is not viewed after all', async () => {
  expect(await press('a.txt')).toBe(303)
  expect([await progressOn(), (await filesOn())['a.txt']?.isOpen]).toEqual(['0 of 3 viewed', true])
})

test('marks outlast a rebase, but for files in which the changes are others now', async () => {
  for (const path of ['a.txt', 'b.txt', 'c.txt']) expect(await press(path)).toBe(303)
  const before = (await filesOn())['b.txt']?.form
  await asAda.put('/repos/ada/engine/branches/main', { new_commit_id: heads.moved, force: true })
  await asAda.put('/repos/ada/engine/branches/topic', { new_commit_id: heads.v2, force: true })
  const shown = await filesOn()
  expect(Object.entries(shown).map(([path, { isOpen, said }]) => [path, isOpen, said])).toEqual([
    ['a.txt', false, 'Viewed'],
    ['b.txt', true, 'Changed since you viewed it'],
    ['c.txt', false, 'Viewed'],
  ])
  expect(await progressOn()).toBe('2 of 3 viewed')
  // A page that was loaded before the push says nothing of what is there now.
  const late = await hers.post('/ada/engine/pulls/1/viewed', { ...before, viewed: 'true' })
  expect([late.status, late.text.includes('Review it again')]).toEqual([422, true])
  expect(await progressOn()).toBe('2 of 3 viewed')
})

test('nobody marks what the pull request does not change, or without signing in', async () => {
  const form = { path: 'x.txt', old_side: '', new_side: '', viewed: 'true' }
  expect((await hers.post('/ada/engine/pulls/1/viewed', form)).status).toBe(422)
  const { headers } = await new TestBrowser(forge).post('/ada/engine/pulls/1/viewed', form)
  expect(headers.get('location')).toContain('/user/login')
})

test('marks go with the pull request', async () => {
  const count = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM viewed_file')?.n
  expect(count()).toBe(3)
  expect((await asAda.delete('/repos/ada/engine/issues/1')).status).toBe(204)
  expect(count()).toBe(0)
})
