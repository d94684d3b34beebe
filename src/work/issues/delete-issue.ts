import { type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import { announce } from './deed.ts'
import { closePinGap } from './pin-issues.ts'
import { findIssueById, type IssueRow } from './store.ts'

/** Deletes an issue and all that hangs on it, unless somebody was faster; its number is never given out again. */
export function deleteIssue(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow): void {
  const { user: doer } = requireUser(viewer)
  context.db.txLeavingRows((tx) => {
    const now = findIssueById(tx, issue.id)
    if (!now) return
    deleteRow(context, tx, 'issue', issue.id)
    closePinGap(tx, now)
    announce(tx, { context, doer, repo, at: context.clock.seconds() }, issue, 'deleted')
  })
}
