import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { findRef, updateRefs } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import { hasOpenDependencies } from './dependency-store.ts'
import { PullReopening } from './hooks.ts'
import type { IssueRow } from './store.ts'

/**
 * Closes or opens an issue; one that is so already stays as it is. @param commitOid the commit that does it
 * @throws Problem 412 while it depends on open ones, and on a merged pull request; as `PullReopening` does on one that cannot be opened again
 */
export function setState(tx: Tx, deed: Deed, issue: IssueRow, state: 'open' | 'closed', commitOid?: string): IssueRow {
  if ((issue.is_closed === 1) === (state === 'closed')) return issue
  if (issue.merged_at !== null) throw new Problem(412, 'cannot change state of this pull request, it was already merged')
  if (state === 'closed') refuseOpenDependencies(tx, deed, issue)
  else if (issue.is_pull === 1) reopenPull(tx, deed, issue)
  const columns = state === 'closed' ? { is_closed: 1, closed_at: deed.at, closed_by: deed.doer.id } : { is_closed: 0, closed_at: null }
  const changed = change(tx, deed, issue, columns)
  const entryId = addEntry(tx, deed, issue, state === 'closed' ? 'close' : 'reopen', { commit_oid: commitOid ?? '' })
  announce(tx, deed, changed, state === 'closed' ? 'closed' : 'reopened', { commitOid, entryId })
  return changed
}

function refuseOpenDependencies(tx: Tx, { repo }: Deed, issue: IssueRow): void {
  if (!settingsOf(repo.row).internal_tracker.enable_issue_dependencies || !hasOpenDependencies(tx, issue.id)) return
  throw new Problem(412, 'cannot close this issue or pull request because it still has open dependencies')
}

function reopenPull(tx: Tx, { context, doer, at }: Deed, issue: IssueRow): void {
  const tipOf = (repoId: number, name: string) => findRef(tx, repoId, name)?.oid
  const updates = context.services.get(PullReopening).reopen(tx, issue, { actorId: doer.id, at, tipOf })
  if (updates.length > 0) updateRefs(context, tx, { repoId: issue.repo_id, actorId: doer.id, message: 'pull request', updates, isOwn: true })
}
