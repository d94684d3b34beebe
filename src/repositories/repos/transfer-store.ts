import type { TeamRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** A repository that somebody is offered and has neither taken nor refused. */
export interface TransferRow {
  repo_id: number
  doer_id: number
  recipient_id: number
  created_at: number
}

export function findTransfer(db: Db, repoId: number): TransferRow | undefined {
  return db.find<TransferRow>('SELECT * FROM repository_transfer WHERE repo_id = ?', repoId)
}

/** The recipient's teams that are to reach the repository, those that are gone left out. */
export function listTransferTeams(db: Db, repoId: number): TeamRow[] {
  return db.all<TeamRow>('SELECT team.* FROM repository_transfer_team JOIN team ON team.id = team_id WHERE repo_id = ? ORDER BY team.id', repoId)
}

export function insertTransfer(tx: Tx, row: TransferRow, teamIds: readonly number[]): void {
  tx.insert('repository_transfer', { ...row })
  for (const id of teamIds) tx.run('INSERT OR IGNORE INTO repository_transfer_team (repo_id, team_id) VALUES (?, ?)', row.repo_id, id)
}

export function deleteTransfer(tx: Tx, repoId: number): void {
  tx.run('DELETE FROM repository_transfer WHERE repo_id = ?', repoId)
}
