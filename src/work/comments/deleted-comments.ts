import { type RepoAccess, refuseArchived, refuseBlocked, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import {
  type DeletionRow,
  findContent,
  findDeletion,
  listDeletions,
  parseDeletionKey,
  removeForGood,
  restorableSince,
  restorableUntil,
  restoreAlone,
} from '#repositories/deletions/index.ts'
import { announceComment, type CommentRow, findEntry, type IssueRow, indexComment, isRepoAdmin, isWriter, refuseLocked } from '#work/issues/index.ts'

const MOST_SHOWN = 100

/** Where it was deleted, and by whom it is asked for. */
interface Place {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
}

/** A comment that is not there any more, and what the viewer can do about that. Its words are told to nobody. */
export interface DeletedComment {
  /** Of the deletion. */
  id: number
  commentId: number
  /** Names; null for who is gone. */
  author: string | null
  by: string | null
  /** In Unix seconds. */
  writtenAt: number
  deletedAt: number
  until: number
  mayRestore: boolean
  mayForget: boolean
}

/** Those of an issue that the viewer wrote, deleted or may moderate, in the order in which they stood there. */
export function listDeletedComments(context: Pick<Context, 'config' | 'clock' | 'db'>, place: Place): DeletedComment[] {
  const { viewer, repo, issue } = place
  if (!viewer.user || issue.deleted_comment_count === 0) return []
  const found = listDeletions(context.db, 'comment', { kind: 'issue', id: issue.id }, restorableSince(context), MOST_SHOWN)
  return found
    .filter((one) => isConcerned(viewer, one) || isWriter(repo, issue))
    .map((one) => ({
      id: one.id,
      commentId: one.row_id,
      author: one.author,
      by: one.by,
      writtenAt: (JSON.parse(one.content) as CommentRow).created_at,
      deletedAt: one.deleted_at,
      until: restorableUntil(context, one),
      mayRestore: repo.row.archived_at === null && mayRestore(place, one),
      mayForget: mayForget(place, one),
    }))
    .sort((a, b) => a.writtenAt - b.writtenAt || a.id - b.id)
}

function isConcerned({ user }: Viewer, { author_id, deleted_by }: DeletionRow): boolean {
  return user !== undefined && (author_id === user.id || deleted_by === user.id)
}

/** Who wrote it can have back what they deleted themselves, and what others deleted only who may write there. */
function mayRestore({ viewer: { user }, repo, issue }: Place, { author_id, deleted_by }: DeletionRow): boolean {
  if (isWriter(repo, issue)) return true
  return issue.is_locked === 0 && user !== undefined && author_id === user.id && deleted_by === user.id
}

function mayForget({ viewer: { user }, repo }: Place, { author_id }: DeletionRow): boolean {
  return user !== undefined && (author_id === user.id || isRepoAdmin(repo))
}

/**
 * The comment is there again with all that belonged to it; so it may be already. Nobody is notified a second time.
 * @returns its id
 * @throws NotFound when it is gone for good, also for whom it does not concern; Forbidden for who may not bring it back or could not comment
 * there now; Locked in an archived repository; Conflict when what it was on is gone
 */
export function restoreComment(context: Context, place: Place, key: string): number {
  const { viewer, repo, issue } = place
  const { user: doer } = requireUser(viewer)
  refuseArchived(repo)
  refuseLocked(repo, issue)
  return context.db.tx((tx) => {
    const { id, rowId } = parseDeletionKey(key)
    if (findEntry(tx, issue.repo_id, rowId)?.issue_id === issue.id) return rowId
    const deletion = getDeletion(context, tx, place, id)
    if (!mayRestore(place, deletion)) throw new Forbidden('Only those who may write here bring back what others deleted.')
    for (const by of [repo.owner.id, issue.poster_id]) if (by !== null) refuseBlocked(tx, by, doer.id)
    const before = findContent(tx, deletion) as unknown as CommentRow
    const comment = restoreAlone(tx, context, deletion) ? findEntry(tx, issue.repo_id, deletion.row_id) : undefined
    if (!comment || (before.review_id !== null && comment.review_id === null)) throw new Conflict('What this comment belonged to has been deleted since.')
    if (comment.type === 'comment') indexComment(tx, comment)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    announceComment(tx, deed, issue, 'restored', { commentId: comment.id, body: comment.body })
    return comment.id
  })
}

/** What is kept of a deleted comment goes for good, now. @throws NotFound; Forbidden for others than its author and administrators */
export function forgetComment(context: Pick<Context, 'config' | 'clock' | 'db' | 'services'>, place: Place, id: string): void {
  requireUser(place.viewer)
  context.db.tx((tx) => {
    const deletion = getDeletion(context, tx, place, rowIdIn(id))
    if (!mayForget(place, deletion)) throw new Forbidden('Only its author and administrators of the repository do this.')
    removeForGood(context, tx, deletion)
  })
}

/** @throws NotFound, also for whom it does not concern */
function getDeletion(context: Pick<Context, 'config' | 'clock'>, db: Db, { viewer, repo, issue }: Place, id: number): DeletionRow {
  const found = findDeletion(db, 'comment', { kind: 'issue', id: issue.id }, id, restorableSince(context))
  if (!found || !(isConcerned(viewer, found) || isWriter(repo, issue))) throw new NotFound()
  return found
}
