import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

const names = ['main', 'HEAD', '@', '@~2', 'v1', 'v1^2', 'main^1~1', 'main~0', 'main^0', 'main^^', 'a/b.diff', 'a/b.diff~1']

let forge: TestForge
let visitor: TestBrowser
/** As git understands the names. */
const meant: Record<string, string> = {}

beforeAll(async () => {
  forge = testForge()
  const { id } = forge.repo(await forge.person('ada'), 'engine')
  fillRepo(forge, id, (directory) => {
    const commit = (message: string) => gitIn(directory, 'commit', '-q', '--allow-empty', '-m', message)
    for (let i = 0; i < 4; i++) commit(`Change ${i}`)
    gitIn(directory, 'checkout', '-qb', 'a/b.diff')
    commit('On the side')
    gitIn(directory, 'checkout', '-q', 'main')
    commit('On main')
    gitIn(directory, 'merge', '-q', '--no-ff', '-m', 'Merge the side', 'a/b.diff')
    gitIn(directory, 'tag', '-a', '-m', 'one', 'v1')
    for (const name of names) meant[name] = gitIn(directory, 'rev-parse', `${name}^{commit}`).trim()
  })
  visitor = new TestBrowser(forge)
})
afterAll(() => forge[Symbol.asyncDispose]())

const ask = async (name: string, query = '') => {
  const { status, headers } = await visitor.get(`/ada/engine/commit/${name}${query}`)
  return [status, headers.get('location')]
}

test.each(names)('a commit is found by the name %s, at the address of its own', async (name) => {
  expect(await ask(name, '?style=split')).toEqual([303, `/ada/engine/commit/${meant[name]}?style=split`])
  expect(await ask(encodeURIComponent(name))).toEqual([303, `/ada/engine/commit/${meant[name]}`])
})

test('its text is found likewise, and an id, whole or not, is shown where it is', async () => {
  expect(await ask('main.patch')).toEqual([303, `/ada/engine/commit/${meant.main}.patch`])
  expect(await ask(meant.main as string)).toEqual([200, null])
  expect(await ask(meant.main?.slice(0, 7) as string)).toEqual([200, null])
})

test.each(['none', 'main~9999', 'main~201', 'main^7', '~1', 'main~x', 'main^0~99', 'main:a', 'main..topic', '@{1}', '%00'])('%s names none', async (name) => {
  expect((await ask(name))[0]).toBe(404)
})
