import type { Context } from '#context.ts'
import { ComingRepos, removeDirectories } from './remove-directories.ts'
import { findRepoId, giveUpComing, insertComing, reserveRepoId } from './store.ts'

/** The number of a repository that is about to be made. */
export interface ComingRepo extends Disposable {
  readonly id: number
}

/**
 * Keeps a number for a repository, so that objects, or very many rows, can be written for it: nobody sees them until `createRepo` is given
 * the number. What is not made by the time it is disposed of is removed like a deleted repository, after a crash by the next start: without
 * that note, objects that no row knows are taken for those of a newer store, and kept.
 */
export function awaitRepo(context: Context): ComingRepo {
  const { ids } = context.services.get(ComingRepos)
  const id = context.db.tx((tx) => {
    const reserved = reserveRepoId(tx)
    insertComing(tx, reserved)
    return reserved
  })
  ids.add(id)
  return {
    id,
    [Symbol.dispose]() {
      ids.delete(id)
      if (findRepoId(context.db, id)) return
      giveUp(context, id)
    },
  }
}

/** Whoever failed to make it has that to tell; what cannot be noted now is found by the next sweep. */
function giveUp(context: Context, id: number): void {
  try {
    context.db.tx((tx) => giveUpComing(tx, id, context.clock.seconds()))
    void removeDirectories(context)
  } catch (error) {
    context.log.error('cannot clean up after a failed repository creation', error, { repo: id })
  }
}
