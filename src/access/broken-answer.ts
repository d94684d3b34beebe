import { GitError } from '#git/errors.ts'
import type { Db } from '#kernel/db.ts'
import type { DiskWatch } from '#kernel/disk-trouble.ts'
import { pathOf } from '#kernel/http.ts'
import { randomHex } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { isRepoGone } from './gated.ts'

/** Logs why an answer breaks off: what was sent of it has said that all is well, and no 500 can take its place. */
export function logBrokenAnswer({ db, disk, log }: { db: Db; disk: DiskWatch; log: Log }, error: unknown, request: Request): void {
  // Of a repository that was deleted meanwhile nothing was lost.
  if (error instanceof GitError && isRepoGone(db, request)) return
  disk.report(error)
  log.error('an answer broke off', error, { id: randomHex(6), method: request.method, path: pathOf(request.url) })
}
