import { closeSync, fdatasync, fsyncSync, openSync, renameSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const writeAsync = promisify(write)
const fdatasyncAsync = promisify(fdatasync)

const FIRST_BUFFER_BYTES = 1024 * 1024

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
  #buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES)
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

  /** Appends `bytes`; they may be changed once it resolves, although they are still being written then. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.#writing
    if (bytes.length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(bytes.length)
    this.#buffer.set(bytes)
    this.#writing = this.#write(this.#buffer.subarray(0, bytes.length), this.#length)
    this.#writing.catch(() => {})
    this.#length += bytes.length
  }

  /** Waits until all is written and lets the disk begin; `name` waits for that. */
  async syncEarly(): Promise<void> {
    await this.#writing
    this.#earlySync = fdatasyncAsync(this.fd)
    this.#earlySync.catch(() => {})
  }

  /** Makes the pack durable and gives it its name. */
  async name(hex: string): Promise<void> {
    await this.#earlySync
    fsyncSync(this.fd)
    this.#close()
    const path = join(this.#directory, `pack-${hex}.pack`)
    renameSync(this.#packPath, path)
    this.#packPath = path
    this.#name = hex
  }

  /** Makes the names durable. */
  syncDirectory(): void {
    const fd = openSync(this.#directory, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
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
