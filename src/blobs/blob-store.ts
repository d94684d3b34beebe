import { existsSync, rmSync, statSync } from 'node:fs'
import { breathe } from '#kernel/breathe.ts'
import type { Database } from '#kernel/db.ts'
import type { DiskWatch } from '#kernel/disk-trouble.ts'
import { streamOf } from '#kernel/http.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { Locks } from '#kernel/locks.ts'
import type { Log } from '#kernel/log.ts'
import { Bucket, type BucketSettings } from './bucket.ts'
import { blobBytes, blobPath, isBlobWhole, type Landed, landBlob, type StoredBlob } from './files.ts'
import { findBlob, hasBlob, noteSums } from './store.ts'
import { checkedBytes, damaged, type SummedBlob, Summing } from './sums.ts'

interface StoreContext {
  config: { dataPath: string; storage: { STORAGE_TYPE: 'local' | 'minio' } & BucketSettings }
  db: Database
  disk: Pick<DiskWatch, 'isLost'>
  log: Log
}

const UNSUMMED_BYTES = 1024 * 1024

/**
 * Files by their digest: in the data directory, or in a bucket when `storage.STORAGE_TYPE` says so. What lies in the data directory from
 * before is read there then, too.
 */
export class BlobStore {
  readonly #context: StoreContext
  readonly #bucket: Bucket | undefined
  /** By digest: uploads share it until their rows are there, removals take it alone. */
  readonly #locks = new Locks<string>()
  /** The sums of files that have none in the database, because they are being read, or nothing can be written there. */
  readonly #unsummed = new KeptWork<Uint8Array>(UNSUMMED_BYTES, (sums) => sums.length)

  constructor(context: StoreContext) {
    this.#context = context
    this.#bucket = context.config.storage.STORAGE_TYPE === 'minio' ? new Bucket(context.config.storage) : undefined
  }

  /**
   * Takes bytes in as they come. Those for a bucket are kept here until their digest is known, then sent on.
   * @throws TooLarge beyond `maxBytes`, whatever `source` throws, and Problem 502 or 503 for a bucket that does not take them
   */
  async land(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Landed> {
    const landed = await landBlob(this.#context.config.dataPath, source, maxBytes)
    if (!this.#bucket) return landed
    const { digest, path } = landed
    const leave = await this.#locks.share(digest)
    const drop = () => {
      landed.drop()
      leave()
      if (!hasBlob(this.#context.db, digest)) void this.#discardQuietly(digest)
    }
    try {
      await this.#bucket.put(digest, path)
      return { ...landed, keep: () => {}, drop }
    } catch (error) {
      drop()
      throw error
    }
  }

  /**
   * The bytes `[start, end)`, when the first of them are here. Whoever reads a file gets what was stored: each 256 KiB are checked before any of them
   * is given, on disk and in the bucket, all of it or a part; where they are others, this throws, or the stream fails, and the error names the digest.
   * @throws Problem 502 or 503 as the bucket does; Error for what is damaged or gone
   */
  async open(digest: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
    const blob = await this.#summed(digest)
    const bytes = checkedBytes(blob, start, end, (from, to) => this.#bytes(blob, from, to))
    const { value: first } = await bytes.next()
    return streamOf(first ? [first] : [], bytes)
  }

  /** What is wrong with a file that a row names. One that is in the bucket is not read for it. */
  async findFault(digest: string): Promise<'gone' | 'damaged' | undefined> {
    const { dataPath } = this.#context.config
    if (existsSync(blobPath(dataPath, digest))) return (await isBlobWhole(dataPath, digest)) ? undefined : 'damaged'
    return (await this.#bucket?.has(digest)) === true ? undefined : 'gone'
  }

  /**
   * Removes a file that no row knows, once `forget` has taken its row away. While it is being uploaded again it stays for another time, and
   * once the disk has lost a commit, since the row may be in that.
   */
  async discard(digest: string, forget: () => void = () => {}): Promise<void> {
    if (this.#context.disk.isLost) return
    const leave = this.#locks.tryExclude(digest)
    if (!leave) return
    try {
      forget()
      if (hasBlob(this.#context.db, digest)) return
      rmSync(blobPath(this.#context.config.dataPath, digest), { force: true })
      await this.#bucket?.remove(digest)
    } finally {
      leave()
    }
  }

  /** What is in the bucket; nothing without one. */
  async *listRemote(): AsyncGenerator<StoredBlob> {
    if (this.#bucket) yield* this.#bucket.list()
  }

  /** What stays is found by the next sweep. */
  async #discardQuietly(digest: string): Promise<void> {
    await this.discard(digest).catch((error) => this.#context.log.error('cannot delete a file from the bucket', error, { digest }))
  }
  /** As they lie. */
  #bytes({ digest, size }: Pick<SummedBlob, 'digest' | 'size'>, from: number, to: number): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>> {
    const { dataPath } = this.#context.config
    const file = statSync(blobPath(dataPath, digest), { throwIfNoEntry: false })
    if (file && file.size !== size) throw damaged(digest, `it has ${file.size} bytes instead of ${size}`)
    if (!file && !this.#bucket) throw damaged(digest, 'it does not exist')
    if (from === to) return new Blob([]).stream()
    return file || !this.#bucket ? blobBytes(dataPath, digest, from, to) : this.#bucket.open(digest, from, to)
  }

  async #summed(digest: string): Promise<SummedBlob> {
    const { size, sums } = findBlob(this.#context.db, digest) ?? {}
    if (size === undefined) throw damaged(digest, 'it has no database record')
    return { digest, size, sums: sums ?? (await this.#unsummed.answer(digest, () => this.#sum(digest, size))) }
  }

  /** Reads one from before there were sums, once. */
  async #sum(digest: string, size: number): Promise<Uint8Array> {
    const hash = new Bun.CryptoHasher('sha256')
    const summing = new Summing()
    for await (const bytes of await this.#bytes({ digest, size }, 0, size)) {
      hash.update(bytes)
      summing.add(bytes)
      await breathe()
    }
    if (hash.digest('hex') !== digest) throw damaged(digest, 'its content has changed')
    const sums = summing.end()
    this.#context.db.note((tx) => noteSums(tx, digest, sums))
    return sums
  }
}
