import { closeSync, openSync } from 'node:fs'
import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../../errors.ts'
import { type GitLimits, limitsOfStored } from '../../limits.ts'
import type { ObjectFormat } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { readAll } from '../read-all.ts'
import { readWholePack } from './index-pack.ts'
import type { ScannedPack } from './scan.ts'
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

/**
 * Checks a pack on disk and its index: the checksums, every entry, every object's id, and that the index says just what the pack holds.
 * @throws GitError "Cannot verify pack: …"
 */
export async function verifyPack(
  packPath: string,
  idxPath: string,
  limits: GitLimits,
  onProgress?: (progress: VerifyProgress) => void,
  format: ObjectFormat = SHA1,
): Promise<VerifiedPack> {
  try {
    const scanned = await readWholePack(packPath, {
      limits: limitsOfStored(limits),
      format,
      onEntry: (done, total) => onProgress?.({ phase: 'reading', done, total }),
      onDelta: (done, total) => onProgress?.({ phase: 'resolving', done, total }),
    })
    await compareIndex(idxPath, scanned, format)
    return { objects: scanned.table.count, deltas: scanned.deltas, bytes: scanned.bytes }
  } catch (error) {
    throw error instanceof GitError ? new GitError(error.kind, error.message.replace(/^Cannot [^:]*: /, 'Cannot verify pack: '), { cause: error }) : error
  }
}

async function compareIndex(path: string, { table, checksum }: ScannedPack, format: ObjectFormat): Promise<void> {
  const fd = openSync(path, 'r')
  try {
    let at = 0
    for (const chunk of indexChunks(table.columns, sortByOid(table.columns, table.count), checksum, format)) {
      if (!readAt(fd, chunk.length, at).equals(chunk)) throw new GitError('corrupt', 'Cannot verify pack: its index does not match its content')
      at += chunk.length
      if (isDue()) await breathe()
    }
    if (readAt(fd, 1, at).length > 0) throw new GitError('corrupt', 'Cannot verify pack: its index has extra data at the end')
  } finally {
    closeSync(fd)
  }
}

function readAt(fd: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readAll(fd, bytes, length, position))
}
