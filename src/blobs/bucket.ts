import { Problem } from '#kernel/errors.ts'
import { Progress } from '#kernel/pace.ts'
import { isDigest, type StoredBlob } from './files.ts'

/** Where the bucket is, and who we are there; the names are Gitea's. */
export interface BucketSettings {
  MINIO_ENDPOINT: string
  MINIO_ACCESS_KEY_ID: string
  MINIO_SECRET_ACCESS_KEY: string
  MINIO_BUCKET: string
  MINIO_LOCATION: string
  MINIO_USE_SSL: boolean
  MINIO_BASE_PATH: string
  MINIO_BUCKET_LOOKUP_TYPE: 'auto' | 'dns' | 'path'
  MINIO_TIMEOUT_SECONDS: number
}

/** Larger ones go up in such parts, of which a few are held at once. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2
const RETRIES = 1
const PER_LISTING = 1000

/** Files by their digest in a bucket of S3's kind. Every step has a deadline. @throws Problem 502 when it refuses, 503 when it does not answer */
export class Bucket {
  readonly #client: Bun.S3Client
  readonly #prefix: string
  readonly #settings: BucketSettings

  constructor(settings: BucketSettings) {
    const { MINIO_ENDPOINT: host, MINIO_BASE_PATH: base, MINIO_BUCKET_LOOKUP_TYPE: lookup } = settings
    this.#settings = settings
    this.#prefix = base.replace(/^\/+|\/+$/g, '').replace(/(?<=.)$/, '/')
    this.#client = new Bun.S3Client({
      accessKeyId: settings.MINIO_ACCESS_KEY_ID,
      secretAccessKey: settings.MINIO_SECRET_ACCESS_KEY,
      bucket: settings.MINIO_BUCKET,
      region: settings.MINIO_LOCATION,
      endpoint: endpointOf(host, settings.MINIO_BUCKET, settings.MINIO_USE_SSL, lookup),
      virtualHostedStyle: lookup === 'dns',
      retry: RETRIES,
    })
  }

  /** Sends a file up as it is read. What did not arrive whole is not there. */
  async put(digest: string, path: string): Promise<void> {
    const file = Bun.file(path)
    if (file.size <= PART_BYTES) {
      await this.#within(this.#client.write(this.#keyOf(digest), await file.bytes()))
      return
    }
    const writer = this.#client.file(this.#keyOf(digest)).writer({ partSize: PART_BYTES, queueSize: PARTS_AT_ONCE, retry: RETRIES })
    let isWhole = false
    try {
      for await (const bytes of file.stream()) {
        writer.write(bytes)
        await this.#within(Promise.resolve(writer.flush()))
      }
      await this.#within(Promise.resolve(writer.end()))
      isWhole = true
    } finally {
      if (!isWhole) await Promise.resolve(writer.end(new Error('the upload was interrupted'))).catch(() => {})
    }
  }

  /** The bytes `[start, end)`; resolves when the first are here. */
  async open(digest: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
    const reader = this.#client.file(this.#keyOf(digest)).slice(start, end).stream().getReader()
    const progress = new Progress({ seconds: this.#settings.MINIO_TIMEOUT_SECONDS, bytes: 1 })
    const read = () =>
      progress
        .wait(reader.read(), ({ value }) => value?.length ?? 1)
        .catch((error) => {
          void reader.cancel().catch(() => {})
          throw problemOf(error)
        })
    let next: Awaited<ReturnType<typeof read>> | undefined = await read()
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = next ?? (await read())
        next = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel(),
    })
  }

  has(digest: string): Promise<boolean> {
    return this.#within(this.#client.exists(this.#keyOf(digest)))
  }

  async remove(digest: string): Promise<void> {
    await this.#within(this.#client.delete(this.#keyOf(digest)))
  }

  /** All files that are there. */
  async *list(): AsyncGenerator<StoredBlob> {
    const prefix = `${this.#prefix}blobs/`
    for (let startAfter = prefix, isMore = true; isMore; ) {
      const { contents = [], isTruncated } = await this.#within(this.#client.list({ prefix, startAfter, maxKeys: PER_LISTING }))
      for (const { key, size = 0 } of contents) {
        const digest = key.slice(prefix.length + 3)
        if (isDigest(digest)) yield { digest, size }
      }
      startAfter = contents.at(-1)?.key ?? ''
      isMore = isTruncated === true && contents.length > 0
    }
  }

  #keyOf(digest: string): string {
    if (!isDigest(digest)) throw new Error('Cannot find the blob: its name is not a valid digest')
    return `${this.#prefix}blobs/${digest.slice(0, 2)}/${digest}`
  }

  #within<T>(step: Promise<T>): Promise<T> {
    return new Progress({ seconds: this.#settings.MINIO_TIMEOUT_SECONDS, bytes: 1 })
      .wait(step, () => 1)
      .catch((error) => {
        throw problemOf(error)
      })
  }
}

/** With `dns` the bucket is part of the host's name. */
function endpointOf(host: string, bucket: string, isSecure: boolean, lookup: string): string {
  return `${isSecure ? 'https' : 'http'}://${lookup === 'dns' ? `${bucket}.` : ''}${host}`
}

/** What an answer of the bucket has for a code; everything else means that there was none. */
const answered = /^(?:[A-Z][a-z]+){2,}$/
const unreachable = ['ConnectionRefused', 'ConnectionClosed', 'FailedToOpenSocket', 'UnknownError', 'ServiceUnavailable', 'SlowDown', 'InternalError']

function problemOf(cause: unknown): Problem {
  const code = String((cause as { code?: unknown }).code ?? '')
  const isRefusal = answered.test(code) && !unreachable.includes(code)
  return isRefusal
    ? new Problem(502, `The file storage rejected the request: ${code}`, { cause })
    : new Problem(503, 'The file storage does not respond. Try again later.', { cause, headers: { 'Retry-After': '30' } })
}
