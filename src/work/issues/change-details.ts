import type { Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { findMilestone, touchMilestone } from '#work/milestones/index.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import type { IssueRow } from './store.ts'

/** Moves an issue to a milestone of its repository, or out of its own with 0. @throws NotFound for one that is not there */
export function setMilestone(tx: Tx, deed: Deed, issue: IssueRow, asked: number): IssueRow {
  const milestoneId = asked === 0 ? null : findMilestone(tx, issue.repo_id, asked)?.id
  if (milestoneId === undefined) throw new NotFound(`milestone does not exist [id: ${asked}]`)
  // The issue may still reference a deleted milestone.
  const formerId = issue.milestone_id === null ? null : (findMilestone(tx, issue.repo_id, issue.milestone_id)?.id ?? null)
  if (milestoneId === formerId) return issue
  const changed = change(tx, deed, issue, { milestone_id: milestoneId })
  for (const id of [formerId, milestoneId]) if (id !== null) touchMilestone(tx, id, deed.at)
  addEntry(tx, deed, issue, 'milestone', { milestone_id: milestoneId, old_milestone_id: formerId })
  announce(tx, deed, changed, milestoneId === null ? 'demilestoned' : 'milestoned', {
    milestoneId: milestoneId ?? undefined,
    formerMilestoneId: formerId ?? undefined,
  })
  return changed
}

/** @param due Unix seconds; null for no date */
export function setDueDate(tx: Tx, deed: Deed, issue: IssueRow, due: number | null): IssueRow {
  if (issue.due_at === due) return issue
  const changed = change(tx, deed, issue, { due_at: due })
  const [before, after] = [dayOf(issue.due_at), dayOf(due)]
  const type = issue.due_at === null ? 'added_deadline' : due === null ? 'removed_deadline' : 'modified_deadline'
  addEntry(tx, deed, issue, type, { body: type === 'modified_deadline' ? `${after}|${before}` : after || before })
  announce(tx, deed, changed, 'deadline_changed')
  return changed
}

function dayOf(seconds: number | null): string {
  return seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function setRef(tx: Tx, deed: Deed, issue: IssueRow, ref: string): IssueRow {
  if (issue.ref === ref) return issue
  const changed = change(tx, deed, issue, { ref })
  addEntry(tx, deed, issue, 'change_issue_ref', { old_text: issue.ref, new_text: ref })
  announce(tx, deed, changed, 'edited', { former: { ref: issue.ref } })
  return changed
}
