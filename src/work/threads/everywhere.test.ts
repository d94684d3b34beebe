import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
let hers: TestBrowser
let his: TestBrowser

beforeAll(async () => {
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  forge.repo(ada, 'engine')
  forge.repo(ada, 'secret', { private: true })
  const open = (repo: string, as: typeof ada, body: Record<string, unknown>) => forge.asUser(as).post(`/repos/ada/${repo}/issues`, body)
  await open('engine', bob, { title: 'Case of his' })
  await open('engine', ada, { title: 'Case of hers', assignees: ['ada'] })
  await open('engine', ada, { title: 'Case that is over', closed: true })
  await open('engine', bob, { title: 'Case for her', body: 'What does @ada say?' })
  await open('secret', ada, { title: 'Case that he must not see', body: '@bob' })
  hers = new TestBrowser(forge, ada)
  his = new TestBrowser(forge, bob)
})
afterAll(() => forge[Symbol.asyncDispose]())

const titles = async (whose: TestBrowser, address: string) =>
  [...(await whose.get(address)).text.matchAll(/>Case ([\w ]+)<\/a>/g)].map(([, title]) => title).toSorted()

test.each([
  ['/issues', ['of hers', 'that he must not see']],
  ['/issues?state=closed', ['that is over']],
  ['/issues?state=all&q=over', ['that is over']],
  ['/issues?type=assigned', ['of hers']],
  ['/issues?type=mentioned', ['for her']],
  ['/issues?type=your_repositories', ['for her', 'of hers', 'of his', 'that he must not see']],
  ['/issues?q=author:bob', ['for her', 'of his']],
  ['/issues?q=author:bob&type=created_by', []],
  ['/issues?q=hers+OR+over&state=all', ['of hers', 'that is over']],
  ['/issues?q=-assignee:@me+involves:ada', ['for her', 'that he must not see']],
  ['/issues?q=repo:ada/engine+number+OR+2&type=all', ['of hers']],
  ['/issues?q=assignee:*&type=all', ['of hers']],
  ['/issues?type=__proto__', ['of hers', 'that he must not see']],
  ['/pulls', []],
  ['/pulls?type=review_requested', []],
])('%s lists what is hers in that way', async (address, expected) => expect(await titles(hers, address)).toEqual(expected))

test('what somebody may not read is in none of the lists', async () => {
  expect(await titles(his, '/issues?state=all')).toEqual(['for her', 'of his'])
  expect(await titles(his, '/issues?type=mentioned')).toEqual([])
})

test('a search for a state or for pull requests becomes the address of that list', async () => {
  const lead = async (address: string) => (await hers.get(address)).headers.get('location')
  expect(await lead('/issues?q=is:closed+over')).toBe('/issues?q=over&state=closed')
  expect(await lead('/issues?q=is:pr&type=assigned')).toBe('/pulls?type=assigned&state=open')
})

test('a search that is not understood is told so', async () => {
  expect((await hers.get('/pulls?q=is:odd+foo:bar')).text).toMatch(/Unknown value <code>odd<\/code>.*Unknown qualifier <code>foo:<\/code>/s)
})

test('visitors are asked to sign in', async () => {
  const { status, headers } = await new TestBrowser(forge).get('/pulls?type=assigned')
  expect([status, headers.get('location')]).toEqual([303, '/user/login?redirect_to=%2Fpulls%3Ftype%3Dassigned'])
})

test.each([
  ['issues/new/choose', 'issues/new'],
  ['milestones/new', 'milestones'],
])('%s leads to where that is done here', async (theirs, ours) => {
  expect((await hers.get(`/ada/engine/${theirs}`)).headers.get('location')).toBe(`/ada/engine/${ours}`)
})
