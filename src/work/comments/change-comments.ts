import { type RepoAccess, refuseArchived, refuseBlocked, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type DeletionKey, softDelete } from '#repositories/deletions/index.ts'
import {
  addEntry,
  announceComment,
  type CommentRow,
  change,
  dateOf,
  type EntryType,
  findEntry,
  findIssueById,
  hasHistory,
  type IssueRow,
  indexComment,
  insertHistory,
  isPoster,
  linkFrom,
  mayRead,
  noteMentions,
  refuseLocked,
  requirePosterOrWriter,
} from '#work/issues/index.ts'
import type { CreateIssueCommentOption, EditIssueCommentOption } from './schema.ts'
import { deleteComment, updateComment } from './store.ts'

/** What somebody wrote, and where. */
export interface Written {
  comment: CommentRow
  issue: IssueRow
}

/**
 * A comment of the repository that the viewer may read, on lines and for reviews too; of what merely happened there is none.
 * @throws NotFound
 */
export function getComment({ db }: { db: Db }, viewer: Viewer, repo: RepoAccess, id: string): Written {
  const comment = findEntry(db, repo.row.id, rowIdIn(id))
  const isWritten = comment && (written.has(comment.type) || (isDraft(comment) && isPoster(viewer, comment)))
  const issue = isWritten ? findIssueById(db, comment.issue_id) : undefined
  if (!comment || !issue || !mayRead(repo, issue)) throw new NotFound()
  return { comment, issue }
}

const written = new Set<EntryType>(['comment', 'code', 'review'])

/** What its author alone knows of until the review that it belongs to is sent. */
function isDraft({ type }: CommentRow): boolean {
  return type === 'code_draft'
}

/**
 * @throws Locked in an archived repository; Forbidden where the conversation is locked, for whom the owner or the author blocked, and for a
 * date that is not theirs to set
 */
export function createComment(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, asked: CreateIssueCommentOption): CommentRow {
  const { user: doer } = requireUser(viewer)
  refuseArchived(repo)
  refuseLocked(repo, seen)
  const at = dateOf(context, viewer, repo, seen, asked.updated_at)
  return context.db.tx((tx) => {
    refuseBlocked(tx, repo.owner.id, doer.id)
    if (seen.poster_id !== null) refuseBlocked(tx, seen.poster_id, doer.id)
    const deed = { context, doer, repo, at, elsewhere: [viewer] }
    const id = addEntry(tx, deed, seen, 'comment', { body: asked.body })
    const issue = change(tx, deed, seen)
    const comment = findEntry(tx, repo.row.id, id) as CommentRow
    indexComment(tx, comment)
    linkFrom(tx, deed, issue, { text: asked.body, commentId: id })
    announceComment(tx, deed, issue, 'created', { commentId: id, body: asked.body, mentioned: noteMentions(tx, deed, issue, asked.body) })
    return comment
  })
}

/**
 * The same text again changes nothing.
 * @param version of the text that whoever edits it has seen; without one it is changed whatever it is by now
 * @throws Forbidden for others than its author and writers, and for a date that is not theirs to set; Conflict when the text was changed
 * since `version`
 */
export function editComment(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  id: string,
  asked: EditIssueCommentOption,
  version?: number | undefined,
): Written {
  const seen = getComment(context, viewer, repo, id)
  const doer = requirePosterOrWriter(viewer, repo, seen.issue, seen.comment.poster_id)
  const at = dateOf(context, viewer, repo, seen.issue, asked.updated_at)
  return context.db.tx((tx) => {
    const { comment: before, issue } = getComment({ db: tx }, viewer, repo, id)
    if (before.body === asked.body) return { comment: before, issue }
    if (version !== undefined && version !== before.content_version) throw new Conflict('the comment is already changed')
    const deed = { context, doer, repo, at, elsewhere: [viewer] }
    const of = { issue_id: issue.id, comment_id: before.id }
    if (!hasHistory(tx, issue.id, before.id)) insertHistory(tx, { ...of, editor_id: before.poster_id, body: before.body, created_at: before.created_at })
    insertHistory(tx, { ...of, editor_id: doer.id, body: asked.body, created_at: at })
    updateComment(tx, before.id, asked.body, at)
    const comment = findEntry(tx, repo.row.id, before.id) as CommentRow
    if (isDraft(comment)) return { comment, issue }
    if (comment.type === 'comment') indexComment(tx, comment)
    linkFrom(tx, deed, issue, { text: asked.body, commentId: before.id })
    const mentioned = noteMentions(tx, deed, issue, asked.body, before.body)
    announceComment(tx, deed, issue, 'edited', { commentId: before.id, body: asked.body, former: { body: before.body }, mentioned })
    return { comment, issue: change(tx, deed, issue) }
  })
}

/**
 * Deletes a comment; it can be restored for a while.
 * @returns the key for restoring it; undefined if nothing is kept
 * @throws NotFound, also for what goes with its review; Forbidden for others than its author and writers
 */
export function removeComment(context: Context, viewer: Viewer, repo: RepoAccess, id: string): DeletionKey | undefined {
  const { comment, issue } = getComment(context, viewer, repo, id)
  if (comment.type === 'review') throw new NotFound()
  const doer = requirePosterOrWriter(viewer, repo, issue, comment.poster_id)
  // What nobody else has seen leaves nothing behind.
  if (isDraft(comment)) return context.db.tx((tx) => void deleteComment(tx, comment.id))
  return context.db.txLeavingRows((tx) => {
    if (!findEntry(tx, repo.row.id, comment.id)) return undefined
    const key = softDelete(tx, context, 'comment', comment.id, doer.id)
    announceComment(tx, { context, doer, repo, at: context.clock.seconds() }, issue, 'deleted', { commentId: comment.id, body: comment.body })
    return key
  })
}
