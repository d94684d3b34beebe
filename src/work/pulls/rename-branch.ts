import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { renameEnded } from './ended-store.ts'
import { deleteRenaming, findFirstRenaming, insertRenaming, listRenamings, renameSome } from './rename-store.ts'
import { findLastPull } from './store.ts'

/** Pull requests that one step changes. */
const SLICE = 300
const ALL = -1

/** Processes the table `renaming_branch`, which the view `named_pull` reads, too. The cursor is the number of pull requests that were changed. */
export const followRenamedBranch = defineJob({
  kind: 'pulls.followRenamedBranch',
  title: 'Update pull requests of renamed branches',
  step(tx, _: Record<string, never>, renamed: number | undefined) {
    const renaming = findFirstRenaming(tx)
    if (!renaming) return done
    const now = renameSome(tx, renaming, SLICE)
    if (now < SLICE) deleteRenaming(tx, renaming.id)
    return (renamed ?? 0) + now
  },
})

/** Updates the pull requests of a renamed branch: in this transaction, or in a job if there are many. The view `named_pull` shows the new name at once. */
export function followRename({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number, from: string, to: string): void {
  const renaming = { repo_id: repoId, from_name: from, to_name: to, last_issue_id: findLastPull(tx) }
  renameEnded(tx, repoId, from, to)
  if (renameSome(tx, renaming, SLICE) < SLICE) return
  insertRenaming(tx, renaming)
  jobs.enqueue(tx, followRenamedBranch, {}, { key: 'all' })
}

/** Finishes the pending renames of these repositories. Call it before you search for pull requests by branch and change something. */
export function finishRenames(tx: Tx, ...repoIds: (number | null)[]): void {
  for (const repoId of repoIds) {
    for (const renaming of repoId === null ? [] : listRenamings(tx, repoId)) {
      renameSome(tx, renaming, ALL)
      deleteRenaming(tx, renaming.id)
    }
  }
}
