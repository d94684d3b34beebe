import type { RepoRow, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import { hasRefs } from '#repositories/refs/index.ts'
import { removeDirectories } from './remove-directories.ts'
import { insertRemoved } from './store.ts'

export interface RepoDeletion {
  /** Who deletes it, for the event. */
  actor: Pick<UserRow, 'id'>
  owner: UserRow
  repo: RepoRow
}

/**
 * Deletes a repository, unless somebody was faster. Its row alone goes at once, and with that nobody sees anything of it; the first rows that
 * belonged to it follow before this returns, the others, its refs and its directory in the background.
 */
export function deleteRepo(context: Context, { actor, owner, repo }: RepoDeletion): void {
  context.db.txLeavingRows((tx) => {
    for (const guard of context.services.get(RefHooks).guards) guard.leave?.(context, tx, repo, actor.id)
    if (!deleteRow(context, tx, 'repository', repo.id)) return
    insertRemoved(tx, repo.id, context.clock.seconds())
    context.events.record(tx, { type: 'repository', action: 'deleted', actorId: actor.id, repoId: repo.id, fullName: `${owner.name}/${repo.name}` })
    tx.onCommit(() => void removeDirectories(context))
  })
}

/**
 * Takes back a repository that was made for content which did not come. It stays when somebody else has filled it meanwhile, or is
 * about to: no ref goes that was acknowledged.
 */
export function undoCreation(context: Context, { actor, owner, repo }: RepoDeletion): void {
  const leave = context.pushes.tryExclude(repo.id)
  if (!leave) return
  try {
    context.db.tx((tx) => {
      if (!hasRefs(tx, repo.id)) deleteRepo(context, { actor, owner, repo })
    })
  } finally {
    leave()
  }
}
