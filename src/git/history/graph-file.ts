import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hasher, ObjectFormat } from '../objects/oid.ts'
import { syncDirectory } from '../store/sync-directory.ts'

const BUFFER_BYTES = 256 * 1024

/** A file written front to back under another name, ended by the hash of all of it, and visible only once it is whole and on disk. */
export class GraphFile {
  readonly #path: string
  readonly #temporary: string
  readonly #fd: number
  readonly #hasher: Hasher
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #used = 0
  #isOpen = true

  /** @param temporary the other name, on the same file system */
  constructor(path: string, format: ObjectFormat, temporary = `${path}.${crypto.randomUUID()}.tmp`) {
    this.#path = path
    this.#temporary = temporary
    // Writable, because Bun.mmap opens what it maps for writing, too.
    this.#fd = openSync(this.#temporary, 'wx', 0o644)
    this.#hasher = format.hasher()
  }

  /** @param value 0 to 2^32 - 1 */
  u32(value: number): void {
    this.#reserve(4)
    this.#used = this.#buffer.writeUInt32BE(value, this.#used)
  }

  u64(value: number): void {
    this.u32(Math.floor(value / 2 ** 32))
    this.u32(value % 2 ** 32)
  }

  hex(text: string): void {
    this.#reserve(text.length / 2)
    this.#used += this.#buffer.write(text, this.#used, 'hex')
  }

  /** @param bytes shorter than 256 KiB */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#used)
    this.#used += bytes.length
  }

  /** Adds the checksum, syncs, and puts the file in place. */
  finish(): void {
    this.#flush()
    writeAll(this.#fd, this.#hasher.digest())
    fsyncSync(this.#fd)
    this.#close()
    renameSync(this.#temporary, this.#path)
    syncDirectory(dirname(this.#path))
  }

  /** Removes what `finish` has not put in place; harmless after it. */
  discard(): void {
    this.#close()
    rmSync(this.#temporary, { force: true })
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#buffer.length) this.#flush()
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used)
    this.#hasher.update(bytes)
    writeAll(this.#fd, bytes)
    this.#used = 0
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#fd)
    this.#isOpen = false
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}
