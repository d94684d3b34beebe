import { listClearing } from '#kernel/database/delete-row.ts'
import type { Db, Row } from '#kernel/db.ts'

/** What SQLite finds wrong with its own file; nothing when all is well. */
export function listDamage(db: Db): string[] {
  const lines = db.all<{ integrity_check: string }>('PRAGMA integrity_check').map((row) => row.integrity_check)
  return lines.filter((line) => line !== 'ok')
}

/** Rows that reference rows which are not there; not what the server still has to clear away of what was deleted. */
export function listDangling(db: Db): string[] {
  const cleared = new Set(listClearing(db))
  const rows = db.all<Row>('PRAGMA foreign_key_check').filter(({ parent }) => !cleared.has(String(parent)))
  return rows.map((row) => `row ${row.rowid} of ${row.table} references a missing row of ${row.parent}`)
}

export interface NamedRepo {
  id: number
  /** `owner/name`. */
  full_name: string
  default_branch: string
}

/** With their wikis. */
export function listRepos(db: Db): NamedRepo[] {
  return db.all<NamedRepo>(
    `SELECT repository.id, user.name || '/' || repository.name AS full_name, default_branch FROM repository JOIN user ON user.id = owner_id
     UNION ALL
     SELECT -repository.id, user.name || '/' || repository.name || '.wiki', wiki_branch FROM repository JOIN user ON user.id = owner_id WHERE wiki_branch <> ''
     ORDER BY 1`,
  )
}

export interface RemovedRepo {
  id: number
  /** In seconds since 1970; 0: it is being made. */
  removed_at: number
}

/** Repositories that are deleted, but whose directory may not be. */
export function listRemoved(db: Db): RemovedRepo[] {
  return db.all<RemovedRepo>('SELECT * FROM removed_repository ORDER BY id')
}

/** A text that `SecretBox` has encrypted. */
export interface SealedRow {
  /** What one of its kind is called. */
  one: string
  /** What several are called. */
  many: string
  sealed: string
}

/** Whatever is encrypted under the key beside the store; letters that wait and forms under way are gone in days anyway. */
export function listSealed(db: Db): SealedRow[] {
  return db.all<SealedRow>(
    `SELECT one, many, sealed FROM (
       SELECT 'webhook secret' AS one, 'webhook secrets' AS many, secret AS sealed FROM webhook
       UNION ALL SELECT 'webhook URL', 'webhook URLs', url FROM webhook
       UNION ALL SELECT 'webhook credential', 'webhook credentials', authorization FROM webhook
       UNION ALL SELECT 'second factor', 'second factors', secret FROM totp
       UNION ALL SELECT 'authentication source', 'authentication sources', config FROM login_source
       UNION ALL SELECT 'signing key', 'signing keys', sealed FROM oauth2_signing_key
     ) WHERE sealed GLOB 'v1:*'`,
  )
}
