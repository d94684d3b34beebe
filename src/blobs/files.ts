import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '#git/store/sync-directory.ts'
import { TooLarge } from '#kernel/errors.ts'
import { randomHex } from '#kernel/ids.ts'

/** Bytes on disk that have no name yet. */
export interface Landed {
  digest: string
  size: number
  /** Where they lie until then. */
  path: string
  /** Gives them their name; from then on they are durably there. To be called in the turn of the transaction that notes them. */
  keep(): void
  /** Removes them; nothing after `keep`. */
  drop(): void
}

/** Its names tell which process made them: the data directory is one process' alone, so whatever another one made is left over. */
const ours = randomHex(4)

function temporaryName(): string {
  return `tmp-${ours}-${randomHex(12)}`
}

/** Whether a file among the blobs is one that is still coming in. */
export function isComingIn(name: string): boolean {
  return name.startsWith(`tmp-${ours}-`)
}

/** Where a blob lies. @param digest SHA-256 in hexadecimal, which is checked: no other text becomes a path */
export function blobPath(dataPath: string, digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Error('Cannot find a blob by what is no digest')
  return join(blobDirectory(dataPath), digest.slice(0, 2), digest)
}

export function blobDirectory(dataPath: string): string {
  return join(dataPath, 'blobs')
}

/** Takes bytes to disk as they come, with their digest; nothing is held. @throws TooLarge beyond `maxBytes`, and whatever `source` throws */
export async function landBlob(dataPath: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Landed> {
  const directory = blobDirectory(dataPath)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const temporary = join(directory, temporaryName())
  const drop = () => rmSync(temporary, { force: true })
  try {
    const { digest, size } = await write(temporary, source, maxBytes)
    return { digest, size, path: temporary, keep: () => rename(dataPath, temporary, digest), drop }
  } catch (error) {
    drop()
    throw error
  }
}

async function write(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<{ digest: string; size: number }> {
  const hash = new Bun.CryptoHasher('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const bytes of source) {
      size += bytes.length
      if (size > maxBytes) throw new TooLarge(`Cannot take the file: it is larger than ${maxBytes} bytes`)
      hash.update(bytes)
      await writeAll(file, bytes)
    }
    await file.sync()
    return { digest: hash.digest('hex'), size }
  } finally {
    await file.close()
  }
}

/** A disk with room for a part only takes that part, and refuses the next. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
}

function rename(dataPath: string, temporary: string, digest: string): void {
  const path = blobPath(dataPath, digest)
  const directory = join(path, '..')
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(blobDirectory(dataPath))
  renameSync(temporary, path)
  syncDirectory(directory)
}

/**
 * The bytes `[start, end)` of a blob. Who asks for all of them gets the last only when they have its digest: it breaks off where a disk has changed them.
 * @throws Error when it is gone, or shorter
 */
export function openBlob(dataPath: string, digest: string, start: number, end: number): ReadableStream<Uint8Array> {
  const path = blobPath(dataPath, digest)
  const { size } = statSync(path)
  if (size < end) throw damaged(digest, `it has ${size} bytes, and should have ${end} or more`)
  const bytes = Bun.file(path).slice(start, end).stream()
  return start === 0 && end === size ? checkedStream(bytes, digest) : bytes
}

function checkedStream(source: ReadableStream<Uint8Array>, digest: string): ReadableStream<Uint8Array> {
  const hash = new Bun.CryptoHasher('sha256')
  let held: Uint8Array | undefined
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        if (held) controller.enqueue(held)
        hash.update(piece)
        held = piece
      },
      flush(controller) {
        if (hash.digest('hex') !== digest) throw damaged(digest, 'its bytes are not those that were stored')
        if (held) controller.enqueue(held)
      },
    }),
  )
}

/** Whether a blob that is there has the bytes that were stored. */
export async function isBlobWhole(dataPath: string, digest: string): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of Bun.file(blobPath(dataPath, digest)).stream()) hash.update(piece)
  return hash.digest('hex') === digest
}

function damaged(digest: string, reason: string): Error {
  return new Error(`Cannot read the file ${digest}: ${reason}`)
}
