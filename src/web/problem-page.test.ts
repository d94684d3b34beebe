import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../test/browser.ts'
import { type Person, testForge } from '../../test/harness.ts'

const forge = testForge()
let ada: Person

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.asUser(ada).post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
  await forge.asUser(ada).post('/user/repos', { name: 'secret', auto_init: true, private: true })
  await forge.asUser(ada).post('/repos/ada/engine/issues', { title: 'One' })
})
afterAll(() => forge[Symbol.asyncDispose]())

const isInRepository = (text: string) => text.includes('<nav class="tabs" aria-label="Repository">')

test.each([
  ['src/branch/main/a/none.ts', 'The branch “main” has no file “a/none.ts”.'],
  ['blame/branch/main/none.ts', 'The branch “main” has no file “none.ts”.'],
  ['src/branch/none/a.ts', 'No branch of this repository matches “none/a.ts”.'],
  ['src/tag/v9', 'No tag of this repository matches “v9”.'],
  [`commit/${'0'.repeat(40)}`, `Commit ${'0'.repeat(40)} does not exist in this repository.`],
  ['issues/99', 'Issue #99 does not exist in this repository, or you do not have access to it.'],
  ['pulls/99/files', 'Pull request #99 does not exist in this repository, or you do not have access to it.'],
  ['releases/tag/v9', 'This repository has no release for the tag v9, or you do not have access to it.'],
  ['compare/main...none', 'This repository has no branch, tag or commit named “none”.'],
  ['no%3Cb%3Esuch', 'The page “no&lt;b&gt;such” does not exist in this repository, or you do not have access to it.'],
])('the page of what is missing at /ada/engine/%s keeps the header of the repository and names it', async (path, sentence) => {
  const { status, text } = await new TestBrowser(forge, ada).get(`/ada/engine/${path}`)
  expect([status, isInRepository(text), text.includes(sentence)]).toEqual([404, true, true])
})

test('the page of what is missing in a hidden repository is that of a repository that does not exist', async () => {
  const visitor = new TestBrowser(forge)
  const [hidden, absent] = await Promise.all([visitor.get('/ada/secret/issues/1'), visitor.get('/ada/nothing/issues/1')])
  expect([hidden.status, isInRepository(hidden.text), hidden.text.replaceAll('secret', 'nothing')]).toEqual([404, false, absent.text])
})

test('what somebody may not do is refused within the repository', async () => {
  const { status, text } = await new TestBrowser(forge, await forge.person('bob')).get('/ada/engine/settings')
  expect([status, isInRepository(text)]).toEqual([403, true])
})
