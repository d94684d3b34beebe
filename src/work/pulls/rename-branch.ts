import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { renameEnded } from './ended-store.ts'
import { deleteRenaming, findFirstRenaming, insertRenaming, listRenamings, renameSome } from './rename-store.ts'
import { findLastPull } from './store.ts'

/** Pull requests that follow at a time: a few milliseconds. */
const SLICE = 300
const ALL = -1

/** Works through the list of renamed branches: whoever reads pull requests reads that list, too. */
export const renameInPulls = defineJob({
  kind: 'pulls.rename',
  title: 'Have pull requests follow branches to their new names',
  slice(tx, _: Record<string, never>, renamed: number | undefined) {
    const renaming = findFirstRenaming(tx)
    if (!renaming) return done
    const now = renameSome(tx, renaming, SLICE)
    if (now < SLICE) deleteRenaming(tx, renaming.id)
    return (renamed ?? 0) + now
  },
})

/** Pull requests follow a branch to its new name: in this transaction, unless they are very many. Until all have, they are read as if they had. */
export function followRename({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number, from: string, to: string): void {
  const renaming = { repo_id: repoId, from_name: from, to_name: to, last_issue_id: findLastPull(tx) }
  renameEnded(tx, repoId, from, to)
  if (renameSome(tx, renaming, SLICE) < SLICE) return
  insertRenaming(tx, renaming)
  jobs.enqueue(tx, renameInPulls, {}, { key: 'all' })
}

/** For whoever finds pull requests by the names of branches, and does something by it: the rest follows at once. */
export function finishRenames(tx: Tx, ...repoIds: (number | null)[]): void {
  for (const repoId of repoIds) {
    for (const renaming of repoId === null ? [] : listRenamings(tx, repoId)) {
      renameSome(tx, renaming, ALL)
      deleteRenaming(tx, renaming.id)
    }
  }
}
