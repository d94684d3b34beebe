import type { Oid } from '#git/objects/oid.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** A push to a pull request. */
export interface HeadMove {
  poster_id: number | null
  created_at: number
  /** As Gitea has it: `{ is_force_push, commit_ids }`, the last of which is the new head. */
  body: string
  /** How many pushes there are. */
  total: number
}

/** The newest first. */
export function listMoves(db: Db, issueId: number, limit: number): HeadMove[] {
  const sql = `SELECT poster_id, created_at, body, count(*) OVER () AS total FROM live_comment
     WHERE issue_id = ? AND type = 'pull_push' ORDER BY created_at DESC, id DESC LIMIT ?`
  return db.all<HeadMove>(sql, issueId, limit)
}

/** How many pushes there are. */
export function movesQuestion(issueId: number): Question<{ pushes: number }> {
  return { sql: "SELECT count(*) AS pushes FROM live_comment WHERE issue_id = ? AND type = 'pull_push'", values: [issueId] }
}

/** Whether a pull request had this head once. */
export function hadHead(db: Db, issueId: number, oid: Oid): boolean {
  const sql = `SELECT 1 FROM pull WHERE issue_id = ?1 AND (head_oid = ?2 OR first_oid = ?2)
     UNION ALL SELECT 1 FROM pull_version WHERE issue_id = ?1 AND oid = ?2
     UNION ALL SELECT 1 FROM live_comment WHERE issue_id = ?1 AND type = 'pull_push' AND instr(body, ?2) > 0 LIMIT 1`
  return db.find(sql, issueId, oid) !== undefined
}

/** Keeps a head that was left behind, as the newest of them. */
export function putVersion(tx: Tx, issueId: number, oid: Oid): void {
  deleteVersion(tx, issueId, oid)
  tx.insert('pull_version', { issue_id: issueId, oid })
}

/** Those besides the newest `kept` that nobody reviewed: of each push at most a few, since the others went before. */
export function listSurplusVersions(db: Db, issueId: number, kept: number): Oid[] {
  const sql = `SELECT oid FROM (SELECT id, oid FROM pull_version WHERE issue_id = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)
     WHERE oid NOT IN (SELECT commit_oid FROM review WHERE issue_id = ?1 AND state <> 'REQUEST_REVIEW') ORDER BY id`
  return db.all<{ oid: Oid }>(sql, issueId, kept).map(({ oid }) => oid)
}

export function deleteVersion(tx: Tx, issueId: number, oid: Oid): void {
  tx.run('DELETE FROM pull_version WHERE issue_id = ? AND oid = ?', issueId, oid)
}
