import type { Db, Tx } from '#kernel/db.ts'

/** A file as somebody looked at it; sides are `100644 <oid>`, or empty where there was no file. */
export interface ViewedFile {
  path: string
  old_side: string
  new_side: string
}

/** The marks of one person on one pull request. */
export function listViewed(db: Db, issueId: number, userId: number): ViewedFile[] {
  return db.all<ViewedFile>('SELECT path, old_side, new_side FROM viewed_file WHERE issue_id = ? AND user_id = ?', issueId, userId)
}

/** @param most marks that are kept; beyond that the oldest go */
export function putViewed(tx: Tx, issueId: number, userId: number, file: ViewedFile, most: number): void {
  deleteViewed(tx, issueId, userId, file.path)
  tx.insert('viewed_file', { issue_id: issueId, user_id: userId, ...file })
  tx.run(
    'DELETE FROM viewed_file WHERE id IN (SELECT id FROM viewed_file WHERE issue_id = ? AND user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)',
    issueId,
    userId,
    most,
  )
}

export function deleteViewed(tx: Tx, issueId: number, userId: number, path: string): void {
  tx.run('DELETE FROM viewed_file WHERE issue_id = ? AND user_id = ? AND path = ?', issueId, userId, path)
}
