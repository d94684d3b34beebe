import { type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import { deleteBranch } from '#code/branches/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { Conflict, Forbidden, Unprocessable } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import { addEntry, type IssueRow } from '#work/issues/index.ts'
import { getPullRow } from './find-pull.ts'
import { mayDelete } from './merge-pull.ts'

/**
 * Takes the branch of a pull request away that is merged or closed; others that went into it go where it went.
 * @throws Unprocessable while it is open; Forbidden for a fork's branch, one that others need, and who may not delete it; NotFound; Conflict
 */
export function deleteHeadOf(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow): void {
  const { user } = requireUser(viewer)
  const pull = getPullRow(context.db, issue)
  if (issue.is_closed === 0) throw new Unprocessable('The pull request is still open. Merge or close it before you delete its branch.')
  const isOwn = pull.head_repo_id === pull.repo_id && pull.flow === 0
  if (!isOwn || !mayDelete(context.db, repo, pull))
    throw new Forbidden(`Cannot delete the branch "${pull.head_branch}": you lack permission, or another pull request uses it.`)
  if (findRef(context.db, repo.row.id, HEADS + pull.head_branch)?.oid !== pull.head_oid)
    throw new Conflict(`Cannot delete the branch "${pull.head_branch}": it has changed since the pull request was closed.`)
  context.db.tx((tx) => {
    deleteBranch(context, user, repo, pull.head_branch)
    addEntry(tx, { context, doer: user, repo, at: context.clock.seconds() }, issue, 'delete_branch', { old_text: pull.head_branch })
  })
}
