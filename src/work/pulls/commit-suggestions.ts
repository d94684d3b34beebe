import { accessStore, actingAlone, type RepoAccess, recheckAccount, refuseArchived, type UserRow, type Viewer } from '#access/index.ts'
import { refuseEdits } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import type { LineEdit } from '#git/edit/edit-lines.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef, mayPush, writeObjects } from '#repositories/refs/index.ts'
import { accessTo, findIssueById, type IssueRow } from '#work/issues/index.ts'
import { endTalk, findLineComment, findSuggestions, type LineComment, lineIn, type Suggestion, settleReviews } from '#work/reviews/index.ts'
import { getPullRow } from './find-pull.ts'
import { requireHeadWriting } from './head-writing.ts'
import { awaitPushes } from './take-pushes.ts'

/** A suggestion, by the comment that it stands in. */
export interface PickedSuggestion {
  commentId: number
  /** Of the comment's suggestions, from 0 on. */
  index: number
  /** Of the comment's text, as whoever picked it has seen it. */
  version: number
}

interface Found extends PickedSuggestion {
  comment: LineComment
  suggestion: Suggestion
}

/**
 * Commits what comments on lines suggest to the branch of a pull request, in one commit that says whose suggestions these are, and ends their
 * conversations.
 * @throws Conflict when a line or a comment has changed since, or the branch moved or is gone; Unprocessable for suggestions about the same lines
 *   and on a closed pull request; NotFound for a comment of another one; Forbidden for who may not push to the branch, and where a rule protects it
 */
export async function commitSuggestions(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  issue: IssueRow,
  { picks, message }: { picks: readonly PickedSuggestion[]; message: string },
): Promise<void> {
  if (picks.length === 0) throw new Unprocessable('No suggestion selected. Select at least one suggestion.')
  const { doer, pull, home, branch } = await requireHeadWriting(context, viewer, repo, issue)
  await settleReviews(context, issue.id)
  const found = picks.map((pick) => getSuggestion(context.db, issue, pull.head_oid, pick))
  const edits = found.map(editOf)
  refuseArchived(home)
  requireHead(context.db, home, branch.name, pull.head_oid)
  refuseEdits(
    context.db,
    home,
    doer,
    pull.head_branch,
    edits.map(({ path }) => path),
  )
  const who = gitIdentity(context, doer)
  const text = withAuthors(context, doer, message, found)
  await writeObjects(context, home.row.id, async (writing) => {
    const commit = await writing.make('commitLines', { parent: pull.head_oid, edits, author: who, committer: who, message: text })
    const coming = { actorId: doer.id, acting: actingAlone(viewer), updates: [{ ...branch, old: pull.head_oid, new: commit, fastForward: true }] }
    await writing.landPrepared(coming, (tx, move) => {
      recheckAccount(tx, doer)
      const now = accessTo(tx, viewer, home.row.id)
      if (!now || !mayPush(context, tx, viewer, now, branch)) throw new Forbidden('You do not have permission to push to the branch.')
      refuseArchived(now)
      const open = findIssueById(tx, issue.id)
      if (open?.is_closed !== 0) throw new Unprocessable('the pull request is closed')
      if (getPullRow(tx, issue).head_oid !== pull.head_oid) throw movedOn()
      for (const one of found) endTalk(tx, viewer, repo, open, getSuggestion(tx, issue, pull.head_oid, one).comment)
      const [moved] = move({ ...coming, message: `suggestions on pull request ${issue.number}` })
      if (moved?.ok === false && moved.isForbidden) throw new Forbidden(moved.reason)
      if (!moved?.ok) throw new Problem(409, moved?.reason ?? '')
    })
  })
  if (home.row.id !== pull.repo_id) await awaitPushes(context, issue.id)
}

function movedOn(): Conflict {
  return new Conflict('Someone pushed to the branch after you loaded the page. Review the suggestions again.')
}

/** @throws Conflict */
function requireHead(db: Db, home: RepoAccess, name: string, oid: string): void {
  const ref = findRef(db, home.row.id, name)
  if (!ref) throw new Conflict('Cannot commit the suggestions: the branch of the pull request no longer exists.')
  if (ref.oid !== oid) throw movedOn()
}

/** The suggestion as it is now. @throws NotFound; Conflict when it is another one than was seen, or its line is */
function getSuggestion(db: Db, issue: IssueRow, head: Oid, pick: PickedSuggestion): Found {
  const comment = findLineComment(db, pick.commentId)
  if (comment?.issue_id !== issue.id || comment.type !== 'code') throw new NotFound('The suggestion does not exist.')
  if (comment.content_version !== pick.version) throw new Conflict('The suggestion was edited after you loaded the page. Review it again.')
  const suggestion = findSuggestions(comment.body)[pick.index]
  if (!suggestion || comment.line <= 0) throw new NotFound('The suggestion does not exist.')
  if (comment.is_outdated === 1 || comment.at_oid !== head) throw new Conflict('Cannot commit the suggestion: the lines have changed since it was written.')
  return { ...pick, comment, suggestion }
}

/** Its own line is where the comment has followed it to; of those around it only the commit that they were seen in can tell. */
function editOf({ comment: { path, line, hunk, original_oid }, suggestion: { above, below, lines } }: Found): LineEdit {
  const edit = { path, first: line - above, last: line + below, lines }
  if (above + below === 0) return edit
  const then = lineIn(hunk)
  if (then === undefined) throw new Conflict('Cannot commit the suggestion: the lines it applies to can no longer be determined.')
  return { ...edit, as: { commit: original_oid, first: then - above } }
}

/** Who else has a part in it, as git's trailers say it. */
function withAuthors(context: Pick<Context, 'clock' | 'db' | 'rootUrl'>, doer: UserRow, message: string, found: readonly Found[]): string {
  const ids = new Set(found.flatMap(({ comment: { poster_id } }) => (poster_id === null || poster_id === doer.id ? [] : [poster_id])))
  const trailers = [...ids].flatMap((id) => {
    const person = accessStore.findUserById(context.db, id)
    if (!person) return []
    const { name, email } = gitIdentity(context, person)
    return `Co-authored-by: ${name.replace(/[<>\p{Cc}]+/gu, ' ').trim()} <${email}>`
  })
  return trailers.length === 0 ? message : `${message.trimEnd()}\n\n${trailers.join('\n')}\n`
}
