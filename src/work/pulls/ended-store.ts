import type { Db, Tx } from '#kernel/db.ts'

/** A branch that is gone, with open pull requests that are to follow it. */
export interface EndedBranch {
  repo_id: number
  branch: string
  target: string
  actor_id: number
  /** Seconds. */
  ended_at: number
  last_issue_id: number
  from_looked_to: number
  into_looked_to: number
}

export type EndedRow = EndedBranch & { id: number }

export function insertEnded(tx: Tx, ended: EndedBranch): void {
  tx.insert('ended_branch', { ...ended })
}

export function findFirstEnded(db: Db): EndedRow | undefined {
  return db.find<EndedRow>('SELECT * FROM ended_branch ORDER BY id LIMIT 1')
}

export function setLookedTo(tx: Tx, { id, from_looked_to, into_looked_to }: EndedRow): void {
  tx.update('ended_branch', id, { from_looked_to, into_looked_to })
}

export function deleteEnded(tx: Tx, id: number): void {
  tx.run('DELETE FROM ended_branch WHERE id = ?', id)
}
