import type { Db, Tx } from '#kernel/db.ts'

/** A branch renamed more often is not followed any further. */
const MAX_STEPS = 8

/** What a branch was last renamed to, from one name to the next; undefined for one that never was. */
export function findRenamedBranch(db: Db, repoId: number, name: string): string | undefined {
  let found: string | undefined
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const next = db.find<{ to_name: string }>('SELECT to_name FROM renamed_branch WHERE repo_id = ? AND from_name = ?', repoId, found ?? name)?.to_name
    if (next === undefined) return found
    found = next
  }
  return found
}

/** Whatever the new name once led to is forgotten: it is a branch now. */
export function noteRenamedBranch(tx: Tx, repoId: number, from: string, to: string): void {
  tx.run('DELETE FROM renamed_branch WHERE repo_id = ? AND from_name = ?', repoId, to)
  tx.run(
    'INSERT INTO renamed_branch (repo_id, from_name, to_name) VALUES (?, ?, ?) ON CONFLICT (repo_id, from_name) DO UPDATE SET to_name = excluded.to_name',
    repoId,
    from,
    to,
  )
}
