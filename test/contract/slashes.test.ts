import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { testForge } from '../harness.ts'
import { declaredRoutes, lineOf } from '../matrix/routes.ts'

/** All rooms are loaded for it. */
setDefaultTimeout(60_000)

/** Clients that put addresses together from parts end them with a slash now and then. */
const forge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())

const known: Record<string, string> = { owner: 'ada', repo: 'engine', username: 'ada', org: 'acme', sha: 'main', user: 'ada' }
/** What stands for the rest of a path, by what is before it. */
const rests: Record<string, string> = {
  tags: 'v1',
  refs: 'heads/main',
  page: 'Home',
  revisions: 'Home',
  archive: 'main.zip',
  commits: 'main.diff',
  compare: 'main...main',
}
const files: ReadonlySet<string> = new Set(['contents', 'contents-ext', 'raw', 'media', 'editorconfig'])

test('a slash at the end of an address that ends with a name of any form makes no difference', async () => {
  const at = '/repos/ada/engine'
  await forge.person('ada')
  await ada.post('/user/repos', { name: 'engine', auto_init: true })
  await ada.post(`${at}/releases`, { tag_name: 'v1' })
  await ada.post(`${at}/wiki/new`, { title: 'Home', content_base64: 'aG9tZQ==' })
  await ada.post(`${at}/branch_protections`, { rule_name: 'main' })
  const answers = { different: [] as string[], found: [] as string[] }
  for (const route of await declaredRoutes(forge.app)) {
    if (route.method !== 'GET' || !route.params.includes('*')) continue
    const before = route.path.split('/').at(-2) ?? ''
    const line = lineOf(route, { ...known, '*': files.has(before) ? 'README.md' : (rests[before] ?? 'main') })
    const [plain, ended] = [await ada.send(line), await ada.send(`${line}/`)]
    if (plain.status === 200) answers.found.push(before)
    if (plain.status !== ended.status) answers.different.push(`${line}: ${plain.status} ${ended.status}`)
  }
  expect(answers.different).toEqual([])
  expect(answers.found).toEqual(
    expect.arrayContaining(['branches', 'tags', 'page', 'revisions', 'archive', 'branch_protections', 'compare', 'contents', 'raw']),
  )
})
