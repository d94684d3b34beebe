import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '#git/store/sync-directory.ts'
import { TooLarge } from '#kernel/errors.ts'
import { randomHex } from '#kernel/ids.ts'
import { type SummedBlob, Summing } from './sums.ts'

/** A file that is there. */
export type StoredBlob = Pick<SummedBlob, 'digest' | 'size'>

/** Bytes on disk that have no name yet. */
export interface Landed extends SummedBlob {
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

/** Whether a file among the blobs was coming in when a process that is dead now made it. */
export function isLeftOver(name: string): boolean {
  return name.startsWith('tmp-') && !name.startsWith(`tmp-${ours}-`)
}

/** SHA-256 in hexadecimal. */
export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Where a blob lies. @param digest SHA-256 in hexadecimal, which is checked: no other text becomes a path */
export function blobPath(dataPath: string, digest: string): string {
  if (!isDigest(digest)) throw new Error('Cannot find the blob: its name is not a valid digest')
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
    const blob = await write(temporary, source, maxBytes)
    return { ...blob, path: temporary, keep: () => rename(dataPath, temporary, blob.digest), drop }
  } catch (error) {
    drop()
    throw error
  }
}

async function write(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<SummedBlob> {
  const hash = new Bun.CryptoHasher('sha256')
  const summing = new Summing()
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const bytes of source) {
      size += bytes.length
      if (size > maxBytes) throw new TooLarge(`The file is too large: at most ${maxBytes} bytes are allowed`)
      hash.update(bytes)
      summing.add(bytes)
      await writeAll(file, bytes)
    }
    await file.sync()
    return { digest: hash.digest('hex'), size, sums: summing.end() }
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

/** The bytes `[start, end)` of a blob as they lie there, or as many as there are. */
export function blobBytes(dataPath: string, digest: string, start = 0, end?: number): ReadableStream<Uint8Array> {
  return Bun.file(blobPath(dataPath, digest)).slice(start, end).stream()
}

/** Whether a blob that is there has the bytes that were stored. */
export async function isBlobWhole(dataPath: string, digest: string): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of blobBytes(dataPath, digest)) hash.update(piece)
  return hash.digest('hex') === digest
}
