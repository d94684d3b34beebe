import { type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { addEntry, announce } from './deed.ts'
import { listPinned, orderPins, unpinRow } from './pin-store.ts'
import { findIssueById, type IssueRow } from './store.ts'

/** Whether another of its kind may be pinned. */
export function isPinAllowed({ db, config }: Pick<Context, 'db' | 'config'>, { row }: RepoAccess, isPull: number): boolean {
  return listPinned(db, row.id, isPull).length < config['repository.issue'].MAX_PINNED
}

/** Puts an issue after those that are pinned. @throws Conflict when it is, Unprocessable when too many are */
export function pinIssue(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow): void {
  const { user: doer } = requireUser(viewer)
  context.db.tx((tx) => {
    const issue = reread(tx, seen)
    if (issue.pin_order > 0) throw new Conflict('the issue is already pinned')
    const pinned = listPinned(tx, issue.repo_id, issue.is_pull)
    const most = context.config['repository.issue'].MAX_PINNED
    if (pinned.length >= most) throw new Unprocessable(`cannot pin more than ${most} ${issue.is_pull === 1 ? 'pull requests' : 'issues'}`)
    orderPins(tx, [...pinned.map(({ id }) => id), issue.id])
    const deed = { context, doer, repo, at: context.clock.seconds() }
    addEntry(tx, deed, issue, 'pin')
    announce(tx, deed, issue, 'pinned')
  })
}

/** One that is not pinned stays so. */
export function unpinIssue(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow): void {
  const { user: doer } = requireUser(viewer)
  context.db.tx((tx) => {
    const issue = reread(tx, seen)
    if (issue.pin_order === 0) return
    unpinRow(tx, issue.id)
    closePinGap(tx, issue)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    addEntry(tx, deed, issue, 'unpin')
    announce(tx, deed, issue, 'unpinned')
  })
}

/** Numbers those that are left from 1 on, once a pinned issue is no longer among them. */
export function closePinGap(tx: Tx, left: IssueRow): void {
  if (left.pin_order === 0) return
  const ids = listPinned(tx, left.repo_id, left.is_pull).map(({ id }) => id)
  orderPins(tx, ids)
}

/** @throws NotFound for one that is not pinned; Unprocessable for a place that there is not */
export function movePin({ db }: Pick<Context, 'db'>, seen: IssueRow, position: number): void {
  db.tx((tx) => {
    const issue = reread(tx, seen)
    if (issue.pin_order === 0) throw new NotFound('the issue is not pinned')
    const ids = listPinned(tx, issue.repo_id, issue.is_pull).map(({ id }) => id)
    if (position < 1 || position > ids.length) throw new Unprocessable(`the position must be from 1 to ${ids.length}`)
    const others = ids.filter((id) => id !== issue.id)
    orderPins(tx, others.toSpliced(position - 1, 0, issue.id))
  })
}

function reread(tx: Tx, { id }: IssueRow): IssueRow {
  const issue = findIssueById(tx, id)
  if (!issue) throw new NotFound()
  return issue
}
