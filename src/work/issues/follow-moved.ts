import type { Context } from '#context.ts'
import { Backlog } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { moveAttachmentsOf } from '#work/attachments/index.ts'
import { deleteMoved, findFirstMoved, insertMoved, listFollowers, moveEntry, setLookedTo } from './moved-store.ts'
import { indexComment } from './search-index-store.ts'
import { findIssueById } from './store.ts'

/** Entries that follow in one transaction: a few milliseconds. */
const SLICE = 50

/** Has conversations follow their issues to other repositories. */
export class MovedIssues extends Backlog {
  constructor(context: Pick<Context, 'db' | 'tasks'>) {
    super(context, 'move what was said on moved issues', followNext)
  }
}

/** What was said on an issue follows it, and what is attached to that. */
export function letFollow({ services }: Pick<Context, 'services'>, tx: Tx, issueId: number, fromRepoId: number): void {
  insertMoved(tx, issueId, fromRepoId)
  services.get(MovedIssues).begin(tx)
}

/** @returns whether there may be more */
function followNext(tx: Tx): boolean {
  const moved = findFirstMoved(tx)
  if (!moved) return false
  const repo_id = findIssueById(tx, moved.issue_id)?.repo_id
  const followers = repo_id === undefined ? [] : listFollowers(tx, moved, SLICE)
  for (const { id, type, body, deleted_at } of followers) {
    moveEntry(tx, id, repo_id as number)
    if (type === 'comment' && deleted_at === null) indexComment(tx, { id, repo_id: repo_id as number, body })
  }
  if (repo_id !== undefined)
    moveAttachmentsOf(
      tx,
      followers.map(({ id }) => id),
      repo_id,
    )
  const last = followers[SLICE - 1]
  if (last) setLookedTo(tx, moved.id, last)
  else deleteMoved(tx, moved.id)
  return true
}
