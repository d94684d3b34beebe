import { type RepoAccess, refuseArchived, refuseBlocked, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { secondsOf } from '#kernel/schema.ts'
import { findMilestone } from '#work/milestones/index.ts'
import { addAssignees, findAssignees } from './change-assignees.ts'
import { setMilestone } from './change-details.ts'
import { addLabels } from './change-labels.ts'
import { setState } from './change-state.ts'
import { trimTitle } from './change-text.ts'
import { announce, change, type Deed } from './deed.ts'
import { listUsableLabels } from './label-store.ts'
import { linkFrom } from './link-references.ts'
import { noteMentions } from './mentions.ts'
import { isWriter, requireReadable } from './rules.ts'
import type { CreateIssueOption } from './schema.ts'
import { indexIssue } from './search-index-store.ts'
import { findIssueById, type IssueRow, insertIssue, takeNumber } from './store.ts'

/**
 * Opens an issue. What only writers may set is passed over for others.
 * @throws Locked in an archived repository; NotFound where issues are off; Forbidden when the owner or an assignee blocked the author;
 * Unprocessable for an assignee who cannot be one
 */
export function createIssue(context: Context, viewer: Viewer, repo: RepoAccess, asked: CreateIssueOption): IssueRow {
  const { user: doer } = requireUser(viewer)
  requireReadable(repo, { is_pull: 0 })
  refuseArchived(repo)
  return context.db.tx((tx) => {
    refuseBlocked(tx, repo.owner.id, doer.id)
    const deed = { context, doer, repo, at: context.clock.seconds(), elsewhere: [viewer] }
    const mayPlan = isWriter(repo, { is_pull: 0 })
    const issue = open(tx, deed, { title: asked.title, body: asked.body ?? '', ref: asked.ref ?? '', is_pull: 0 })
    if (mayPlan) plan(tx, deed, issue, asked)
    if (asked.closed) setState(tx, deed, findIssueById(tx, issue.id) as IssueRow, 'closed')
    return findIssueById(tx, issue.id) as IssueRow
  })
}

/** The first row of an issue or pull request, with all that hangs on its text. */
export function open(tx: Tx, deed: Deed, text: Pick<IssueRow, 'title' | 'body' | 'ref' | 'is_pull'>): IssueRow {
  const { repo, doer, at } = deed
  const number = takeNumber(tx, repo.row.id)
  const id = insertIssue(tx, {
    repo_id: repo.row.id,
    number,
    poster_id: doer.id,
    created_at: at,
    updated_at: at,
    ...text,
    title: trimTitle(text.title),
  })
  const issue = findIssueById(tx, id) as IssueRow
  indexIssue(tx, issue)
  linkFrom(tx, deed, issue, { text: `${issue.title}\n${issue.body}` })
  announce(tx, deed, issue, 'opened', { mentioned: noteMentions(tx, deed, issue, issue.body) })
  return issue
}

type Plan = Pick<CreateIssueOption, 'assignee' | 'assignees' | 'milestone' | 'labels' | 'due_date'>

/** Labels of elsewhere and a milestone that is not there are passed over, as in Gitea. */
export function plan(tx: Tx, deed: Deed, issue: IssueRow, asked: Plan): void {
  const { repo } = deed
  addLabels(tx, deed, issue, listUsableLabels(tx, repo.row.id, repo.owner.id, asked.labels ?? []))
  if (asked.milestone && findMilestone(tx, repo.row.id, asked.milestone)) setMilestone(tx, deed, issue, asked.milestone)
  addAssignees(tx, deed, issue, findAssignees(tx, deed, [asked.assignee ?? '', ...(asked.assignees ?? [])]))
  const due = secondsOf(asked.due_date)
  if (due !== undefined) change(tx, deed, issue, { due_at: due })
}
