import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const forge = testForge()
const asAda = forge.asUser('ada')
let ada: Person
let hers: TestBrowser
let stranger: TestBrowser

beforeAll(async () => {
  ada = await forge.person('ada')
  await asAda.post('/user/repos', { name: 'engine', auto_init: true, private: true })
  hers = new TestBrowser(forge, ada)
  stranger = new TestBrowser(forge)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a release is made with its tag, shown with what its text says, and every address of its record is a page or a file', async () => {
  const made = await hers.post('/ada/engine/releases/new', { tag_name: 'v1/a', name: `First ${ATTACK}`, body: `**New** ${ATTACK}` })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/ada/engine/releases/tag/v1/a'])
  const { text } = await hers.get('/ada/engine/releases')
  expect(text).toContain('<strong>New</strong>')
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  type Release = { id: number; html_url: string; zipball_url: string; tarball_url: string; assets: { browser_download_url: string }[] }
  const read = async () => (await asAda.get<Release[]>('/repos/ada/engine/releases')).body[0] as Release
  const { id } = await read()
  expect((await hers.post(`/ada/engine/releases/${id}/files`, {}, [new File(['bytes'], 'app.bin')])).status).toBe(303)
  const { html_url, zipball_url, tarball_url, assets } = await read()
  for (const url of [html_url, zipball_url, tarball_url, assets[0]?.browser_download_url as string]) {
    const path = new URL(url).pathname
    expect([path, (await hers.get(path)).status, (await stranger.get(path)).status]).toEqual([path, 200, 404])
  }
  expect((await hers.post(`/ada/engine/releases/${id}/delete`)).status).toBe(303)
  expect((await hers.get('/ada/engine/releases')).text).toContain('No releases yet')
})

test('a draft is seen by who may write alone, and what was typed stays when it is not taken', async () => {
  await asAda.patch('/repos/ada/engine', { private: false })
  await hers.post('/ada/engine/releases/new', { tag_name: 'v2', name: 'Secret plan', draft: 'true' })
  expect((await hers.get('/ada/engine/releases')).text).toContain('Secret plan')
  expect((await stranger.get('/ada/engine/releases')).text).not.toContain('Secret plan')
  const refused = await hers.post('/ada/engine/releases/new', { tag_name: 'a..b', name: 'Typed' })
  expect([refused.status, refused.text.includes('value="Typed"')]).toEqual([422, true])
  const bob = new TestBrowser(forge, await forge.person('bob'))
  expect((await bob.get('/ada/engine/releases/new')).status).toBe(403)
})

test('releases are searched, narrowed down to what the viewer may see, and deleted together, while their tags stay', async () => {
  await asAda.post('/user/repos', { name: 'many', auto_init: true })
  const make = async (tag_name: string, more: object = {}) =>
    (await asAda.post<{ id: number }>('/repos/ada/many/releases', { tag_name, name: `Version ${tag_name}`, ...more })).body.id
  const first = await make('v1')
  const second = await make('v2', { body: 'The needle' })
  await make('v3', { prerelease: true })
  await make('v4', { draft: true })
  const names = async (browser: TestBrowser, query = '') => {
    const { text } = await browser.get(`/ada/many/releases?${query}`)
    return [...text.matchAll(/>Version (v\d)<\/a>/g)].map(([, name]) => name).toSorted()
  }
  expect([await names(hers), await names(stranger)]).toEqual([
    ['v1', 'v2', 'v3', 'v4'],
    ['v1', 'v2', 'v3'],
  ])
  expect([
    await names(hers, 'filter=draft'),
    await names(hers, 'filter=prerelease'),
    await names(hers, 'filter=release'),
    await names(hers, 'q=NEEDLE'),
  ]).toEqual([['v4'], ['v3'], ['v1', 'v2'], ['v2']])
  expect([await names(stranger, 'filter=draft'), await names(stranger, 'filter=constructor')]).toEqual([
    ['v1', 'v2', 'v3'],
    ['v1', 'v2', 'v3'],
  ])
  expect((await hers.get('/ada/many/releases?q=<b>')).text).toContain('No releases match “&lt;b&gt;”')
  await hers.post(`/ada/many/releases/${first}/files`, {}, [new File(['x'.repeat(1536)], 'app.bin')])
  await stranger.get('/ada/many/releases/download/v1/app.bin')
  expect((await stranger.get('/ada/many/releases')).text).toMatch(/<span title="1,536 bytes">1\.5 KiB<\/span><\/span><span class="number faint">1 download</)
  expect((await new TestBrowser(forge, await forge.person('carl')).post('/ada/many/releases/delete', { release: String(first) })).status).toBe(403)
  expect((await hers.post('/ada/many/releases/delete', { release: [String(first), String(second), '99999'] })).status).toBe(303)
  expect((await hers.get('/ada/many/releases')).text).toContain('2 releases deleted. Their tags were kept.')
  expect([await names(hers), (await asAda.get('/repos/ada/many/tags/v1')).status]).toEqual([['v3', 'v4'], 200])
})

