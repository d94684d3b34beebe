import { accessStore, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { endOfDay, secondsOf } from '#kernel/schema.ts'
import { addAssignees, findAssignees, removeAssignees } from './change-assignees.ts'
import { setDueDate } from './change-details.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import { requireWriter } from './rules.ts'
import { findIssueById, type IssueRow } from './store.ts'

/** Does something to an issue, in one transaction, as somebody who may write there. @throws Forbidden; NotFound when it went meanwhile */
function plan(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, work: (tx: Tx, deed: Deed, issue: IssueRow) => void): IssueRow {
  const doer = requireWriter(viewer, repo, seen, 'Not repo writer')
  return context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    if (!issue) throw new NotFound()
    work(tx, { context, doer, repo, at: context.clock.seconds() }, issue)
    return findIssueById(tx, seen.id) as IssueRow
  })
}

/** Adds to the assignees. @throws Unprocessable for who cannot be one */
export function assign(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, names: readonly string[]): IssueRow {
  return plan(context, viewer, repo, issue, (tx, deed, row) => addAssignees(tx, deed, row, findAssignees(tx, deed, names)))
}

/** Who is not assigned is no mistake. */
export function unassign(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, names: readonly string[]): IssueRow {
  return plan(context, viewer, repo, issue, (tx, deed, row) => {
    const ids = names.flatMap((name) => accessStore.findUserByName(tx, name)?.id ?? [])
    removeAssignees(tx, deed, row, ids)
  })
}

/** @param date RFC 3339: the end of its day, in its own zone; absent or Go's zero time for none */
export function setDeadline(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, date: string | undefined): IssueRow {
  const due = secondsOf(date) === undefined ? undefined : secondsOf(endOfDay(date as string))
  return plan(context, viewer, repo, issue, (tx, deed, row) => void setDueDate(tx, deed, row, due ?? null))
}

/** Leaves the conversation to those who may write; once more changes nothing. */
export function setLock(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, isLocked: boolean, reason = ''): IssueRow {
  return plan(context, viewer, repo, issue, (tx, deed, row) => {
    if ((row.is_locked === 1) === isLocked) return
    change(tx, deed, row, { is_locked: Number(isLocked) })
    addEntry(tx, deed, row, isLocked ? 'lock' : 'unlock', { body: reason.trim() })
    announce(tx, deed, row, isLocked ? 'locked' : 'unlocked')
  })
}
