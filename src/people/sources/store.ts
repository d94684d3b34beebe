import type { UserRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { SourceKind } from './config.ts'

export interface SourceRow {
  id: number
  kind: SourceKind
  name: string
  is_active: number
  is_sync_enabled: number
  skip_local_2fa: number
  /** Encrypted; `openSource` reads it. */
  config: string
  /** How often it was changed. */
  revision: number
  created_at: number
  updated_at: number
}

/** Which sources are listed; absent members do not filter. */
export interface SourceFilter {
  kind?: SourceKind
  isActive?: boolean
}

/** In the order in which they are asked. */
export function listSourceRows(db: Db, { kind, isActive }: SourceFilter = {}): SourceRow[] {
  const sql = 'SELECT * FROM login_source WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR is_active = ?2) ORDER BY id'
  return db.all<SourceRow>(sql, kind ?? null, isActive === undefined ? null : Number(isActive))
}

export function findSourceRow(db: Db, id: number): SourceRow | undefined {
  return db.lookUp<SourceRow>('SELECT * FROM login_source WHERE id = ?', id)
}

/** Whether who signs in through the account's source is asked for no second factor here. */
export function skipsLocalTwoFactor(db: Db, { login_source: id }: Pick<UserRow, 'login_source'>): boolean {
  return id !== 0 && findSourceRow(db, id)?.skip_local_2fa === 1
}

/** In any case. */
export function findSourceRowByName(db: Db, name: string): SourceRow | undefined {
  return db.lookUp<SourceRow>('SELECT * FROM login_source WHERE name = ?', name)
}

/** Another text whenever a source is made, changed or deleted. */
export function sourcesState(db: Db): string {
  return (
    db.lookUp<{ state: string }>("SELECT count(*) || ' ' || coalesce(max(id), 0) || ' ' || coalesce(sum(revision), 0) AS state FROM login_source")?.state ?? ''
  )
}

export function insertSource(tx: Tx, row: Omit<SourceRow, 'id' | 'revision'>): number {
  return tx.insert('login_source', { ...row })
}

export function updateSource(tx: Tx, id: number, change: Partial<Omit<SourceRow, 'id' | 'revision'>>): void {
  tx.update('login_source', id, { ...change })
}

/** @throws SQLiteError when something refers to it */
export function removeSource(tx: Tx, id: number): void {
  tx.run('DELETE FROM login_source WHERE id = ?', id)
}

/** Whose account it is that the source calls so. */
export function findUserOfSource(db: Db, sourceId: number, loginName: string): UserRow | undefined {
  return db.find<UserRow>('SELECT * FROM user WHERE login_source = ? AND login_name = ?', sourceId, loginName)
}

export function countUsersOf(db: Db, sourceId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM user WHERE login_source = ? AND login_source <> 0', sourceId)?.n ?? 0
}

export function listUsersOf(db: Db, sourceId: number): UserRow[] {
  return db.all<UserRow>("SELECT * FROM user WHERE login_source = ? AND login_source <> 0 AND kind = 'person' ORDER BY id", sourceId)
}

/** Whether a synchronisation made the account inactive, and nobody else said anything of that since. */
export function isAbsent(db: Db, userId: number): boolean {
  return db.find('SELECT 1 FROM source_absence WHERE user_id = ?', userId) !== undefined
}

/** Makes the account inactive as one that its source does not have any more. */
export function setAbsent(tx: Tx, userId: number, now: number): void {
  tx.update('user', userId, { is_active: 0, updated_at: now })
  tx.run('INSERT OR REPLACE INTO source_absence (user_id, created_at) VALUES (?, ?)', userId, now)
}

/** Makes the account active again. */
export function setPresent(tx: Tx, userId: number, now: number): void {
  tx.update('user', userId, { is_active: 1, updated_at: now })
}
