import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { CachedFile } from './cached-file.ts'

/** Work that makes an archive; see `StreamCall`. */
export interface ArchiveBuild {
  readonly outgoing: AsyncIterable<Uint8Array>
  readonly result: Promise<unknown>
  abort(): void
}

export interface ArchiveCacheOptions {
  /** Made when first needed; nothing else may lie there. */
  directory: string
  /** What the files may take together, those being made included. */
  maxBytes: number
}

/** An archive that is being made, for all who asked for it. */
interface Building {
  /** False when it is too large to be kept. */
  readonly done: Promise<boolean>
  readonly abort: () => void
  waiting: number
}

const isName = /^[\w-][\w.-]{0,199}$/
const PARTIAL = '.partial'
/** Evictions that may come between the end of a build and its first reader. */
const MAX_ROUNDS = 3

/**
 * Archives as files, so that parts of them can be asked for by offset, and that many who want the same one cost one build. A file is made
 * under another name and renamed when whole; those used longest ago go first. Derived data: what is lost is built again.
 */
export class ArchiveCache {
  readonly #directory: string
  readonly #maxBytes: number
  /** Names and bytes of whole files, the one used longest ago first. */
  readonly #files = new Map<string, number>()
  readonly #building = new Map<string, Building>()
  #keptBytes = 0
  #partialBytes = 0
  #partials = 0
  #loaded: Promise<void> | undefined

  constructor({ directory, maxBytes }: ArchiveCacheOptions) {
    this.#directory = directory
    this.#maxBytes = maxBytes
  }

  /**
   * The archive called `name` (letters, digits, `.`, `_` and `-`), made by `build` unless it is there or under way. Undefined when it is
   * larger than all the cache may hold: then it is to be sent as it is made. When all who wait have given up by their `signal`, so does the build.
   * @throws what `build` fails with, or the reason of `signal`
   */
  async open(name: string, build: () => ArchiveBuild, signal?: AbortSignal): Promise<CachedFile | undefined> {
    if (!isName.test(name) || name.endsWith(PARTIAL)) throw new RangeError(`Cannot cache archive: bad name "${name}"`)
    await (this.#loaded ??= this.#load())
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = await this.#find(name)
      if (found !== undefined) return found
      if (!(await this.#wait(name, build, signal))) return undefined
    }
    return undefined
  }

  /** The size in bytes of one that is there whole; undefined for any other. */
  async sizeOf(name: string): Promise<number | undefined> {
    await (this.#loaded ??= this.#load())
    return this.#files.get(name)
  }

  /** Drops every archive whose name begins with `prefix`; those under way are given up. */
  async forget(prefix: string): Promise<void> {
    const building = [...this.#building].filter(([name]) => name.startsWith(prefix))
    for (const [name, one] of building) this.#giveUp(name, one)
    await Promise.allSettled(building.map(([, { done }]) => done))
    for (const name of [...this.#files.keys()]) if (name.startsWith(prefix)) await this.#drop(name)
  }

  async #find(name: string): Promise<CachedFile | undefined> {
    const size = this.#files.get(name)
    if (size === undefined) return undefined
    const path = join(this.#directory, name)
    const handle = await open(path).catch(() => undefined)
    if (handle === undefined) {
      this.#uncount(name)
      return undefined
    }
    // It may have been dropped while it was being opened; its bytes can be read all the same.
    if (this.#files.delete(name)) this.#files.set(name, size)
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
    return new CachedFile(handle, size)
  }

  async #wait(name: string, build: () => ArchiveBuild, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted()
    const building = this.#building.get(name) ?? this.#start(name, build())
    building.waiting++
    const { promise: gone, reject } = Promise.withResolvers<never>()
    gone.catch(() => {})
    const leave = () => reject(signal?.reason)
    signal?.addEventListener('abort', leave)
    try {
      return await Promise.race([building.done, gone])
    } finally {
      signal?.removeEventListener('abort', leave)
      if (--building.waiting === 0) this.#giveUp(name, building)
    }
  }

  #start(name: string, build: ArchiveBuild): Building {
    const building: Building = { done: this.#make(name, build), abort: () => build.abort(), waiting: 0 }
    this.#building.set(name, building)
    const leave = () => this.#leave(name, building)
    building.done.then(leave, leave)
    return building
  }

  /** Nobody joins it any more; one that is over has nothing left to abort. */
  #giveUp(name: string, building: Building): void {
    this.#leave(name, building)
    building.abort()
  }

  #leave(name: string, building: Building): void {
    if (this.#building.get(name) === building) this.#building.delete(name)
  }

  /** Writes the file; false when there is no room for it. */
  async #make(name: string, build: ArchiveBuild): Promise<boolean> {
    const partial = join(this.#directory, `${name}.${++this.#partials}${PARTIAL}`)
    let size = 0
    try {
      const handle = await open(partial, 'wx', 0o600)
      try {
        for await (const bytes of build.outgoing) {
          size += bytes.length
          if (!(await this.#reserve(bytes.length))) return false
          await writeAll(handle, bytes)
        }
        await build.result
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(partial, join(this.#directory, name))
      this.#files.set(name, size)
      this.#keptBytes += size
      return true
    } finally {
      this.#partialBytes -= size
      build.abort()
      await rm(partial, { force: true })
    }
  }

  /** Makes room for bytes of a file under way. */
  async #reserve(bytes: number): Promise<boolean> {
    this.#partialBytes += bytes
    while (this.#keptBytes + this.#partialBytes > this.#maxBytes) {
      const oldest = this.#files.keys().next().value
      if (oldest === undefined) return false
      await this.#drop(oldest)
    }
    return true
  }

  async #drop(name: string): Promise<void> {
    this.#uncount(name)
    await rm(join(this.#directory, name), { force: true })
  }

  #uncount(name: string): void {
    this.#keptBytes -= this.#files.get(name) ?? 0
    this.#files.delete(name)
  }

  /** Finds what an earlier run left; what it did not finish goes. */
  async #load(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    const found: { name: string; size: number; usedAt: number }[] = []
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name)
      if (name.endsWith(PARTIAL)) await rm(path, { force: true })
      else {
        const { size, mtimeMs } = await stat(path)
        found.push({ name, size, usedAt: mtimeMs })
      }
    }
    for (const { name, size } of found.sort((a, b) => a.usedAt - b.usedAt)) {
      this.#files.set(name, size)
      this.#keptBytes += size
    }
    await this.#reserve(0)
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}
