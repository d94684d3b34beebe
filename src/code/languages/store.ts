import type { Db, Tx } from '#kernel/db.ts'

/** Bytes of each language, the most first. */
export function listLanguages(db: Db, repoId: number): { name: string; bytes: number }[] {
  return db.all('SELECT name, bytes FROM derived_language WHERE repo_id = ? ORDER BY bytes DESC, name', repoId)
}

/** Repositories to look at, those of longest ago first. */
export function listDue(db: Db, limit: number): number[] {
  return db.all<{ repo_id: number }>('SELECT repo_id FROM survey_due ORDER BY rowid LIMIT ?', limit).map((row) => row.repo_id)
}

export function forgetDue(tx: Tx, repoId: number): void {
  tx.run('DELETE FROM survey_due WHERE repo_id = ?', repoId)
}

/** The commit that was looked at last; empty: there was none. */
export function findSurveyed(db: Db, repoId: number): string | undefined {
  return db.find<{ oid: string }>('SELECT oid FROM derived_survey WHERE repo_id = ?', repoId)?.oid
}

export interface Surveyed {
  oid: string
  languages: readonly (readonly [name: string, bytes: number])[]
  licenses: readonly string[]
}

/** Keeps what was found; of a repository that is gone meanwhile nothing. */
export function setSurvey(tx: Tx, repoId: number, { oid, languages, licenses }: Surveyed): void {
  if (tx.update('repository', repoId, { language: languages[0]?.[0] ?? '', license_ids: licenses.join(',') }) === 0) return
  tx.run('INSERT INTO derived_survey (repo_id, oid) VALUES (?, ?) ON CONFLICT (repo_id) DO UPDATE SET oid = excluded.oid', repoId, oid)
  tx.run('DELETE FROM derived_language WHERE repo_id = ?', repoId)
  for (const [name, bytes] of languages) tx.insert('derived_language', { repo_id: repoId, name, bytes })
}
