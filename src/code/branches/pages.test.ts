import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
let hers: TestBrowser
let visitor: TestBrowser

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
  visitor = new TestBrowser(forge)
  fillRepo(forge, id, (directory) => {
    const commit = (message: string, date?: string) =>
      gitIn(directory, ...(date ? ['-c', `user.name=Old`] : []), 'commit', '-q', '--allow-empty', '-m', message, ...(date ? ['--date', date] : []))
    gitIn(directory, 'symbolic-ref', 'HEAD', 'refs/heads/main')
    commit('Begin')
    for (const name of ['feature/one', 'feature/two', 'other']) gitIn(directory, 'branch', name)
    commit('On main')
    gitIn(directory, 'checkout', '-q', 'feature/one')
    commit('First')
    commit('Second')
    for (const name of ['v1', 'v2', 'w1']) gitIn(directory, 'tag', name)
  })
})
afterAll(() => forge[Symbol.asyncDispose]())

const namesIn = (text: string) => [...text.matchAll(/\/src\/(?:branch|tag)\/([^"]+)"><svg/g)].map(([, name]) => name).sort()

test('each branch is shown with its last commit and how far it is from the default one', async () => {
  const { text } = await visitor.get('/ada/engine/branches?view=all')
  expect(namesIn(text)).toEqual(['feature/one', 'feature/two', 'main', 'other'])
  expect(text).toMatch(/feature\/one<\/a>.*?Second<\/a>.*?1 behind.*?2 ahead/s)
  expect(text).not.toContain('type="checkbox"')
})

test('branches and tags are found by a part of their names', async () => {
  expect(namesIn((await visitor.get('/ada/engine/branches?q=FEATURE')).text)).toEqual(['feature/one', 'feature/two'])
  expect(namesIn((await visitor.get('/ada/engine/tags?q=v')).text)).toEqual(['v1', 'v2'])
})

test('branches nobody worked on for months are stale, and the default one is always shown', async () => {
  forge.context.db.tx((tx) => tx.run("UPDATE ref SET time = 1000000000 WHERE name = 'refs/heads/other'"))
  expect(namesIn((await visitor.get('/ada/engine/branches?view=stale')).text)).toEqual(['main', 'other'])
  expect(namesIn((await visitor.get('/ada/engine/branches')).text)).not.toContain('other')
})

test('several are deleted at once; what cannot be is told, and the others are gone', async () => {
  const kept = await hers.post('/ada/engine/branches/delete', { name: ['main', 'other'] })
  expect([kept.status, kept.text.includes('main: can not delete default')]).toEqual([409, true])
  expect((await hers.post('/ada/engine/branches/delete', { name: ['feature/two'] })).headers.get('location')).toBe('/ada/engine/branches')
  expect(namesIn((await visitor.get('/ada/engine/branches?view=all')).text)).toEqual(['feature/one', 'main'])
  expect((await hers.post('/ada/engine/tags/delete', { name: ['v1', 'v2'] })).status).toBe(303)
  expect(namesIn((await visitor.get('/ada/engine/tags')).text)).toEqual(['w1'])
  expect((await visitor.post('/ada/engine/tags/delete', { name: ['w1'] })).status).not.toBe(200)
  expect(namesIn((await visitor.get('/ada/engine/tags')).text)).toEqual(['w1'])
})

test('a branch is begun where somebody says, unless there is nothing', async () => {
  const made = await hers.post('/ada/engine/branches/new', { new_branch_name: 'fresh', old_ref_name: 'w1' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/ada/engine/src/branch/fresh'])
  expect((await hers.post('/ada/engine/branches/new', { new_branch_name: 'x', old_ref_name: 'absent' })).status).toBe(409)
})
