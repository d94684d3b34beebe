import { findVisibleRepo, type RepoAccess, refuseArchived, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { isCandidate } from '#repositories/collaborators/index.ts'
import { moveAttachments } from '#work/attachments/index.ts'
import { findMilestone, findNamedMilestone } from '#work/milestones/index.ts'
import { announce } from './deed.ts'
import { letFollow } from './follow-moved.ts'
import { clearIssueLabels, insertIssueLabel, listLabelsNamed, listLabelsOf } from './label-store.ts'
import { closePinGap } from './pin-issues.ts'
import { isWriter } from './rules.ts'
import { indexIssue } from './search-index-store.ts'
import { deleteAssignee, findIssueById, type IssueRow, insertRedirect, listAssigneeIds, takeNumber, updateIssue } from './store.ts'

/**
 * Moves an issue, with its conversation, to another repository; its old number leads there. Labels and its milestone become those of
 * the same names there, if any; who cannot be assigned there no longer is.
 * @throws NotFound where the viewer sees no repository; Forbidden for who may not write in both; Unprocessable for pull requests, and from
 * a private repository to one that more people see
 */
export function moveIssue(
  context: Context,
  viewer: Viewer,
  from: RepoAccess,
  seen: IssueRow,
  to: { owner: string; repo: string },
): { repo: RepoAccess; issue: IssueRow } {
  const { user: doer } = requireUser(viewer)
  const target = findVisibleRepo(context.db, viewer, to.owner, to.repo)
  if (!target) throw new NotFound()
  if (!isWriter(from, seen) || !isWriter(target, seen)) throw new Forbidden('write permission is required in both repositories')
  for (const repo of [from, target]) refuseArchived(repo)
  if (seen.is_pull === 1) throw new Unprocessable('pull requests cannot be moved')
  if (target.row.id === from.row.id) throw new Unprocessable('the issue is already in this repository')
  if (secrecyOf(target) < secrecyOf(from)) throw new Unprocessable('cannot move the issue to a repository that more people can read')
  return context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    if (!issue || issue.repo_id !== from.row.id) throw new NotFound()
    const number = takeNumber(tx, target.row.id)
    insertRedirect(tx, issue.repo_id, issue.number, issue.id)
    moveLabels(tx, issue, target)
    dropAssignees(tx, issue, target)
    updateIssue(tx, issue.id, {
      repo_id: target.row.id,
      number,
      milestone_id: milestoneThere(tx, issue, target),
      pin_order: 0,
      updated_at: context.clock.seconds(),
    })
    closePinGap(tx, issue)
    moveAttachments(tx, issue.id, target.row.id)
    letFollow(context, tx, issue.id, issue.repo_id)
    const moved = findIssueById(tx, issue.id) as IssueRow
    indexIssue(tx, moved)
    const deed = { context, doer, repo: target, at: context.clock.seconds() }
    announce(tx, deed, moved, 'moved', { formerRepoId: issue.repo_id, formerNumber: issue.number })
    return { repo: target, issue: moved }
  })
}

/** The higher, the fewer see a repository: it may be private itself, or whoever owns it be concealed. */
function secrecyOf({ row, owner }: RepoAccess): number {
  return row.is_private === 1 ? 3 : { public: 0, limited: 1, private: 2 }[owner.visibility]
}

function moveLabels(tx: Tx, issue: IssueRow, { row, owner }: RepoAccess): void {
  const before = listLabelsOf(tx, issue.id)
  const there = listLabelsNamed(
    tx,
    row.id,
    owner.id,
    before.map(({ name }) => name),
  )
  clearIssueLabels(tx, issue.id)
  for (const name of new Set(there.map((label) => label.name))) insertIssueLabel(tx, issue.id, there.find((label) => label.name === name)?.id ?? 0)
}

function dropAssignees(tx: Tx, issue: IssueRow, repo: RepoAccess): void {
  for (const id of listAssigneeIds(tx, issue.id)) if (!isCandidate(tx, id, repo, 'issues')) deleteAssignee(tx, issue.id, id)
}

function milestoneThere(tx: Tx, issue: IssueRow, { row }: RepoAccess): number | null {
  const before = issue.milestone_id === null ? undefined : findMilestone(tx, issue.repo_id, issue.milestone_id)
  return (before && findNamedMilestone(tx, row.id, before.title)?.id) ?? null
}
