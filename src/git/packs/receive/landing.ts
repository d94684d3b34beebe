import { closeSync, fdatasync, fsync, openSync, renameSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeAll } from '../write-all.ts'

const writeAsync = promisify(write)
const fdatasyncAsync = promisify(fdatasync)
const fsyncAsync = promisify(fsync)

const FIRST_BUFFER_BYTES = 64 * 1024
/** Smaller packs are not worth a flush of their own before the last one. */
const EARLY_SYNC_BYTES = 1024 * 1024

/** The files of a pack that is being received: a pack under a passing name, then `pack-<hex>.pack` and `.idx`. */
export class Landing {
  /** Open for reading and writing. */
  readonly fd: number
  #packPath: string
  readonly #directory: string
  #name: string | undefined
  #length = 0
  #isOpen = true
  /** What goes on while the next bytes are looked at; never rejects unheard. */
  #writing: Promise<void> = Promise.resolve()
  /** Bytes that wait for more to be written with; a small pack is written in one go. */
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES)
  #held = 0
  /** What is being written, and free for the next bytes after that. */
  #other = Buffer.alloc(0)
  #earlySync: Promise<void> = Promise.resolve()

  constructor(directory: string) {
    this.#directory = directory
    this.#packPath = join(directory, 'incoming.pack')
    this.fd = openSync(this.#packPath, 'wx+', 0o444)
  }

  get packPath(): string {
    return this.#packPath
  }

  /** Where the index belongs; known once the pack has its name. */
  get idxPath(): string {
    return join(this.#directory, `pack-${this.#name}.idx`)
  }

  /** Appends `bytes`; they may be changed once it resolves, although they are not yet written then. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#held + bytes.length > this.#buffer.length) await this.#makeRoom(bytes.length)
    this.#buffer.set(bytes, this.#held)
    this.#held += bytes.length
  }

  async #makeRoom(length: number): Promise<void> {
    await this.#writing
    this.#writing = this.#write(this.#buffer.subarray(0, this.#held), this.#length)
    this.#writing.catch(() => {})
    this.#length += this.#held
    this.#held = 0
    const next = this.#other.length >= length ? this.#other : Buffer.allocUnsafeSlow(Math.max(length, FIRST_BUFFER_BYTES))
    this.#other = this.#buffer
    this.#buffer = next
  }

  /** Waits until all is written and lets the disk begin; `finish` waits for that. */
  async syncEarly(): Promise<void> {
    await this.#writing
    writeAll(this.fd, this.#buffer.subarray(0, this.#held), this.#length)
    this.#length += this.#held
    this.#held = 0
    if (this.#length < EARLY_SYNC_BYTES) return
    this.#earlySync = fdatasyncAsync(this.fd)
    this.#earlySync.catch(() => {})
  }

  /** Writes the index, makes the content of both durable and gives the pack its name; the names are for whoever publishes them to make durable. */
  async finish(hex: string, index: Iterable<Uint8Array>): Promise<void> {
    await this.#earlySync
    this.#name = hex
    // Writable, because Bun.mmap opens what it maps for writing, too.
    const idx = openSync(this.idxPath, 'wx', 0o644)
    try {
      this.#writeIndex(idx, index)
      await allDone([fsyncAsync(this.fd), fsyncAsync(idx)])
    } finally {
      closeSync(idx)
    }
    this.#close()
    const path = join(this.#directory, `pack-${hex}.pack`)
    renameSync(this.#packPath, path)
    this.#packPath = path
  }

  /** Pieces of up to a buffer's length; a small index is written in one go, like its pack. */
  #writeIndex(fd: number, pieces: Iterable<Uint8Array>): void {
    const buffer = this.#buffer
    let at = 0
    let held = 0
    for (const piece of pieces) {
      if (held + piece.length > buffer.length) {
        writeAll(fd, buffer.subarray(0, held), at)
        at += held
        held = 0
      }
      buffer.set(piece, held)
      held += piece.length
    }
    writeAll(fd, buffer.subarray(0, held), at)
  }

  /** Removes all that was written. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#earlySync])
    this.#close()
    rmSync(this.#packPath, { force: true })
    if (this.#name !== undefined) rmSync(this.idxPath, { force: true })
  }

  async #write(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) done += (await writeAsync(this.fd, bytes, done, bytes.length - done, position + done)).bytesWritten
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.fd)
    this.#isOpen = false
  }
}

/** Waits for all even when one fails: their files are closed afterwards. */
async function allDone(works: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}
