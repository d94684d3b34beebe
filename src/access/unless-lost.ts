import { GitError, isLoss } from '#git/errors.ts'
import type { Db } from '#kernel/db.ts'
import type { Log } from '#kernel/log.ts'
import { findRepoById } from './store.ts'

/**
 * What `work` reads of a repository's objects for something that is worth showing without it; `instead` where they do not tell. What the store
 * has lost of them is for the log; of a repository that was deleted meanwhile nothing was lost.
 */
export async function unlessLost<T>({ db, log }: { db: Db; log: Log }, repoId: number, work: () => Promise<T>, instead: T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (isLoss(error) && findRepoById(db, repoId)) log.error('page shown without objects that are missing from the repository', error, { repo: repoId })
    return instead
  }
}
