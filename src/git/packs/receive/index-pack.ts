import { closeSync, openSync, readSync } from 'node:fs'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { GitLimits } from '../../limits.ts'
import type { ObjectFormat } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { writeAll } from '../write-all.ts'
import { plantForest } from './forest.ts'
import type { RunShards } from './resolve.ts'
import { resolveDeltas } from './resolve.ts'
import type { ScannedPack } from './scan.ts'
import { scanPack } from './scan.ts'
import { refuseUnresolved } from './thin.ts'
import { indexChunks, sortByOid } from './write-index.ts'

export interface ReadPackOptions {
  limits: GitLimits
  /** Default: SHA-1. */
  format?: ObjectFormat
  signal?: AbortSignal
  /** Runs part of the work on other threads; without it all is done on this one. */
  resolveShards?: RunShards
  onEntry?(done: number, total: number): void
  onDelta?(done: number, total: number): void
}

const READ_BYTES = 1024 * 1024

/**
 * Reads a pack on disk from end to end and names every object in it, by its bytes alone. What the objects say and link to is not looked at.
 * @throws GitError "Cannot accept pack: …" when it is malformed, over a limit, or has a delta whose base it does not have
 */
export async function readWholePack(packPath: string, options: ReadPackOptions): Promise<ScannedPack> {
  const { limits, format = SHA1, signal, resolveShards: runShards, onEntry } = options
  const scanned = await scanPack(readFile(packPath, signal), { format, limits, sink: () => {}, onObject: () => {}, onEntry })
  const { table, deltas } = scanned
  const forest = plantForest(table, scanned.refBases)
  const onProgress = (done: number): void => options.onDelta?.(done, deltas)
  await resolveDeltas({ packPath, table, forest, format, limits, runShards, onProgress }, deltas)
  refuseUnresolved(table, forest)
  return scanned
}

/** Makes the index of a pack, whatever index lies beside it. It is not synced: lose it, and it can be made again. @throws GitError as `readWholePack` */
export async function indexPack(packPath: string, idxPath: string, options: ReadPackOptions): Promise<void> {
  const { table, checksum } = await readWholePack(packPath, options)
  const fd = openSync(idxPath, 'wx', 0o644)
  try {
    let at = 0
    for (const chunk of indexChunks(table.columns, sortByOid(table.columns, table.count), checksum, options.format ?? SHA1)) {
      writeAll(fd, chunk, at)
      at += chunk.length
      if (isDue()) await breathe()
    }
  } finally {
    closeSync(fd)
  }
}

async function* readFile(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const fd = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    for (let got = readSync(fd, buffer); got > 0; got = readSync(fd, buffer)) {
      signal?.throwIfAborted()
      yield buffer.subarray(0, got)
      if (isDue()) await breathe()
    }
  } finally {
    closeSync(fd)
  }
}
