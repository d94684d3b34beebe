import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { GitError, isLoss } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { addEntry, type Deed, type IssueRow } from '#work/issues/index.ts'
import { insertPlace, type PlaceRow } from './comment-store.ts'
import type { PullEnds } from './pull-ends-store.ts'
import { type CreatePullReviewComment, MAX_DRAFTS } from './schema.ts'
import type { ReviewRow } from './store.ts'

/** What is to be written, and where in the changes that is. */
export interface Draft extends Pick<PlaceRow, 'path' | 'line' | 'at_oid' | 'original_oid' | 'hunk' | 'is_outdated'> {
  body: string
}

const MAX_LINES = 20_000

/** Finds the places of comments in the changes that a head brings. One whose line is not there is outdated from the start. */
export async function draftComments(
  context: Pick<Context, 'config' | 'git'>,
  ends: PullEnds,
  head: Oid,
  asked: readonly CreatePullReviewComment[],
): Promise<Draft[]> {
  if (asked.length === 0) return []
  const places = asked.map((comment) => ({ path: comment.path, line: lineOf(comment) }))
  const options = { ...diffLimits(context), maxFileLines: MAX_LINES, maxTotalLines: 10 * MAX_LINES }
  const { from, found } = await inGit(() => context.git.run('findPlaces', ends.repo_id, { base: ends.base_oid ?? head, head, places, options }))
  return asked.map(({ body }, at) => {
    const { path, line } = places[at] as { path: string; line: number }
    const { hunk = '', isThere = false } = found[at] ?? {}
    return { body, path, line, hunk, is_outdated: Number(!isThere), at_oid: line < 0 ? (from ?? head) : head, original_oid: head }
  })
}

/** As in Forgejo a line of the old file goes first. */
function lineOf({ old_position: old = 0, new_position: now = 0 }: CreatePullReviewComment): number {
  return old > 0 ? -old : now
}

/** @throws Unprocessable for a head whose changes are more than is read */
export async function inGit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitError && !isLoss(error)) throw new Unprocessable('cannot read the changes of this commit: they may be too large')
    throw error
  }
}

/** @throws Unprocessable where a review that is not sent yet would hold too many */
export function requireRoom({ state, comment_count }: Pick<ReviewRow, 'state' | 'comment_count'>, more: number): void {
  if (state !== 'PENDING' || comment_count + more <= MAX_DRAFTS) return
  throw new Unprocessable(`a pending review can have at most ${MAX_DRAFTS} comments: submit it first`)
}

/** @returns its id */
export function insertComment(tx: Tx, deed: Deed, issue: IssueRow, review: Pick<ReviewRow, 'id' | 'state'>, { body, ...place }: Draft): number {
  const id = addEntry(tx, deed, issue, review.state === 'PENDING' ? 'code_draft' : 'code', { body, review_id: review.id })
  insertPlace(tx, { comment_id: id, issue_id: issue.id, ...place })
  return id
}
