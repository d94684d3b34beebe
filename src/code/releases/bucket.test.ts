import { afterAll, expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BlobStore, sweepBlobs } from '#blobs/index.ts'
import { s3Server } from '#blobs/s3-server.fixture.ts'
import { systemClock } from '#kernel/clock.ts'
import { examine } from '#site/doctor/index.ts'
import { eventually, turns } from '../../../test/eventually.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { failCommits } from '../../../test/lost-commit.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder(() => {
  bucket.trouble = undefined
})

/** Files of releases, kept in a bucket. */

const bucket = s3Server()
/** Seconds ahead of the time of the machine, which the database takes too. */
let ahead = 0
const storage = {
  STORAGE_TYPE: 'minio',
  MINIO_ENDPOINT: bucket.endpoint,
  MINIO_ACCESS_KEY_ID: 'key',
  MINIO_SECRET_ACCESS_KEY: 'secret',
  MINIO_BUCKET: 'files',
  MINIO_BASE_PATH: '/forge/',
}
const forge = testForge(
  { storage, 'repository.release': { FILE_MAX_SIZE: 64 } },
  { clock: { seconds: () => systemClock.seconds() + ahead, millis: () => systemClock.millis() + ahead * 1000 } },
)
afterAll(async () => {
  await forge[Symbol.asyncDispose]()
  bucket[Symbol.dispose]()
})
const { context } = forge
const settings: { MINIO_TIMEOUT_SECONDS: number } = context.config.storage
const patience = settings.MINIO_TIMEOUT_SECONDS
await forge.person('ada')
const token = forge.token('ada', 'all')
await forge.asUser('ada').post('/user/repos', { name: 'engine', auto_init: true })
const { body: release } = await forge.asUser('ada').post<{ id: number }>('/repos/ada/engine/releases', { tag_name: 'v1' })
const assets = `/repos/ada/engine/releases/${release.id}/assets`

interface Asset {
  id: number
  browser_download_url: string
  message: string
}

async function upload(bytes: string | Uint8Array<ArrayBuffer>, name = 'a.bin'): Promise<{ status: number; body: Asset }> {
  const headers = { Authorization: `token ${token}`, 'Content-Type': 'application/octet-stream' }
  const answer = await forge.app.handle(new Request(`http://localhost/api/v1${assets}?name=${name}`, { method: 'POST', body: bytes, headers }))
  return { status: answer.status, body: (await answer.json()) as Asset }
}
const download = (asset: Asset, headers: Record<string, string> = {}) =>
  forge.app.handle(new Request(asset.browser_download_url.replace(context.rootUrl, 'http://localhost/'), { headers }))
const digestOf = (bytes: Uint8Array | string) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
const keyOf = (bytes: Uint8Array | string) => `/files/forge/blobs/${digestOf(bytes).slice(0, 2)}/${digestOf(bytes)}`
const onDisk = () => readdirSync(join(context.config.dataPath, 'blobs'))

test('a file goes to the bucket under its digest, and nothing of it stays here', async () => {
  const { status, body } = await upload('hello')
  expect([status, [...bucket.objects.keys()], onDisk()]).toEqual([201, [keyOf('hello')], []])
  const whole = await download(body)
  expect([whole.status, await whole.text(), whole.headers.get('etag')]).toEqual([200, 'hello', `"${digestOf('hello')}"`])
  const part = await download(body, { Range: 'bytes=1-3' })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'ell', 'bytes 1-3/5'])
  const asked = bucket.requests.length
  expect((await download(body, { 'If-None-Match': `"${digestOf('hello')}"` })).status).toBe(304)
  expect(bucket.requests).toHaveLength(asked)
})

