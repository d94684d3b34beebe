import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { hasRefs } from '#repositories/refs/index.ts'
import { type RepoDeletion, undoCreation } from './delete-repo.ts'
import { deleteUnfilled, insertUnfilled, listUnfilled } from './store.ts'

/** Repositories that this process is making together with their first content. */
class Filling {
  readonly ids = new Set<number>()
}

/** Notes, with the repository's row, that it is only to stay when its content comes. To be followed by `noteFilled`, or `undoCreation`. */
export function noteUnfilled(context: Pick<Context, 'services'>, tx: Tx, repoId: number, actorId: number): void {
  insertUnfilled(tx, repoId, actorId)
  context.services.get(Filling).ids.add(repoId)
}

/** To be called in the transaction in which the content lands. */
export function noteFilled(context: Pick<Context, 'services'>, tx: Tx, repoId: number): void {
  deleteUnfilled(tx, repoId)
  tx.onCommit(() => context.services.get(Filling).ids.delete(repoId))
}

/** `undoCreation` for who has a failure to tell already: that it could not be taken back is left to the next sweep. */
export function undoUnfilled(context: Context, deletion: RepoDeletion): void {
  context.services.get(Filling).ids.delete(deletion.repo.id)
  try {
    undoCreation(context, deletion)
  } catch (error) {
    context.disk.report(error)
    context.log.error('cannot take back a repository whose content did not come', error, { repo: deletion.repo.id })
  }
}

/** Takes back the repositories whose content did not come, because an earlier process died or the disk refused; those that others filled stay. */
export function sweepUnfilled(context: Context): void {
  const { ids } = context.services.get(Filling)
  for (const { id, actor_id: actorId } of listUnfilled(context.db)) {
    const repo = ids.has(id) ? undefined : accessStore.findRepoById(context.db, id)
    const owner = repo && accessStore.findUserById(context.db, repo.owner_id)
    if (!repo || !owner) continue
    if (hasRefs(context.db, id)) context.db.tx((tx) => deleteUnfilled(tx, id))
    else undoCreation(context, { actor: { id: actorId }, owner, repo })
  }
}
