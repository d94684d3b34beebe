import type { Db, Tx } from '#kernel/db.ts'

/** A branch of a repository that has another name. */
export interface Renaming {
  repo_id: number
  from_name: string
  to_name: string
  /** Pull requests of later issues mean another branch. */
  last_issue_id: number
}

type RenamingRow = Renaming & { id: number }

export function insertRenaming(tx: Tx, renaming: Renaming): void {
  tx.insert('renaming_branch', { ...renaming })
}

export function findFirstRenaming(db: Db): RenamingRow | undefined {
  return db.find<RenamingRow>('SELECT * FROM renaming_branch ORDER BY id LIMIT 1')
}

export function listRenamings(db: Db, repoId: number): RenamingRow[] {
  return db.all<RenamingRow>('SELECT * FROM renaming_branch WHERE repo_id = ? ORDER BY id', repoId)
}

export function deleteRenaming(tx: Tx, id: number): void {
  tx.run('DELETE FROM renaming_branch WHERE id = ?', id)
}

/** Pull requests of the branch follow its new name. @param limit how many at most; below zero: all. @returns how many did */
export function renameSome(tx: Tx, { repo_id, from_name, to_name, last_issue_id }: Renaming, limit: number): number {
  const rename = (repo: string, branch: string, most: number) => {
    const isHead = branch === 'head_branch' ? 'AND flow = 0' : ''
    const some = `SELECT issue_id FROM pull WHERE ${repo} = ? AND ${branch} = ? AND issue_id <= ? ${isHead} LIMIT ?`
    return tx.run(`UPDATE pull SET ${branch} = ? WHERE issue_id IN (${some})`, to_name, repo_id, from_name, last_issue_id, most)
  }
  const heads = rename('head_repo_id', 'head_branch', limit)
  return heads + rename('repo_id', 'base_branch', limit - heads)
}
