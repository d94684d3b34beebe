import { closeSync, fdatasync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeAll } from './write-all.ts'

/** The files of a pack that is being received: a pack under a passing name, then `pack-<hex>.pack` and `.idx`. */
export class Landing {
  /** Open for reading and writing. */
  readonly fd: number
  #packPath: string
  readonly #directory: string
  #name: string | undefined
  #length = 0
  #isOpen = true
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

  append(bytes: Uint8Array): void {
    writeAll(this.fd, bytes, this.#length)
    this.#length += bytes.length
  }

  /** Lets the disk begin while deltas are resolved; `name` waits for it. */
  syncEarly(): void {
    this.#earlySync = promisify(fdatasync)(this.fd)
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
    await this.#earlySync.catch(() => {})
    this.#close()
    rmSync(this.#packPath, { force: true })
    if (this.#name !== undefined) rmSync(this.idxPath, { force: true })
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.fd)
    this.#isOpen = false
  }
}