test('a file of a release is renamed and removed where the release is edited, and the newest release has an address that stays', async () => {
  await asAda.post('/user/repos', { name: 'files', auto_init: true })
  expect((await stranger.get('/ada/files/releases/latest')).status).toBe(404)
  const { id } = (await asAda.post<{ id: number }>('/repos/ada/files/releases', { tag_name: 'v/1' })).body
  const latest = await stranger.get('/ada/files/releases/latest')
  expect([latest.status, latest.headers.get('location')]).toEqual([303, '/ada/files/releases/tag/v/1'])
  await hers.post(`/ada/files/releases/${id}/files`, {}, [new File(['bytes'], 'wrong.bin')])
  const files = async () => (await asAda.get<{ id: number; name: string }[]>(`/repos/ada/files/releases/${id}/assets`)).body
  const place = `/ada/files/releases/${id}/files/${(await files())[0]?.id}`
  expect((await hers.get(`/ada/files/releases/edit/${id}`)).text).toContain(`formaction="${place}/delete"`)
  expect((await hers.post(place, { name: '../' })).status).toBe(422)
  expect((await hers.post(place, { name: '../right.bin' })).headers.get('location')).toBe(`/ada/files/releases/edit/${id}`)
  expect((await files()).map(({ name }) => name)).toEqual(['right.bin'])
  expect((await hers.post(place.replace(`/${id}/`, `/${id + 1}/`), { name: 'x' })).status).toBe(404)
  expect((await new TestBrowser(forge, await forge.person('dora')).post(`${place}/delete`)).status).toBe(403)
  expect([(await hers.post(`${place}/delete`)).status, await files()]).toEqual([303, []])
})

test('the address of a tag without a release shows the tag, to viewers who can read the code', async () => {
  await asAda.post('/user/repos', { name: 'tagged', auto_init: true })
  const tag = { tag_name: 'v1/a', message: `First ${ATTACK}\n\nWith notes`, target: 'main' }
  const made = await asAda.post<{ commit: { sha: string } }>('/repos/ada/tagged/tags', tag)
  const { status, text } = await stranger.get('/ada/tagged/releases/tag/v1/a')
  expect(status).toBe(200)
  expect(text).toContain('With notes')
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  for (const path of [`commit/${made.body.commit.sha}`, 'src/tag/v1/a', 'archive/v1/a.zip', 'archive/v1/a.tar.gz'])
    expect(text).toContain(`href="/ada/tagged/${path}"`)
  expect(text).not.toContain('Create release')
  const [, form = ''] = /href="([^"]+)">Create release</.exec((await hers.get('/ada/tagged/releases/tag/v1/a')).text) ?? []
  expect((await hers.get(form)).text).toContain('name="tag_name" value="v1/a"')
  await hers.post('/ada/tagged/releases/new', { tag_name: 'v1/a', name: 'Secret plan', draft: 'true' })
  expect((await hers.get('/ada/tagged/releases/tag/v1/a')).text).toContain('Secret plan')
  expect((await stranger.get('/ada/tagged/releases/tag/v1/a')).text).toContain('With notes')
  expect((await stranger.get('/ada/tagged/releases/tag/v2')).status).toBe(404)
})
