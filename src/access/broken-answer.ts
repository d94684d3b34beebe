import { GitError } from '#git/errors.ts'
import type { Db } from '#kernel/db.ts'
import type { DiskWatch } from '#kernel/disk-trouble.ts'
import { pathOf } from '#kernel/http.ts'
import { randomHex } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { isRepoGone } from './gated.ts'
import { type Losses, noteLoss } from './losses.ts'

interface Broken {
  db: Db
  disk: DiskWatch
  log: Log
  services: { get(kind: typeof Losses): Losses }
}

/** Logs why an answer breaks off: what was sent of it has said that all is well, and no 500 can take its place. */
export function logBrokenAnswer(context: Broken, error: unknown, request: Request): void {
  const { db, disk, log } = context
  // Of a repository that was deleted meanwhile nothing was lost.
  if (error instanceof GitError && isRepoGone(db, request)) return
  disk.report(error)
  noteLoss(context, error, request)
  log.error('response failed after it was partly sent', error, { id: randomHex(6), method: request.method, path: pathOf(request.url) })
}
