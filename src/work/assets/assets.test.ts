import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { blobPath, sweepBlobs } from '#blobs/index.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Row } from '#kernel/db.ts'
import { turns } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { manualStopwatch } from '../../../test/stopwatch.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

/** Seconds ahead of the time of the machine, which the database takes too. */
let ahead = 0
const forge: TestForge = testForge(
  { attachment: { MAX_SIZE: 1, MAX_FILES: 2 } },
  { clock: { seconds: () => systemClock.seconds() + ahead, millis: () => systemClock.millis() } },
)
const asAda = forge.asUser('ada')
const bob = forge.asUser('bob')
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(() => {
  ahead = 0
})
const { context } = forge
await repositoryWithPeople(forge, { bob: 'read', carl: 'none' }, { private: true })
const tokens = new Map(['ada', 'bob', 'carl'].map((name) => [name, forge.token(name, 'all')]))
const issues = '/repos/ada/engine/issues'
const make = async (as = 'ada') => `${issues}/${(await forge.asUser(as).post<{ number: number }>(issues, { title: 'x' })).body.number}`

interface Asset {
  id: number
  uuid: string
  name: string
  size: number
  browser_download_url: string
}

async function upload(path: string, file: File, as = 'ada', field = 'attachment'): Promise<{ status: number; body: Asset }> {
  const form = new FormData()
  form.append(field, file)
  const request = new Request(`http://localhost/api/v1${path}`, { method: 'POST', body: form, headers: { Authorization: `token ${tokens.get(as)}` } })
  const answer = await forge.app.handle(request)
  return { status: answer.status, body: (await answer.json()) as Asset }
}

const download = (url: string, as?: string) =>
  forge.app.handle(new Request(url.replace(context.rootUrl, 'http://localhost/'), { headers: as ? { Authorization: `token ${tokens.get(as)}` } : {} }))

test('a file is put beside an issue, listed, shown on it, renamed, downloaded by who may read it, and removed', async () => {
  const issue = await make()
  const { status, body } = await upload(`${issue}/assets`, new File(['hello'], 'notes.txt'))
  expect([status, body]).toMatchObject([201, { name: 'notes.txt', size: 5 }])
  expect((await bob.get(issue)).body).toMatchObject({ assets: [{ uuid: body.uuid }], content_version: 1 })
  expect((await asAda.patch(`${issue}/assets/${body.id}`, { name: 'other.txt' })).status).toBe(201)
  expect((await asAda.patch(`${issue}/assets/${body.id}`, { name: 'other.exe' })).status).toBe(422)
  for (const [name, expected] of [
    ['ada', 200],
    ['bob', 200],
    ['carl', 404],
    [undefined, 404],
  ] as const)
    expect([name, (await download(body.browser_download_url, name)).status]).toEqual([name, expected])
  expect(await (await download(body.browser_download_url, 'bob')).text()).toBe('hello')
  const scopeless = forge.token('bob', 'read:repository')
  const refused = await forge.app.handle(new Request(`http://localhost/attachments/${body.uuid}`, { headers: { Authorization: `token ${scopeless}` } }))
  expect(refused.status).toBe(403)
  expect((await asAda.get(`${await make()}/assets/${body.id}`)).status).toBe(404)
  expect((await bob.delete(`${issue}/assets/${body.id}`)).status).toBe(403)
  expect((await asAda.delete(`${issue}/assets/${body.id}`)).status).toBe(204)
  expect((await download(body.browser_download_url, 'ada')).status).toBe(404)
})

