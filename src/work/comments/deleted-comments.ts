import { type RepoAccess, refuseArchived, refuseBlocked, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import {
  type DeletedRow,
  type DeletionKey,
  findDeleted,
  keyOf,
  listDeleted,
  parseDeletionKey,
  purge,
  restorableSince,
  restorableUntil,
  restore,
  writeDeletionKey,
} from '#repositories/deletions/index.ts'
import { announceComment, type CommentRow, findEntry, type IssueRow, indexComment, isRepoAdmin, isWriter, refuseLocked } from '#work/issues/index.ts'

const MOST_SHOWN = 100

/** The issue of a deleted comment, and the viewer. */
interface Place {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
}

type DeletedCommentRow = CommentRow & DeletedRow

/** A deleted comment, and what the viewer can do with it. Its text is shown to no one. */
export interface DeletedComment {
  id: number
  /** The value that its forms send. */
  key: string
  /** Usernames; null if the account no longer exists. */
  author: string | null
  by: string | null
  /** In Unix seconds. */
  writtenAt: number
  deletedAt: number
  until: number
  mayRestore: boolean
  mayForget: boolean
}

/** Lists the deleted comments of an issue that the viewer wrote, deleted or can moderate, in the order of the conversation. */
export function listDeletedComments(context: Pick<Context, 'config' | 'clock' | 'db'>, place: Place): DeletedComment[] {
  const { viewer, repo, issue } = place
  if (!viewer.user || issue.deleted_comment_count === 0) return []
  const found = listDeleted<CommentRow>(context.db, 'comment', { kind: 'issue', id: issue.id }, restorableSince(context), MOST_SHOWN)
  return found
    .filter((one) => isConcerned(viewer, one) || isWriter(repo, issue))
    .map((one) => ({
      id: one.id,
      key: writeDeletionKey(keyOf(one)),
      author: one.author,
      by: one.by,
      writtenAt: one.created_at,
      deletedAt: one.deleted_at,
      until: restorableUntil(context, one),
      mayRestore: repo.row.archived_at === null && mayRestore(place, one),
      mayForget: mayForget(place, one),
    }))
    .sort((a, b) => a.writtenAt - b.writtenAt || a.id - b.id)
}

function isConcerned({ user }: Viewer, { poster_id, deleted_by }: DeletedCommentRow): boolean {
  return user !== undefined && (poster_id === user.id || deleted_by === user.id)
}

/** The author can restore a comment that they deleted themselves. Users with write access can restore every comment. */
function mayRestore({ viewer: { user }, repo, issue }: Place, { poster_id, deleted_by }: DeletedCommentRow): boolean {
  if (isWriter(repo, issue)) return true
  return issue.is_locked === 0 && user !== undefined && poster_id === user.id && deleted_by === user.id
}

function mayForget({ viewer: { user }, repo }: Place, { poster_id }: DeletedCommentRow): boolean {
  return user !== undefined && (poster_id === user.id || isRepoAdmin(repo))
}

/**
 * Restores a deleted comment with its reactions and attachments. A comment that is already live stays unchanged. No one is notified again.
 * @returns its id
 * @throws NotFound if the comment cannot be restored or does not concern the viewer; Forbidden if the viewer cannot restore it or cannot comment on
 * the issue; Locked in an archived repository; Conflict if its review is deleted
 */
export function restoreComment(context: Context, place: Place, text: string): number {
  const { viewer, repo, issue } = place
  const { user: doer } = requireUser(viewer)
  refuseArchived(repo)
  refuseLocked(repo, issue)
  return context.db.tx((tx) => {
    const key = parseDeletionKey(text)
    if (findEntry(tx, issue.repo_id, key.id)?.issue_id === issue.id) return key.id
    const deleted = getDeleted(context, tx, place, key)
    if (!mayRestore(place, deleted)) throw new Forbidden('Only users with write access can restore a comment that someone else deleted.')
    for (const by of [repo.owner.id, issue.poster_id]) if (by !== null) refuseBlocked(tx, by, doer.id)
    if (deleted.type === 'code' && deleted.review_id === null) throw new Conflict('Cannot restore the comment: its review has been deleted.')
    restore(tx, 'comment', deleted)
    if (deleted.type === 'comment') indexComment(tx, deleted)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    announceComment(tx, deed, issue, 'restored', { commentId: deleted.id, body: deleted.body })
    return deleted.id
  })
}

/** Purges a deleted comment now. @throws NotFound; Forbidden unless the viewer is its author or a repository administrator */
export function forgetComment(context: Pick<Context, 'config' | 'clock' | 'db' | 'jobs'>, place: Place, text: string): void {
  requireUser(place.viewer)
  context.db.txLeavingRows((tx) => {
    const deleted = getDeleted(context, tx, place, parseDeletionKey(text))
    if (!mayForget(place, deleted)) throw new Forbidden('Only the author and repository administrators can delete a comment permanently.')
    purge(tx, context, 'comment', deleted.id)
  })
}

/** @throws NotFound, also if the comment does not concern the viewer */
function getDeleted(context: Pick<Context, 'config' | 'clock'>, db: Db, { viewer, repo, issue }: Place, key: DeletionKey): DeletedCommentRow {
  const found = findDeleted<CommentRow>(db, 'comment', { kind: 'issue', id: issue.id }, key, restorableSince(context))
  if (!found || !(isConcerned(viewer, found) || isWriter(repo, issue))) throw new NotFound()
  return found
}
