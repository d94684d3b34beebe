import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { BadRequest, NotFound, Unprocessable } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import {
  change,
  clearLabels,
  type Deed,
  dateOf,
  findIssueById,
  type IssueRow,
  listLabelsNamed,
  listUsableLabels,
  removeLabel,
  requireWriter,
} from '#work/issues/index.ts'

/** Who changes the labels of which issue, as the gate found them. */
export interface Place {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
}

/** Does something to an issue's labels in one transaction. @throws Forbidden for who may not write, and for a date that is not theirs to set */
export function relabel(
  context: Context,
  { viewer, repo, issue: seen }: Place,
  updatedAt: string | undefined,
  work: (tx: Tx, deed: Deed, issue: IssueRow) => void,
) {
  const doer = requireWriter(viewer, repo, seen)
  const at = dateOf(context, viewer, repo, seen, updatedAt)
  context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    if (!issue) throw new NotFound()
    const deed = { context, doer, repo, at }
    work(tx, deed, issue)
    if (updatedAt !== undefined) change(tx, deed, issue)
  })
}

/** The labels that a body names by id or by name; what is not there is passed over, as in Gitea. @throws BadRequest for both mixed, and anything else */
export function findLabels(db: Db, { row, owner }: RepoAccess, asked: readonly unknown[] = []): LabelRow[] {
  if (asked.every((one) => typeof one === 'number' && Number.isSafeInteger(one))) return listUsableLabels(db, row.id, owner.id, asked as number[])
  if (!asked.every((one) => typeof one === 'string')) throw new BadRequest('labels should be an array of strings or integers')
  const named = listLabelsNamed(db, row.id, owner.id, asked)
  return [...new Set(asked)].flatMap((name) => named.find((label) => label.name === name) ?? [])
}

/** @throws Unprocessable when the repository's issues can have no such label */
export function removeOne(context: Context, place: Place, id: string, updatedAt: string | undefined): void {
  relabel(context, place, updatedAt, (tx, deed, issue) => {
    const label = listUsableLabels(tx, place.repo.row.id, place.repo.owner.id, [rowIdIn(id)])[0]
    if (!label) throw new Unprocessable(`label does not exist [label_id: ${id.slice(0, 20)}]`)
    removeLabel(tx, deed, issue, label)
  })
}

export function removeAll(context: Context, place: Place, updatedAt: string | undefined): void {
  relabel(context, place, updatedAt, clearLabels)
}