test.each([
  ['page.svg', 'attachment', 'application/octet-stream'],
  ['picture.png', 'inline', 'image/png'],
  ['notes.md', 'inline', 'text/plain; charset=utf-8'],
])('%s is served as nothing that a browser would run', async (name, disposition, type) => {
  const { body } = await upload(`${await make()}/assets`, new File(['<script>alert(1)</script>'], name))
  const answer = await download(body.browser_download_url, 'ada')
  expect([answer.headers.get('content-disposition')?.split(';')[0], answer.headers.get('content-type')]).toEqual([disposition, type])
  expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('a file tells its name so that all who save it understand, and whoever has it is not sent it again', async () => {
  const { body } = await upload(`${await make()}/assets`, new File(['x'], 'größe.txt'))
  const { headers } = await download(body.browser_download_url, 'ada')
  expect(headers.get('content-disposition')).toBe(`inline; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`)
  const request = new Request(body.browser_download_url.replace(context.rootUrl, 'http://localhost/'), {
    headers: { Authorization: `token ${tokens.get('ada')}`, 'If-Modified-Since': headers.get('last-modified') ?? '' },
  })
  expect((await forge.app.handle(request)).status).toBe(304)
})

test('a file too large, of another type, one too many, in another field or by another is refused and leaves nothing', async () => {
  const issue = await make()
  const before = context.db.all('SELECT * FROM blob')
  const big = new File([new Uint8Array(1_048_577)], 'big.txt')
  expect((await upload(`${issue}/assets`, big)).status).toBe(413)
  expect((await upload(`${issue}/assets`, new File(['x'], 'x.exe'))).status).toBe(422)
  expect((await upload(`${issue}/assets`, new File(['x'], 'x.txt'), 'ada', 'file')).status).toBe(400)
  expect((await upload(`${issue}/assets`, new File(['x'], 'x.txt'), 'bob')).status).toBe(403)
  expect((await asAda.post(`${issue}/assets`, {})).status).toBe(400)
  expect(context.db.all('SELECT * FROM blob')).toEqual(before)
  for (const expected of [201, 201, 422]) expect((await upload(`${issue}/assets`, new File(['x'], '../../x.txt'))).status).toBe(expected)
  expect((await asAda.get<Asset[]>(`${issue}/assets`)).body.map(({ name }) => name)).toEqual(['x.txt', 'x.txt'])
})

test('a comment has files of its own; its author needs to be able to write there', async () => {
  const issue = await make('bob')
  const comment = async (as: string) => (await forge.asUser(as).post<{ id: number }>(`${issue}/comments`, { body: 'x' })).body.id
  const [mine, theirs] = [await comment('ada'), await comment('bob')]
  expect((await upload(`${issues}/comments/${mine}/assets`, new File(['x'], 'a.txt'))).status).toBe(201)
  expect((await upload(`${issues}/comments/${theirs}/assets`, new File(['x'], 'a.txt'), 'bob')).status).toBe(403)
  expect((await bob.get(`${issues}/comments/${mine}`)).body).toMatchObject({ assets: [{ name: 'a.txt' }] })
  expect((await bob.get(issue)).body).toMatchObject({ assets: [] })
})

test('bytes are kept once, as long as anything names them and a while after', async () => {
  const [one, two] = [await make(), await make()]
  const file = () => new File(['the same bytes'], 'same.txt')
  const assets = [await upload(`${one}/assets`, file()), await upload(`${two}/assets`, file())]
  const digest = new Bun.CryptoHasher('sha256').update('the same bytes').digest('hex')
  const path = blobPath(context.config.dataPath, digest)
  expect(context.db.find('SELECT use_count, unused_since FROM blob WHERE digest = ?', digest)).toEqual({ use_count: 2, unused_since: null })
  await asAda.delete(`${one}/assets/${assets[0]?.body.id}`)
  await asAda.delete(two)
  // As on a disk of their own.
  const other = join(dirname(path), '..', 'lost+found')
  mkdirSync(other)
  await sweepBlobs(context)
  expect(existsSync(path)).toBeTrue()
  ahead += 25 * 3600
  await sweepBlobs(context)
  expect([existsSync(path), existsSync(other), context.db.find('SELECT 1 FROM blob WHERE digest = ?', digest)]).toEqual([false, true, undefined])
})

test('a file that an older database does not know is there again with the newer one, for the grace, and goes then', async () => {
  const asset = (await upload(`${await make()}/assets`, new File(['of today'], 'a.txt'))).body
  const digest = new Bun.CryptoHasher('sha256').update('of today').digest('hex')
  const path = blobPath(context.config.dataPath, digest)
  const newer = context.db.find<Row>('SELECT * FROM blob WHERE digest = ?', digest) as Row
  const forget = () => context.db.txLeavingRows((tx) => void tx.run('DELETE FROM blob WHERE digest = ?', digest))
  forget()
  await sweepBlobs(context)
  ahead += 23 * 3600
  await sweepBlobs(context)
  forget()
  context.db.tx((tx) => tx.insert('blob', newer))
  expect(await (await download(asset.browser_download_url, 'ada')).text()).toBe('of today')
  forget()
  context.db.tx((tx) => tx.run('DELETE FROM attachment WHERE digest = ?', digest))
  await sweepBlobs(context)
  ahead += 25 * 3600
  await sweepBlobs(context)
  expect([existsSync(path), context.db.find('SELECT 1 FROM blob WHERE digest = ?', digest)]).toEqual([false, undefined])
})

test('a form that trickles in is 408, though it never stops, and nothing of its file stays', async () => {
  await using slow = testForge({ server: { PROGRESS_SECONDS: 1 } })
  const ada = await slow.person('ada')
  await slow.asUser(ada).post('/user/repos', { name: 'engine' })
  await slow.asUser(ada).post('/repos/ada/engine/issues', { title: 'x' })
  const head = '--b\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\n'
  const steps = [head]
  using watch = manualStopwatch()
  const body = new ReadableStream({
    async pull(controller) {
      watch.advance(400)
      // The limit, once it is reached, is heard of before the next byte.
      await turns(3)
      controller.enqueue(Buffer.from(steps.shift() ?? 'x'))
    },
  })
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', Authorization: `token ${ada.token}` }
  const url = 'http://localhost/api/v1/repos/ada/engine/issues/1/assets'
  const answer = await slow.app.handle(new Request(url, { method: 'POST', headers, body }))
  expect([answer.status, await answer.json()]).toEqual([408, expect.objectContaining({ message: expect.stringContaining('too slow') })])
  expect(readdirSync(join(slow.context.config.dataPath, 'blobs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
})