test('a large file goes in parts, and comes back whole', async () => {
  const bytes = new Uint8Array(20 * 1024 * 1024 + 7)
  for (let i = 0; i < 251; i++) bytes[i] = i
  for (let length = 251; length < bytes.length; length *= 2) bytes.copyWithin(length, 0, length)
  const { status, body } = await upload(bytes)
  expect([status, bucket.objects.get(keyOf(bytes))?.length]).toEqual([201, bytes.length])
  expect(digestOf(await (await download(body)).bytes())).toBe(digestOf(bytes))
  expect(bucket.requests.filter((line) => line.includes('partNumber')).length).toBe(3)
})

test('an empty file is one, too', async () => {
  const { status, body } = await upload('')
  expect([status, await (await download(body)).text()]).toEqual([201, ''])
})

const troubles: [string, typeof bucket.trouble, number][] = [
  ['that refuses', { status: 403, code: 'AccessDenied' }, 502],
  ['that is not there', { status: 404, code: 'NoSuchBucket' }, 502],
  ['that fails', { status: 500, code: 'InternalError' }, 503],
  ['that never answers', 'never', 503],
]
test.each(troubles)('a bucket %s is told of, and nothing is left behind', async (name, trouble, status) => {
  const { body: stored } = await upload(`kept ${name}`)
  const count = () => context.db.find<{ n: number }>('SELECT count(*) AS n FROM blob')?.n
  const before = [count(), [...bucket.objects.keys()]]
  bucket.trouble = trouble
  if (trouble === 'never') settings.MINIO_TIMEOUT_SECONDS = 0.05
  const refused = await upload(`new ${name}`)
  expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining('The file storage')])
  expect((await download(stored)).status).toBe(status)
  bucket.trouble = undefined
  settings.MINIO_TIMEOUT_SECONDS = patience
  expect([[count(), [...bucket.objects.keys()]], onDisk()]).toEqual([before, []])
  expect(await (await download(stored)).text()).toBe(`kept ${name}`)
})

test('a file that a refused request brought goes again, unless somebody else brings the same', async () => {
  const store = context.services.get(BlobStore)
  const bring = () => store.land(new Blob(['twice']).stream(), 100)
  const [mine, theirs] = await Promise.all([bring(), bring()])
  mine?.drop()
  await turns(20)
  expect(bucket.objects.has(keyOf('twice'))).toBe(true)
  theirs?.drop()
  await eventually(() => !bucket.objects.has(keyOf('twice')))
})

test('the sweep removes what nothing names any more, and what no row knows, after its grace', async () => {
  const { body } = await upload('doomed')
  const { body: kept } = await upload('kept')
  bucket.objects.set(keyOf('stray'), Buffer.from('stray'))
  bucket.objects.set('/files/other/thing', Buffer.from('not ours'))
  await forge.asUser('ada').delete(`${assets}/${body.id}`)
  await sweepBlobs(context)
  expect([bucket.objects.has(keyOf('doomed')), bucket.objects.has(keyOf('stray'))]).toEqual([true, true])
  ahead += 25 * 3600
  await sweepBlobs(context)
  const isThere = [keyOf('doomed'), keyOf('stray'), '/files/other/thing'].map((key) => bucket.objects.has(key))
  expect([isThere, await (await download(kept)).text()]).toEqual([[false, false, true], 'kept'])
})

test('the doctor misses what is not in the bucket', async () => {
  const look = async () => {
    const found = await examine({ ...context, isServed: true }, false, () => {})
    return found.find(({ check }) => check === 'attached files')?.problems.map(({ subject }) => subject)
  }
  await upload('lost')
  expect(await look()).toEqual([])
  bucket.objects.delete(keyOf('lost'))
  expect(await look()).toEqual([`file ${digestOf('lost')}`])
})

test('of a commit that the disk may have the file stays in the bucket; nothing else is done after it', async () => {
  await upload('certainly')
  using _ = failCommits('SQLITE_IOERR_FSYNC')
  expect((await upload('perhaps')).status).toBe(503)
  await turns(20)
  expect(bucket.objects.has(keyOf('perhaps'))).toBe(true)
})
