import { Backlog } from '#kernel/backlog.ts'
import type { Database, Tx } from '#kernel/db.ts'
import type { Tasks } from '#kernel/tasks.ts'
import { deleteRenaming, findFirstRenaming, insertRenaming, listRenamings, renameEnded, renameSome } from './rename-store.ts'
import { findLastPull } from './store.ts'

/** Pull requests that follow in one transaction: a few milliseconds. */
const SLICE = 300
const ALL = -1

/** Has pull requests follow branches to their new names. */
export class BranchRenames extends Backlog {
  constructor(context: { db: Database; tasks: Tasks }) {
    super(context, 'follow renamed branches', renameNext)
  }
}

/** Pull requests follow a branch to its new name: in this transaction, unless they are very many. Until all have, they are read as if they had. */
export function followRename(renames: BranchRenames, tx: Tx, repoId: number, from: string, to: string): void {
  const renaming = { repo_id: repoId, from_name: from, to_name: to, last_issue_id: findLastPull(tx) }
  renameEnded(tx, renaming)
  if (renameSome(tx, renaming, SLICE) < SLICE) return
  insertRenaming(tx, renaming)
  renames.begin(tx)
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

/** @returns whether there may be more */
function renameNext(tx: Tx): boolean {
  const renaming = findFirstRenaming(tx)
  if (!renaming) return false
  if (renameSome(tx, renaming, SLICE) < SLICE) deleteRenaming(tx, renaming.id)
  return true
}
