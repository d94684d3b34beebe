import { closeSync, openSync, readSync } from 'node:fs'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import type { ObjectFormat } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { breathe, isDue } from '../workers/breathe.ts'
import { plantForest } from './forest.ts'
import { resolveDeltas } from './resolve.ts'
import type { ScannedPack } from './scan.ts'
import { scanPack } from './scan.ts'
import { refuseUnresolved } from './thin.ts'
import { indexChunks, sortByOid } from './write-index.ts'

export interface VerifyProgress {
  phase: 'reading' | 'resolving'
  done: number
  total: number
}

export interface VerifiedPack {
  objects: number
  deltas: number
  /** Length of the pack. */
  bytes: number
}

const READ_BYTES = 1024 * 1024

/**
 * Checks a pack on disk and its index: the checksums, every entry, every object's id, and that the index says just what the pack holds.
 * Limits on the pack as a whole do not apply, as consolidation makes larger packs than a push may.
 * @throws GitError "Cannot verify pack: …"
 */
export async function verifyPack(
  packPath: string,
  idxPath: string,
  limits: GitLimits,
  onProgress?: (progress: VerifyProgress) => void,
  format: ObjectFormat = SHA1,
): Promise<VerifiedPack> {
  const own = { ...limits, maxPackBytes: Infinity, maxPackObjects: Infinity, maxInflatedBytes: Infinity }
  try {
    const onEntry = (done: number, total: number): void => onProgress?.({ phase: 'reading', done, total })
    const scanned = await scanPack(readFile(packPath), { format, limits: own, sink: () => {}, onObject: () => {}, onEntry })
    const { table, deltas, bytes } = scanned
    const forest = plantForest(table, scanned.refBases)
    const onDelta = (done: number): void => onProgress?.({ phase: 'resolving', done, total: deltas })
    await resolveDeltas({ packPath, table, forest, format, limits: own, onProgress: onDelta }, deltas)
    refuseUnresolved(table, forest)
    await compareIndex(idxPath, scanned, format)
    return { objects: table.count, deltas, bytes }
  } catch (error) {
    throw error instanceof GitError ? new GitError(error.kind, error.message.replace(/^Cannot [^:]*: /, 'Cannot verify pack: '), { cause: error }) : error
  }
}

async function compareIndex(path: string, { table, checksum }: ScannedPack, format: ObjectFormat): Promise<void> {
  const fd = openSync(path, 'r')
  try {
    let at = 0
    for (const chunk of indexChunks(table.columns, sortByOid(table.columns, table.count), checksum, format)) {
      if (!readAt(fd, chunk.length, at).equals(chunk)) throw new GitError('corrupt', 'Cannot verify pack: its index does not say what it holds')
      at += chunk.length
      if (isDue()) await breathe()
    }
    if (readAt(fd, 1, at).length > 0) throw new GitError('corrupt', 'Cannot verify pack: its index goes on after its end')
  } finally {
    closeSync(fd)
  }
}

function readAt(fd: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length)
  let done = 0
  for (let got = -1; done < length && got !== 0; done += got) got = readSync(fd, bytes, done, length - done, position + done)
  return bytes.subarray(0, done)
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const fd = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    for (let got = readSync(fd, buffer); got > 0; got = readSync(fd, buffer)) {
      yield buffer.subarray(0, got)
      if (isDue()) await breathe()
    }
  } finally {
    closeSync(fd)
  }
}
