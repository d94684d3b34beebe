import { existsSync, rmSync } from 'node:fs'
import type { Database } from '#kernel/db.ts'
import type { DiskWatch } from '#kernel/disk-trouble.ts'
import { Locks } from '#kernel/locks.ts'
import type { Log } from '#kernel/log.ts'
import { Bucket, type BucketSettings } from './bucket.ts'
import { blobPath, isBlobWhole, type Landed, landBlob, openBlob } from './files.ts'
import { hasBlob } from './store.ts'

interface StoreContext {
  config: { dataPath: string; storage: { STORAGE_TYPE: 'local' | 'minio' } & BucketSettings }
  db: Database
  disk: Pick<DiskWatch, 'isLost'>
  log: Log
}

/**
 * Files by their digest: in the data directory, or in a bucket when `storage.STORAGE_TYPE` says so. What lies in the data directory from
 * before is read there then, too.
 */
export class BlobStore {
  readonly #context: StoreContext
  readonly #bucket: Bucket | undefined
  /** By digest: uploads share it until their rows are there, removals take it alone. */
  readonly #locks = new Locks<string>()

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
    const { digest, size, path } = landed
    const leave = await this.#locks.share(digest)
    const drop = () => {
      landed.drop()
      leave()
      if (!hasBlob(this.#context.db, digest)) void this.#discardQuietly(digest)
    }
    try {
      await this.#bucket.put(digest, path)
      return { digest, size, path, keep: () => {}, drop }
    } catch (error) {
      drop()
      throw error
    }
  }

  /** The bytes `[start, end)`, once it is sure that they come; see `openBlob`. @throws Problem 502 or 503, and what that does */
  async open(digest: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
    const path = blobPath(this.#context.config.dataPath, digest)
    if (!this.#bucket || existsSync(path)) return openBlob(this.#context.config.dataPath, digest, start, end)
    return start === end ? new Blob([]).stream() : this.#bucket.open(digest, start, end)
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

  /** The digests of files in the bucket; none without one. */
  async *listRemote(): AsyncGenerator<string> {
    if (this.#bucket) yield* this.#bucket.list()
  }

  /** What stays is found by the next sweep. */
  async #discardQuietly(digest: string): Promise<void> {
    await this.discard(digest).catch((error) => this.#context.log.error('cannot remove a file from the bucket', error, { digest }))
  }
}
