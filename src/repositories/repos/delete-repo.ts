import type { RepoRow, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { removeDirectories } from './remove-directories.ts'
import { deleteRepoRow } from './store.ts'

export interface RepoDeletion {
  /** Who deletes it, for the event. */
  actor: Pick<UserRow, 'id'>
  owner: UserRow
  repo: RepoRow
}

/** Deletes a repository, unless somebody was faster. Once its row is durably gone its directory follows, in the background. */
export function deleteRepo(context: Context, { actor, owner, repo }: RepoDeletion): void {
  context.db.tx((tx) => {
    if (!deleteRepoRow(tx, repo.id, context.clock.seconds())) return
    context.events.record(tx, { type: 'repository', action: 'deleted', actorId: actor.id, repoId: repo.id, fullName: `${owner.name}/${repo.name}` })
    tx.onCommit(() => void removeDirectories(context))
  })
}
