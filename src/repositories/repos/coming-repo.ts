import type { Context } from '#context.ts'
import { ComingRepos, removeDirectories } from './remove-directories.ts'
import { findRepoId, insertRemoved, reserveRepoId } from './store.ts'

/** The number of a repository that is about to be made. */
export interface ComingRepo extends Disposable {
  readonly id: number
}

/**
 * Keeps a number for a repository, so that very many rows of it can be written a few at a time: nobody sees them until `createRepo` is given
 * the number. What is not made by the time it is disposed of is removed like a deleted repository, after a crash by the next start.
 */
export function awaitRepo(context: Context): ComingRepo {
  const { ids } = context.services.get(ComingRepos)
  const id = context.db.tx((tx) => {
    const reserved = reserveRepoId(tx)
    insertRemoved(tx, reserved, context.clock.seconds())
    return reserved
  })
  ids.add(id)
  return {
    id,
    [Symbol.dispose]() {
      ids.delete(id)
      if (!findRepoId(context.db, id)) void removeDirectories(context)
    },
  }
}
