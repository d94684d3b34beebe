import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let bob: Person
let hers: TestBrowser
let his: TestBrowser
let strangers: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  bob = await forge.person('bob')
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
  strangers = new TestBrowser(forge)
  await asAda.post('/user/repos', { name: 'engine', auto_init: true, default_branch: 'main' })
  await asAda.post('/user/repos', { name: 'enigma', private: true })
  await asAda.post('/user/repos', { name: 'steam-engine' })
  await asAda.post('/repos/ada/engine/branches', { new_branch_name: 'topic/one' })
  await asAda.post('/repos/ada/engine/issues', { title: 'It <b>breaks</b>' })
  await asAda.post('/repos/ada/enigma/issues', { title: 'hidden' })
  await asAda.post('/orgs', { username: 'adastra' })
})
afterAll(() => forge[Symbol.asyncDispose]())

/** Where the box leads who types this. */
async function ways(browser: TestBrowser, q: string, at = ''): Promise<string[]> {
  const { status, text } = await browser.get(`/-/jump?fragment=&q=${encodeURIComponent(q)}&in=${encodeURIComponent(at)}`)
  expect([status, text.includes('<html')]).toEqual([200, false])
  return [...text.matchAll(/role="option" id="jump-\d+" href="([^"]+)"/g)].map(([, href = '']) => href)
}

test.each<[string, string, string, string[]]>([
  ['repositories by the beginning of their name, and her own by any part', 'eng', '', ['/ada/engine', '/ada/steam-engine']],
  ['one that only she sees', 'enig', '', ['/ada/enigma']],
  ['those of an owner', 'ada/en', '', ['/ada/engine', '/ada/enigma']],
  ['an issue by its whole name', 'ada/engine#1', '', ['/ada/engine/issues/1']],
  ['an issue of the repository where she is', '#1', 'ada/engine', ['/ada/engine/issues/1']],
  ['the same without the sign', '1', 'ada/engine', ['/ada/engine/issues/1']],
  ['people and organizations', 'ada', '', ['/ada', '/adastra']],
  ['a branch of the repository where she is', 'topic', 'ada/engine', ['/ada/engine/src/branch/topic/one']],
  ['a file of the repository where she is', 'readme', 'ada/engine', ['/ada/engine/src/branch/main/README.md']],
  ['a page of the repository where she is', 'new issue', 'ada/engine', ['/ada/engine/issues/new']],
  ['settings', 'access tokens', '', ['/user/settings/applications']],
  ['settings of what she administers', 'deploy', 'ada/engine', ['/ada/engine/settings/keys']],
  ['a search for what there is nothing of', 'nowhere', '', ['/explore/repos?q=nowhere']],
])('a member finds %s', async (_, q, at, expected) => {
  expect(await ways(hers, q, at)).toEqual(expect.arrayContaining(expected))
})

test('what is called exactly so comes first, and what only has it in its name last', async () => {
  await asAda.post('/user/repos', { name: 'engine-docs' })
  expect((await ways(hers, 'engine')).slice(0, 3)).toEqual(['/ada/engine', '/ada/engine-docs', '/ada/steam-engine'])
})

test('what somebody may not see is not found, and neither are settings of what they do not administer', async () => {
  for (const browser of [his, strangers]) {
    const found = [
      ...(await ways(browser, 'enig')),
      ...(await ways(browser, 'ada/enigma#1')),
      ...(await ways(browser, '#1', 'ada/enigma')),
      ...(await ways(browser, 'deploy', 'ada/engine')),
    ]
    expect(found.filter((way) => !way.startsWith('/explore/') && !way.startsWith('/ada/engine/issues?'))).toEqual([])
  }
  expect(await ways(strangers, 'tokens')).toEqual(['/explore/repos?q=tokens'])
})

test('what is hidden does not stand in the way of what is not, however much of it there is', async () => {
  const rows = Array.from({ length: 5 }, (_, i) => `crowd-${i}`)
  for (const name of rows) await forge.asUser(bob).post('/user/repos', { name, private: true })
  await asAda.post('/user/repos', { name: 'crowd-z' })
  expect(await ways(hers, 'crowd')).toEqual(['/ada/crowd-z', '/explore/repos?q=crowd'])
})

test('the same is a page for who runs no scripts, and nothing in it is markup of others', async () => {
  const { status, text, headers } = await hers.get('/-/jump?q=1&in=ada%2Fengine')
  expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
  expect(text).toContain('<a href="/ada/engine/issues/1">It &lt;b&gt;breaks&lt;/b&gt;</a>')
  expect(text).toContain('name="in" value="ada/engine"')
  const odd = await hers.get(`/-/jump?q=${encodeURIComponent('"><script>%_\u{10ffff}')}&in=..%2F..`)
  expect([odd.status, /<script>/.test(odd.text)]).toEqual([200, false])
})
