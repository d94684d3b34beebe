import { afterAll, beforeAll, expect } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { wikiIdOf } from '#access/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
let forge: TestForge
let ada: Person
let hers: TestBrowser

beforeAll(async () => {
  forge = testForge()
  ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a wiki is begun, a page moved with its text, and deleted in the browser', async () => {
  expect((await hers.get('/ada/engine/wiki')).text).toContain('/ada/engine/wiki/_new')
  expect((await hers.get('/ada/engine/wiki/_new')).text).toContain('value="Home"')
  expect((await hers.post('/ada/engine/wiki/_new', { title: 'Home', content: `# Hi\r\n\r\n${ATTACK}` })).headers.get('location')).toBe('/ada/engine/wiki/Home')
  const made = await hers.post('/ada/engine/wiki/_new', { title: 'How to', content: 'one' })
  const address = made.headers.get('location') as string
  const name = address.split('/').at(-1)
  expect((await hers.get(`/ada/engine/wiki/_edit/${name}`)).text).toContain('one</textarea>')
  const moved = await hers.post(address, { title: 'How not to', content: 'two', message: 'Say no' })
  const { text } = await hers.get(moved.headers.get('location') as string)
  expect(text).toContain('two')
  expect((await hers.get(address)).status).toBe(404)
  const home = await hers.get('/ada/engine/wiki')
  expect(home.text).toContain('Hi</h2>')
  expect(home.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  await hers.post(moved.headers.get('location') as string, { title: 'x', content: 'x', action: 'delete' })
  expect((await hers.get('/ada/engine/wiki/_pages')).text).not.toContain('How not to')
})

test('a title that is taken is told with what was typed, and readers have no forms', async () => {
  const taken = await hers.post('/ada/engine/wiki/_new', { title: 'Home', content: 'my words' })
  expect([taken.status, taken.text.includes('my words')]).toEqual([400, true])
  const his = new TestBrowser(forge, await forge.person('bob'))
  expect((await his.get('/ada/engine/wiki/_new')).status).toBe(403)
  expect((await his.post('/ada/engine/wiki/Home', { title: 'Home', content: 'x' })).status).toBe(403)
  expect((await his.get('/ada/engine/wiki')).text).not.toContain('_edit')
  expect((await hers.post('/ada/engine/wiki/Home', { title: 'Home', content: 'x' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
})

test('a link to a page that is not there yet leads who may write to writing it', async () => {
  const absent = await hers.get('/ada/engine/wiki/Release%20notes')
  expect([absent.status, absent.text.includes('This page does not exist yet')]).toEqual([404, true])
  const [, href = ''] = /href="([^"]+)">Create page/.exec(absent.text) ?? []
  expect((await hers.get(href)).text).toContain('name="title" value="Release notes"')
  const theirs = await new TestBrowser(forge).get('/ada/engine/wiki/Release%20notes')
  expect([theirs.status, theirs.text.includes('Create page')]).toEqual([404, false])
})

test('the sidebar and the footer have ids of their own', async () => {
  const content = '# Part\n\ntext[^1]\n\n[^1]: note\n'
  for (const title of ['Ids', '_Sidebar', '_Footer']) await hers.post('/ada/engine/wiki/_new', { title, content })
  const { text } = await hers.get('/ada/engine/wiki/Ids')
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect([ids.filter((id) => id?.includes('part')).length, new Set(ids).size]).toEqual([3, ids.length])
})

test('the form for a new page opens without a look at what the wiki stores', async () => {
  const repo = forge.repo(ada, 'unread')
  expect((await hers.post('/ada/unread/wiki/_new', { title: 'Home', content: 'one' })).status).toBe(303)
  const objects = join(forge.context.git.pathOf(wikiIdOf(repo.id)), 'objects')
  renameSync(objects, `${objects}-away`)
  const { status, text } = await hers.get('/ada/unread/wiki/_new')
  renameSync(`${objects}-away`, objects)
  expect([status, text.includes('value="Home"')]).toEqual([200, false])
})
