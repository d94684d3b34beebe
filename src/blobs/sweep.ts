import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import type { Jobs } from '#kernel/jobs.ts'
import { blobDirectory, blobPath } from './files.ts'
import { deleteBlob, hasBlob, listUnused } from './store.ts'

/** What of the context blobs need. */
export interface BlobContext {
  config: { dataPath: string; storage: { BLOB_GRACE_HOURS: number } }
  db: Database
  clock: Clock
  jobs: Jobs
}

const SWEEP_SECONDS = 3600
const AT_ONCE = 500
/** A file this young may belong to an upload that is under way. */
const UNDER_WAY_MS = 24 * 3_600_000

/** Sweeps now and then, for the first time soon. */
export function startSweepingBlobs(context: BlobContext): void {
  context.jobs.every(SWEEP_SECONDS, 'remove_unused_files', () => sweepBlobs(context))
  context.jobs.later(60_000, 'remove unused files', () => sweepBlobs(context))
}

/**
 * Removes the files that nothing named for so long. The row goes first, and the file in the same turn: nobody can name it in between, and
 * a crash there leaves a file that no row knows, which goes as those of uploads do that never ended.
 */
export function sweepBlobs(context: BlobContext): void {
  const { db, config, clock } = context
  const before = clock.seconds() - config.storage.BLOB_GRACE_HOURS * 3600
  for (const digest of listUnused(db, before, AT_ONCE)) {
    db.tx((tx) => deleteBlob(tx, digest))
    if (!hasBlob(db, digest)) rmSync(blobPath(config.dataPath, digest), { force: true })
  }
  for (const path of strays(context)) rmSync(path, { force: true })
}

function strays({ db, config, clock }: BlobContext): string[] {
  const directory = blobDirectory(config.dataPath)
  const names = listNames(directory)
  const files = names.flatMap((name) => (/^[0-9a-f]{2}$/.test(name) ? listNames(join(directory, name)).map((digest) => join(name, digest)) : [name]))
  const isOld = (name: string) =>
    clock.millis() - (statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > UNDER_WAY_MS
  return files.filter((name) => (name.startsWith('tmp-') || !hasBlob(db, name.slice(3))) && isOld(name)).map((name) => join(directory, name))
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
