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

export interface Surveyed {
  /** The commit that was looked at; empty: there was none. */
  oid: string
  languages: readonly (readonly [name: string, bytes: number])[]
  licenses: readonly string[]
  /** The version of the program that left nothing out; empty: something was. */
  countedBy: string
}

/** What was found last. */
export function findSurveyed(db: Db, repoId: number): Surveyed | undefined {
  const row = db.find<{ oid: string; counted_by: string; license_ids: string }>(
    'SELECT oid, counted_by, license_ids FROM derived_survey JOIN repository ON repository.id = repo_id WHERE repo_id = ?',
    repoId,
  )
  if (!row) return undefined
  const languages = listLanguages(db, repoId).map(({ name, bytes }) => [name, bytes] as const)
  return { oid: row.oid, languages, licenses: row.license_ids.split(',').filter((id) => id !== ''), countedBy: row.counted_by }
}

/** Keeps what was found; of a repository that is gone meanwhile nothing. */
export function setSurvey(tx: Tx, repoId: number, { oid, languages, licenses, countedBy }: Surveyed): void {
  if (tx.update('repository', repoId, { language: languages[0]?.[0] ?? '', license_ids: licenses.join(',') }) === 0) return
  tx.run(
    'INSERT INTO derived_survey (repo_id, oid, counted_by) VALUES (?1, ?2, ?3) ON CONFLICT (repo_id) DO UPDATE SET oid = ?2, counted_by = ?3',
    repoId,
    oid,
    countedBy,
  )
  tx.run('DELETE FROM derived_language WHERE repo_id = ?', repoId)
  for (const [name, bytes] of languages) tx.insert('derived_language', { repo_id: repoId, name, bytes })
}
