import type { RepoAccess, UserRow, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { BadRequest, Conflict, NotFound, Problem } from '#kernel/errors.ts'
import { endOfDay, secondsOf } from '#kernel/schema.ts'
import { findAssignees, replaceAssignees } from './change-assignees.ts'
import { setDueDate, setMilestone, setRef } from './change-details.ts'
import { setState } from './change-state.ts'
import { setText } from './change-text.ts'
import { dateOf } from './dates.ts'
import { change, type Deed } from './deed.ts'
import { isWriter, requirePosterOrWriter } from './rules.ts'
import type { EditIssueOption } from './schema.ts'
import { findIssueById, type IssueRow } from './store.ts'

/**
 * Changes what the body names, all of it or nothing; what only writers may change is passed over for the author.
 * @throws Forbidden for others than the author and writers, and on a date that is not theirs to set; Conflict when the text was changed
 * since `content_version`; NotFound for a milestone that is not there; BadRequest for `unset_due_date: false` alone; Problem 412 on a
 * state that cannot be
 */
export function editIssue(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, asked: EditIssueOption): IssueRow {
  const doer = requirePosterOrWriter(viewer, repo, seen, seen.poster_id)
  const at = dateOf(context, viewer, repo, seen, asked.updated_at)
  const state = parseState(asked.state)
  return context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    if (!issue) throw new NotFound()
    if (asked.content_version !== undefined && asked.content_version !== issue.content_version) throw new Conflict('the issue is already changed')
    const deed: Deed = { context, doer, repo, at, elsewhere: [viewer], isDated: asked.updated_at !== undefined }
    let edited = setText(tx, deed, issue, asked)
    if (asked.ref !== undefined) edited = setRef(tx, deed, edited, asked.ref)
    if (isWriter(repo, issue)) edited = editPlan(tx, deed, edited, asked, doer)
    if (state !== undefined) edited = setState(tx, deed, edited, state)
    return deed.isDated ? change(tx, deed, edited) : edited
  })
}

function editPlan(tx: Tx, deed: Deed, issue: IssueRow, asked: EditIssueOption, doer: UserRow): IssueRow {
  let edited = issue
  const due = dueDateOf(asked)
  if (due !== undefined) edited = setDueDate(tx, deed, edited, due)
  if (asked.milestone !== undefined) edited = setMilestone(tx, deed, edited, asked.milestone)
  if (asked.assignees !== undefined || asked.assignee) {
    const names = [...(asked.assignee ? [asked.assignee] : []), ...(asked.assignees ?? [])]
    replaceAssignees(tx, deed, edited, findAssignees(tx, { doer, repo: deed.repo }, names))
    edited = findIssueById(tx, edited.id) as IssueRow
  }
  return edited
}

/** Unix seconds; null for no date, undefined for the date it has. */
function dueDateOf({ due_date, unset_due_date }: EditIssueOption): number | null | undefined {
  if (due_date !== undefined && !unset_due_date) return secondsOf(due_date) === undefined ? null : secondsOf(endOfDay(due_date))
  if (unset_due_date === false) throw new BadRequest('The due_date cannot be empty')
  return unset_due_date ? null : undefined
}

function parseState(state: string | undefined): 'open' | 'closed' | undefined {
  if (state === undefined || state === '') return undefined
  if (state !== 'open' && state !== 'closed') throw new Problem(412, `unknown state: ${state}`)
  return state
}
