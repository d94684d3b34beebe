import { type Static, t } from 'elysia'
import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { mendable } from '#web/index.ts'
import {
  addLabels,
  assign,
  editIssue,
  findIssue,
  findIssueById,
  type IssueRow,
  listUsableLabels,
  removeLabel,
  requireWriter,
  unassign,
} from '#work/issues/index.ts'
import type { Kind } from './list-place.ts'

/** As many are changed by one form. */
export const MAX_CHOSEN = 100
const ids = (maxItems: number) => t.Optional(t.Array(t.Integer({ minimum: 1 }), { maxItems }))
const names = t.Optional(t.Array(t.String({ maxLength: 255 }), { maxItems: 100 }))

export const BulkForm = t.Object({
  issues: ids(MAX_CHOSEN),
  action: t.Optional(t.Union([t.Literal('close'), t.Literal('reopen'), t.Literal('')])),
  labels: ids(200),
  labels_removed: ids(200),
  /** 0 takes it out of the one that it is in; absent leaves it there. */
  milestone: t.Optional(t.Integer({ minimum: -1 })),
  assignees: names,
  assignees_removed: names,
  q: t.Optional(t.String({ maxLength: 1000 })),
  state: t.Optional(t.String({ maxLength: 20 })),
})
export type BulkForm = Static<typeof BulkForm>

/** Says of a milestone that it stays as it is. */
export const SAME = -1

/** Which of a repository's issues or pull requests a form means, in their order; those that are not there are passed over. */
export function findChosen({ db }: Pick<Context, 'db'>, repo: RepoAccess, kind: Kind, numbers: readonly number[]): IssueRow[] {
  const isPull = kind === 'pulls' ? 1 : 0
  return [...new Set(numbers)].slice(0, MAX_CHOSEN).flatMap((number) => {
    const issue = findIssue(db, repo.row.id, number)
    return issue?.is_pull === isPull ? [issue] : []
  })
}

interface Outcome {
  done: IssueRow[]
  /** Of the others: what keeps each of them, in words. */
  troubles: string[]
}

/** Does the same to several issues, each by itself, with others having their turn in between: what one of them cannot have done keeps no other from it. @throws Forbidden */
export async function changeChosen(context: Context, viewer: Viewer, repo: RepoAccess, kind: Kind, form: BulkForm): Promise<Outcome> {
  requireWriter(viewer, repo, { is_pull: kind === 'pulls' ? 1 : 0 })
  const outcome: Outcome = { done: [], troubles: [] }
  for (const issue of findChosen(context, repo, kind, form.issues ?? [])) {
    try {
      if (changeOne(context, viewer, repo, issue, form)) outcome.done.push(issue)
    } catch (error) {
      outcome.troubles.push(`#${issue.number}: ${mendable(error).message}`)
    }
    await context.db.rest()
  }
  return outcome
}

/** Whether a form closes or opens, and does nothing else. */
export function isStateAll({ action = '', labels, labels_removed, milestone = SAME, assignees, assignees_removed }: BulkForm): boolean {
  return action !== '' && milestone === SAME && [labels, labels_removed, assignees, assignees_removed].every((chosen) => !chosen?.length)
}

/** @returns whether there was anything to change */
function changeOne(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, form: BulkForm): boolean {
  const doer = requireWriter(viewer, repo, issue)
  return context.db.tx((tx) => {
    const seen = () => findIssueById(tx, issue.id) as IssueRow
    const state = form.action === 'close' ? 'closed' : form.action === 'reopen' ? 'open' : undefined
    if (isStateAll(form) && (seen().is_closed === 1) === (state === 'closed')) return false
    const milestone = form.milestone === undefined || form.milestone === SAME ? {} : { milestone: form.milestone }
    editIssue(context, viewer, repo, issue, { ...milestone, ...(state === undefined ? {} : { state }) })
    if (form.assignees?.length) assign(context, viewer, repo, issue, form.assignees)
    if (form.assignees_removed?.length) unassign(context, viewer, repo, issue, form.assignees_removed)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    const labelsOf = (chosen: readonly number[] = []) => (chosen.length === 0 ? [] : listUsableLabels(tx, repo.row.id, repo.owner.id, chosen))
    for (const label of labelsOf(form.labels_removed)) removeLabel(tx, deed, seen(), label)
    const added = labelsOf(form.labels)
    if (added.length > 0) addLabels(tx, deed, seen(), added)
    return true
  })
}
