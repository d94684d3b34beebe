import type { Oid } from '#git/objects/oid.ts'
import type { Db, Tx } from '#kernel/db.ts'

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
