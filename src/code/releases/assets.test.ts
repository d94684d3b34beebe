import { afterAll, expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Attachment } from '#blobs/index.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { Release } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge({ 'repository.release': { FILE_MAX_SIZE: 1, MAX_FILES: 3, ALLOWED_TYPES: '' } })
const ada = forge.asUser('ada')
const bob = forge.asUser('bob')
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
await repositoryWithPeople(forge, { bob: 'read', carl: 'none' }, { private: true })
const tokens = new Map(['ada', 'bob', 'carl'].map((name) => [name, forge.token(name, 'all')]))
const R = '/repos/ada/engine/releases'
let made = 0
const release = async (more = {}) => `${R}/${(await ada.post<Release>(R, { tag_name: `v${++made}`, ...more })).body.id}`

async function send(
  path: string,
  body: FormData | Blob | ReadableStream | string | undefined,
  as = 'ada',
): Promise<{ status: number; body: Attachment & { message: string } }> {
  const headers = { Authorization: `token ${tokens.get(as)}`, ...(body instanceof FormData ? {} : { 'Content-Type': 'application/octet-stream' }) }
  const answer = await forge.app.handle(new Request(`http://localhost/api/v1${path}`, { method: 'POST', body, headers }))
  return { status: answer.status, body: (await answer.json()) as Attachment & { message: string } }
}
const form = (name: string, text = 'hello', field = 'attachment') => {
  const made = new FormData()
  made.append(field, new File([text], name))
  return made
}
const get = (url: string, as?: string, headers: Record<string, string> = {}) =>
  forge.app.handle(
    new Request(url.replace(context.rootUrl, 'http://localhost/'), { headers: { ...headers, ...(as ? { Authorization: `token ${tokens.get(as)}` } : {}) } }),
  )
const unfinished = () => readdirSync(join(context.config.dataPath, 'blobs')).filter((name) => name.startsWith('tmp-'))

test.each([
  ['a form', '', form('notes.txt'), 'notes.txt'],
  ['a form under another name', '?name=other.bin', form('notes.txt'), 'other.bin'],
  ['a body as it is', '?name=raw.bin', new Blob(['hello']), 'raw.bin'],
  ['a body as it is, by its other name', '?filename=file.bin', new Blob(['hello']), 'file.bin'],
  ['a path for a name', '?name=..%2F..%2Fetc%2Fpasswd', new Blob(['hello']), 'passwd'],
])('a file comes as %s', async (_, query, body, name) => {
  const path = await release()
  const { status, body: asset } = await send(`${path}/assets${query}`, body)
  expect([status, asset]).toMatchObject([201, { name, size: 5, download_count: 0 }])
  expect((await bob.get<Release>(path)).body.assets).toEqual([asset])
  expect((await bob.get(`${path}/assets/${asset.id}`)).body).toEqual(asset as never)
  expect(await (await get(asset.browser_download_url, 'bob')).text()).toBe('hello')
  expect((await bob.get<Attachment[]>(`${path}/assets`)).body[0]?.download_count).toBe(1)
})

test('a file has an address of its id alone, for who may see its release', async () => {
  const addressOf = async (path: string) => `${context.rootUrl}attachments/${(await send(`${path}/assets`, form('a.txt'))).body.uuid}`
  const [out, draft] = [await addressOf(await release()), await addressOf(await release({ draft: true }))]
  const statuses = async (address: string) =>
    Promise.all([get(address, 'ada'), get(address, 'bob'), get(address, 'carl'), get(address)].map(async (answer) => (await answer).status))
  expect(await (await get(out, 'bob')).text()).toBe('hello')
  expect([await statuses(out), await statuses(draft)]).toEqual([
    [200, 200, 404, 404],
    [200, 404, 404, 404],
  ])
  const [issues, code] = [forge.token('bob', 'read:issue'), forge.token('bob', 'read:issue', 'read:repository')]
  const withToken = async (token: string) => (await get(out, undefined, { Authorization: `token ${token}` })).status
  expect([await withToken(issues), await withToken(code)]).toEqual([404, 200])
})

test('a file of the newest release has an address that stays the same', async () => {
  const address = `${context.rootUrl}ada/engine/releases/download/latest/tool.txt`
  await send(`${await release()}/assets`, form('tool.txt', 'newest'))
  for (const more of [{ prerelease: true }, { draft: true }]) await send(`${await release(more)}/assets`, form('tool.txt', 'not out yet'))
  expect(await (await get(address, 'bob')).text()).toBe('newest')
  await release()
  expect((await get(address, 'bob')).status).toBe(404)
})

test('a file is renamed and removed, and found by the names of its tag and its own', async () => {
  const path = await release({ tag_name: 'by/name' })
  const { body } = await send(`${path}/assets`, form('a b.txt'))
  const page = `${context.rootUrl}ada/engine/releases/download/by/name`
  expect(await (await get(`${page}/a%20b.txt`, 'bob')).text()).toBe('hello')
  expect((await ada.patch(`${path}/assets/${body.id}`, { name: 'c.txt' })).status).toBe(201)
  expect([(await get(`${page}/a%20b.txt`, 'bob')).status, (await get(`${page}/c.txt`, 'bob')).status]).toEqual([404, 200])
  expect((await ada.patch<Attachment>(`${path}/assets/${body.id}`, { name: '' })).body.name).toBe('c.txt')
  expect((await ada.delete(`${path}/assets/${body.id}`)).status).toBe(204)
  expect((await get(body.browser_download_url, 'ada')).status).toBe(404)
})

