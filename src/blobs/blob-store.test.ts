import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import type { Context } from '#context.ts'
import { testContext } from '../../test/harness.ts'
import { outcome } from '../../test/outcome.ts'
import { BlobStore } from './blob-store.ts'
import { blobPath } from './files.ts'
import { s3Server } from './s3-server.fixture.ts'
import { noteBlob } from './store.ts'

const KIB = 1024
const bucket = s3Server()
const storage = { STORAGE_TYPE: 'minio', MINIO_ENDPOINT: bucket.endpoint, MINIO_ACCESS_KEY_ID: 'key', MINIO_SECRET_ACCESS_KEY: 'secret', MINIO_BUCKET: 'files' }

/** Where a file lies, for whoever wants to damage it. */
interface Kind {
  context: Context
  read(digest: string): Uint8Array<ArrayBuffer>
  write(digest: string, bytes: Uint8Array<ArrayBuffer>): void
}

const onDisk = testContext()
const inBucket = testContext({ storage })
const pathOf = (digest: string) => blobPath(onDisk.config.dataPath, digest)
const keyOf = (digest: string) => `/files/blobs/${digest.slice(0, 2)}/${digest}`
const kinds: [string, Kind][] = [
  [
    'on disk',
    { context: onDisk, read: (digest) => new Uint8Array(readFileSync(pathOf(digest))), write: (digest, bytes) => writeFileSync(pathOf(digest), bytes) },
  ],
  [
    'in a bucket',
    {
      context: inBucket,
      read: (digest) => bucket.objects.get(keyOf(digest)) as Uint8Array<ArrayBuffer>,
      write: (digest, bytes) => void bucket.objects.set(keyOf(digest), bytes),
    },
  ],
]
afterAll(async () => {
  for (const context of [onDisk, inBucket]) await context[Symbol.asyncDispose]()
  bucket[Symbol.dispose]()
})

async function store({ context }: Kind, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const landed = await context.services.get(BlobStore).land(new Blob([bytes]).stream(), 10 * KIB * KIB)
  context.db.tx((tx) => {
    landed.keep()
    noteBlob(tx, landed, 0)
  })
  landed.drop()
  return landed.digest
}

async function read({ context }: Kind, digest: string, start: number, end: number): Promise<Uint8Array> {
  return new Response(await context.services.get(BlobStore).open(digest, start, end)).bytes()
}

/** Of four parts, the last a small one; no two files are the same. */
let made = 0
const fourParts = () => new Uint8Array(800 * KIB).fill(++made).map((byte, at) => (byte * at) % 251)

describe.each(kinds)('a file %s', (_, kind) => {
  const ranges: [number, number][] = [
    [0, 800 * KIB],
    [0, 1],
    [1, 256 * KIB],
    [256 * KIB, 512 * KIB],
    [300 * KIB, 700 * KIB],
    [800 * KIB - 1, 800 * KIB],
    [5, 5],
  ]
  test.each(ranges)('is read from byte %d to byte %d', async (start, end) => {
    const bytes = fourParts()
    const digest = await store(kind, bytes)
    expect((await read(kind, digest, start, end)).toHex()).toBe(bytes.slice(start, end).toHex())
  })

  test('that is damaged is given out up to there, and no byte of what was not stored', async () => {
    const digest = await store(kind, fourParts())
    kind.write(digest, kind.read(digest).with(600 * KIB, 255))
    expect((await read(kind, digest, 0, 512 * KIB)).length).toBe(512 * KIB)
    expect((await read(kind, digest, 799 * KIB, 800 * KIB)).length).toBe(KIB)
    const fault = `Cannot read the file ${digest}: the content of bytes ${512 * KIB} to ${768 * KIB} has changed`
    // Where nothing is sent yet, it is an answer of its own; else the stream breaks off.
    for (const start of [0, 511 * KIB, 512 * KIB, 700 * KIB]) expect(await outcome(read(kind, digest, start, 800 * KIB))).toThrow(fault)
    expect(await outcome(kind.context.services.get(BlobStore).open(digest, 700 * KIB, 701 * KIB))).toThrow(fault)
  })

  test('that was cut off is told so', async () => {
    const digest = await store(kind, fourParts())
    kind.write(digest, kind.read(digest).slice(0, 700 * KIB))
    expect(await outcome(read(kind, digest, 0, 800 * KIB))).toThrow(`Cannot read the file ${digest}: it has`)
  })

  test('from before files were checked in parts is checked whole, once', async () => {
    const bytes = fourParts()
    const [digest, damaged] = [await store(kind, bytes), await store(kind, fourParts())]
    kind.write(damaged, kind.read(damaged).with(3, 255))
    const sums = () => kind.context.db.all<{ digest: string; sums: Uint8Array }>('SELECT digest, sums FROM derived_blob_sums')
    const before = sums().filter((row) => row.digest === digest)
    kind.context.db.tx((tx) => tx.run('DELETE FROM derived_blob_sums'))
    const both = await Promise.all([read(kind, digest, 0, 800 * KIB), read(kind, digest, 3, 5)])
    expect(both.map((one) => one.toHex())).toEqual([bytes.toHex(), bytes.slice(3, 5).toHex()])
    expect(await outcome(read(kind, damaged, 700 * KIB, 701 * KIB))).toThrow(damaged)
    expect(sums()).toEqual(before)
  })

  test('that goes while it is read is read to its end', async () => {
    const bytes = new Uint8Array(8 * KIB * KIB).fill(++made)
    const digest = await store(kind, bytes)
    const blobs = kind.context.services.get(BlobStore)
    const reader = (await blobs.open(digest, 0, bytes.length)).getReader()
    let size = (await reader.read()).value?.length ?? 0
    kind.context.db.tx((tx) => tx.run('DELETE FROM blob WHERE digest = ?', digest))
    await blobs.discard(digest)
    expect(await blobs.findFault(digest)).toBe('gone')
    for (let piece = await reader.read(); piece.value; piece = await reader.read()) size += piece.value.length
    expect(size).toBe(bytes.length)
  })
})

test('one on disk that is too short is refused before any of it is given', async () => {
  const kind = kinds[0]?.[1] as Kind
  const digest = await store(kind, fourParts())
  truncateSync(pathOf(digest), 700 * KIB)
  expect(await outcome(kind.context.services.get(BlobStore).open(digest, 0, 1))).toThrow(`it has ${700 * KIB} bytes instead of ${800 * KIB}`)
})
