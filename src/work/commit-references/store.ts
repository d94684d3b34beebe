import type { Db, Tx } from '#kernel/db.ts'

export function getPlace(db: Db): number {
  return db.find<{ event_id: number }>('SELECT event_id FROM commit_reference_place')?.event_id ?? 0
}

export function setPlace(tx: Tx, eventId: number): void {
  tx.run('UPDATE commit_reference_place SET event_id = ?', eventId)
}

/** Whether the issue's timeline tells of the commit already. */
export function hasReference(db: Db, issueId: number, oid: string): boolean {
  return db.find("SELECT 1 FROM live_comment WHERE issue_id = ? AND type = 'commit_ref' AND commit_oid = ?", issueId, oid) !== undefined
}

/** Whether the commit closed or opened the issue already: brought again, it does not do so again. */
export function hasActed(db: Db, issueId: number, oid: string): boolean {
  return db.find("SELECT 1 FROM live_comment WHERE issue_id = ? AND type IN ('close', 'reopen') AND commit_oid = ?", issueId, oid) !== undefined
}