test('an asset record links the download by tag and name, and by id if the release has a newer file of that name', async () => {
  const path = await release({ tag_name: 'by/tag' })
  const at = `${context.rootUrl}ada/engine/releases`
  const { body: older } = await send(`${path}/assets`, form('100% #1?.txt', 'older'))
  expect(older.browser_download_url).toBe(`${at}/download/by/tag/100%25%20%231%3F.txt`)
  const { body: newer } = await send(`${path}/assets`, form('100% #1?.txt', 'newer'))
  const urls = [`${at}/attachments/${older.uuid}`, newer.browser_download_url]
  expect(newer.browser_download_url).toBe(older.browser_download_url)
  for (const assets of [(await ada.get<Attachment[]>(`${path}/assets`)).body, (await ada.get<Release>('/repos/ada/engine/releases/tags/by%2Ftag')).body.assets])
    expect(assets.map(({ browser_download_url: url }) => url)).toEqual(urls)
  expect(await Promise.all(urls.map(async (url) => (await get(url, 'bob')).text()))).toEqual(['older', 'newer'])
  expect(await (await get(`${at}/attachments/${newer.uuid}`, 'bob')).text()).toBe('newer')
  const renamed = await ada.patch<Attachment>(`${path}/assets/${newer.id}`, { name: 'b.txt' })
  const first = await ada.get<Attachment>(`${path}/assets/${older.id}`)
  expect([renamed.body, first.body].map(({ browser_download_url: url }) => url)).toEqual([`${at}/download/by/tag/b.txt`, older.browser_download_url])
  const cut = await send(`${path}/assets?name=${'x'.repeat(254)}%F0%9F%9A%80`, new Blob(['cut']))
  expect(await (await get(cut.body.browser_download_url, 'bob')).text()).toBe('cut')
})

test('parts can be asked for, and whatever it is, no browser runs it', async () => {
  const { body } = await send(`${await release()}/assets`, form('page.svg', '<svg onload="alert(1)"/>'))
  const answer = await get(body.browser_download_url, 'bob')
  expect(['content-type', 'content-disposition', 'x-content-type-options'].map((name) => answer.headers.get(name))).toEqual([
    'application/octet-stream',
    `attachment; filename="page.svg"; filename*=UTF-8''page.svg`,
    'nosniff',
  ])
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  const part = await get(body.browser_download_url, 'bob', { range: 'bytes=1-3' })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 1-3/24', 'svg'])
  expect((await get(body.browser_download_url, 'bob', { 'if-none-match': answer.headers.get('etag') as string })).status).toBe(304)
})

test('who may not read the repository, or not see the draft, gets no file of it', async () => {
  const path = await release()
  const { body } = await send(`${path}/assets`, form('a.txt'))
  for (const [as, status] of [
    ['carl', 404],
    [undefined, 404],
  ] as const)
    expect([as, (await get(body.browser_download_url, as)).status]).toEqual([as, status])
  expect((await send(`${path}/assets`, form('a.txt'), 'bob')).status).toBe(403)
  expect((await bob.delete(`${path}/assets/${body.id}`)).status).toBe(403)
  const draft = await release({ draft: true })
  const hidden = (await send(`${draft}/assets`, form('b.txt'))).body
  for (const url of [hidden.browser_download_url, `${context.rootUrl}ada/engine/releases/download/v${made}/b.txt`])
    expect([(await get(url, 'ada')).status, (await get(url, 'bob')).status]).toEqual([200, 404])
  for (const other of [await release(), draft]) expect((await ada.get(`${other}/assets/${body.id}`)).status).toBe(404)
})

test('what is no upload, too large or one too many is refused, and nothing of it stays', async () => {
  const path = await release()
  const before = context.db.all('SELECT digest FROM blob')
  for (const [query, body, status] of [
    ['', new Blob(['x']), 400],
    ['', form('x', 'x', 'file'), 400],
    ['?name=..', new Blob(['x']), 422],
    ['?name=big', new Blob([new Uint8Array(1_048_577)]), 413],
    ['', form('big', 'x'.repeat(1_048_577)), 413],
  ] as const)
    expect([query, (await send(`${path}/assets${query}`, body)).status]).toEqual([query, status])
  expect(context.db.all('SELECT digest FROM blob')).toEqual(before)
  for (const status of [201, 201, 201, 422]) expect((await send(`${path}/assets?name=x`, new Blob(['same']))).status).toBe(status)
  expect(unfinished()).toEqual([])
})

test('an upload that breaks off leaves nothing', async () => {
  const path = await release()
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('half')),
    pull: (controller) => controller.error(new Error('gone')),
  })
  expect((await send(`${path}/assets?name=x`, broken)).status).toBe(400)
  expect([(await ada.get(`${path}/assets`)).body, unfinished()]).toEqual([[] as never, []])
})

test('the bytes of a deleted release are nobody’s, those of another stay counted', async () => {
  const [one, two] = [await release(), await release()]
  for (const path of [one, two]) await send(`${path}/assets?name=x`, new Blob(['counted']))
  const digest = new Bun.CryptoHasher('sha256').update('counted').digest('hex')
  const uses = () => context.db.find<{ use_count: number }>('SELECT use_count FROM blob WHERE digest = ?', digest)?.use_count
  expect(uses()).toBe(2)
  await ada.delete(one)
  expect(uses()).toBe(1)
  await ada.delete('/repos/ada/engine')
  expect(uses()).toBe(0)
})
