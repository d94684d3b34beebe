import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Those who asked to be told, as far as the viewer may see them. */
export function listSubscribers(db: LongDb, viewer: Viewer, issueId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  return listSeenAccounts(db, viewer, { table: 'issue_subscription AS s', of: 's.user_id', where: 's.issue_id = ? AND s.is_on = 1', values: [issueId] }, page)
}

export function putSubscription(tx: Tx, issueId: number, userId: number, isOn: boolean, now: number): void {
  tx.run('INSERT OR REPLACE INTO issue_subscription (issue_id, user_id, is_on, created_at) VALUES (?, ?, ?, ?)', issueId, userId, Number(isOn), now)
}

/** Whether somebody is told what happens: as they said themselves, else where they watch the repository or wrote the issue, on it, or are assigned to it. */
export function subscriptionQuestion(issueId: number, userId: number): Question<{ is_on: number }> {
  const sql = `SELECT coalesce(
      (SELECT is_on FROM issue_subscription AS s WHERE s.issue_id = issue.id AND s.user_id = ?2),
      poster_id IS ?2
        OR EXISTS (SELECT 1 FROM watcher WHERE watcher.user_id = ?2 AND watcher.repo_id = issue.repo_id)
        OR EXISTS (SELECT 1 FROM issue_assignee AS a WHERE a.issue_id = issue.id AND a.user_id = ?2)
        OR EXISTS (SELECT 1 FROM live_comment AS comment WHERE comment.issue_id = issue.id AND type IN ('comment', 'code', 'review') AND comment.poster_id = ?2)
    ) AS is_on FROM issue WHERE id = ?1`
  return { sql, values: [issueId, userId] }
}

export function isSubscribed(db: Db, issueId: number, userId: number): boolean {
  const { sql, values } = subscriptionQuestion(issueId, userId)
  return db.find<{ is_on: number }>(sql, ...values)?.is_on === 1
}
