import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import type { Log } from '#kernel/log.ts'
import type { Tasks } from '#kernel/tasks.ts'
import { BlobStore } from './blob-store.ts'
import type { BucketSettings } from './bucket.ts'
import { blobDirectory, isDigest, isLeftOver, type StoredBlob } from './files.ts'
import { deleteBlob, hasBlob, listUnused, noteStray } from './store.ts'

/** What of the context blobs need. */
export interface BlobContext {
  config: {
    dataPath: string
    storage: { STORAGE_TYPE: 'local' | 'minio'; BLOB_GRACE_HOURS: number } & BucketSettings
    network: { OFFLINE: boolean }
  }
  db: Database
  clock: Clock
  tasks: Tasks
  log: Log
  services: { get(kind: typeof BlobStore): BlobStore }
}

const SWEEP_SECONDS = 3600
const AT_ONCE = 500

/** Sweeps now and then, for the first time at once. @throws Error when the bucket may not be reached */
export function startSweepingBlobs(context: BlobContext): void {
  const { network, storage } = context.config
  if (network.OFFLINE && storage.STORAGE_TYPE !== 'local')
    throw new Error('Invalid setting storage.STORAGE_TYPE = "minio": network.OFFLINE blocks all outbound connections. Set one of them differently.')
  context.tasks.every(SWEEP_SECONDS, 'remove_unused_files', () => sweepBlobs(context))
  context.tasks.runTask('remove_unused_files')
}

/**
 * Removes the files that nothing named for so long. The row goes first: nobody can name the file in between, and a crash there leaves a file
 * that no row knows.
 */
export async function sweepBlobs(context: BlobContext): Promise<void> {
  const { db, config, clock, log } = context
  const strays = await noteStrays(context)
  if (strays > 0) log.warn('found files without a database record; they are deleted after storage.BLOB_GRACE_HOURS', { files: strays })
  const before = clock.seconds() - config.storage.BLOB_GRACE_HOURS * 3600
  const store = context.services.get(BlobStore)
  for (const digest of listUnused(db, before, AT_ONCE)) await store.discard(digest, () => db.tx((tx) => deleteBlob(tx, digest)))
}

/**
 * Gives files that no row knows their grace, too: a crash left them, or the database is older than they are, and the newer one may be put back.
 * @returns how many there were
 */
async function noteStrays(context: BlobContext): Promise<number> {
  const { db, clock, services } = context
  let noted = 0
  const note = (blob: StoredBlob) => {
    if (hasBlob(db, blob.digest)) return
    db.provisional((tx) => noteStray(tx, blob, clock.seconds()))
    noted++
  }
  for (const blob of listLocal(context.config.dataPath)) {
    if (isDue()) await breathe()
    note(blob)
  }
  for await (const blob of services.get(BlobStore).listRemote()) note(blob)
  return noted
}

/** What lies in the data directory; what a crash left on its way there goes, and what is none of ours stays, as `lost+found`. A file gets its name in the turn in which its row is written. */
function* listLocal(dataPath: string): Generator<StoredBlob> {
  const directory = blobDirectory(dataPath)
  for (const name of listNames(directory)) {
    if (/^[0-9a-f]{2}$/.test(name)) {
      for (const digest of listNames(join(directory, name)).filter(isDigest)) yield { digest, size: statSync(join(directory, name, digest)).size }
    } else if (isLeftOver(name)) rmSync(join(directory, name), { force: true })
  }
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
