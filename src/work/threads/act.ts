import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, Forbidden } from '#kernel/errors.ts'
import { getComment } from '#work/comments/index.ts'
import {
  deleteIssue,
  editIssue,
  findIssueById,
  type IssueRow,
  isRepoAdmin,
  listUsableLabels,
  pinIssue,
  putSubscription,
  replaceLabels,
  requireWriter,
  setLock,
  unpinIssue,
} from '#work/issues/index.ts'
import { react, unreact } from '#work/reactions/index.ts'
import type { PlanForm, ReactionForm } from './forms.ts'

/** On which issue somebody does something. */
export interface Place {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
}

/** Labels, milestone, assignees and due date as one form has them: what is not ticked is taken away. @throws Forbidden, Unprocessable */
export function setPlan(context: Context, { viewer, repo, issue }: Place, form: PlanForm): void {
  const doer = requireWriter(viewer, repo, issue)
  const due = form.due ? { due_date: `${form.due}T00:00:00Z` } : { unset_due_date: true }
  context.db.tx((tx) => {
    editIssue(context, viewer, repo, issue, { milestone: form.milestone ?? 0, assignees: form.assignees ?? [], ...due })
    const labels = listUsableLabels(tx, repo.row.id, repo.owner.id, form.labels ?? [])
    replaceLabels(tx, { context, doer, repo, at: context.clock.seconds() }, findIssueById(tx, issue.id) as IssueRow, labels)
  })
}

/** @param commentId of a comment on this issue; absent for the issue's own text */
export function setReaction(
  context: Pick<Context, 'config' | 'db' | 'clock'>,
  { viewer, repo, issue }: Place,
  commentId: string | undefined,
  form: ReactionForm,
): void {
  const comment = commentId === undefined ? undefined : getComment(context, viewer, repo, commentId).comment
  const target = { issueId: issue.id, commentId: comment?.id ?? null }
  const spot = { viewer, repo, issue, target, posterId: (comment ?? issue).poster_id }
  if (form.unreact !== undefined) unreact(context, spot, form.unreact)
  else react(context, spot, form.react)
}

export function setSubscription({ db, clock }: Pick<Context, 'db' | 'clock'>, userId: number, issue: IssueRow, isOn: boolean): void {
  db.tx((tx) => putSubscription(tx, issue.id, userId, isOn, clock.seconds()))
}

/** What administrators of the repository do to an issue. @returns whether it is still there. @throws Forbidden, BadRequest */
export function administer(context: Context, { viewer, repo, issue }: Place, action: string | undefined): boolean {
  if (!isRepoAdmin(repo)) throw new Forbidden('Only repository administrators can do this.')
  if (action === 'lock' || action === 'unlock') setLock(context, viewer, repo, issue, action === 'lock')
  else if (action === 'pin') pinIssue(context, viewer, repo, issue)
  else if (action === 'unpin') unpinIssue(context, viewer, repo, issue)
  else if (action === 'delete') deleteIssue(context, viewer, repo, issue)
  else throw new BadRequest(`Unknown action “${action ?? ''}”.`)
  return action !== 'delete'
}
