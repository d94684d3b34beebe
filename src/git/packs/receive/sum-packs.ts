import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { breathe } from '#kernel/breathe.ts'
import { GitError } from '../../errors.ts'
import { type GitLimits, limitsOfStored } from '../../limits.ts'
import { type ObjectFormat, SHA1 } from '../../objects/oid.ts'
import { indexPack } from './index-pack.ts'

const PIECE_BYTES = 1024 * 1024

/** Reads a pack or an index from end to end: it ends with the checksum of all before that. @throws GitError `corrupt` when it does not */
export async function checkSum(path: string, format: ObjectFormat = SHA1): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const end = Math.max(0, size - format.rawLength)
    const hasher = format.hasher()
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (let at = 0; at < end; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, end - at), at)
      if (bytesRead === 0) break
      hasher.update(piece.subarray(0, bytesRead))
      at += bytesRead
      await breathe()
    }
    const { bytesRead } = await file.read(piece, 0, format.rawLength, end)
    if (Buffer.compare(hasher.digest(), piece.subarray(0, bytesRead)) !== 0) throw damaged(path)
  } finally {
    await file.close()
  }
}

function damaged(path: string): GitError {
  return new GitError('corrupt', `Cannot read ${basename(path)}: its checksum does not match its content`)
}

/**
 * Puts a new index in the place of a damaged one: all of it stands in the pack.
 * @param temporary where it lies until it is whole, on the same file system
 * @throws GitError as `indexPack` does, when that is damaged, too
 */
export async function remakeIndex(packPath: string, temporary: string, limits: GitLimits): Promise<void> {
  try {
    await indexPack(packPath, temporary, { limits: limitsOfStored(limits) })
    sync(temporary)
    renameSync(temporary, packPath.replace(/pack$/, 'idx'))
  } finally {
    rmSync(temporary, { force: true })
  }
}

function sync(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
