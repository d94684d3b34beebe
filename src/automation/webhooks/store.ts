import type { Db, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface WebhookRow {
  id: number
  repo_id: number | null
  owner_id: number | null
  is_system: number
  /** Who made it, or last said where it leads or that it is on; null: their account is gone. */
  creator_id: number | null
  type: string
  name: string
  /** Encrypted, as `secret` and `authorization` are; `openSecrets` reads all three. */
  url: string
  content_type: string
  secret: string
  authorization: string
  events: string
  branch_filter: string
  settings: string
  is_active: number
  created_at: number
  updated_at: number
}

export type SecretColumns = Pick<WebhookRow, 'id' | 'url' | 'secret' | 'authorization'>

/** What hooks hang on: a repository, an account (a person or an organization), or the site when both are null. */
export interface HookOwner {
  repo_id: number | null
  owner_id: number | null
}

export const ofRepo = (id: number): HookOwner => ({ repo_id: id, owner_id: null })
export const ofOwner = (id: number): HookOwner => ({ repo_id: null, owner_id: id })
export const ofSite: HookOwner = { repo_id: null, owner_id: null }

const held = 'repo_id IS ? AND owner_id IS ?'

export function findHook(db: Db, { repo_id, owner_id }: HookOwner, id: number): WebhookRow | undefined {
  return db.find<WebhookRow>(`SELECT * FROM webhook WHERE id = ? AND ${held}`, id, repo_id, owner_id)
}

/** @param isSystem of the site's hooks, only those that are, or are not, told of everything */
export function listHooks(db: Db, { repo_id, owner_id }: HookOwner, page: Page, isSystem?: boolean): WebhookRow[] {
  const { sql, values } = systemFilter(isSystem)
  return db.all<WebhookRow>(`SELECT * FROM webhook WHERE ${held}${sql} ORDER BY id LIMIT ? OFFSET ?`, repo_id, owner_id, ...values, page.limit, page.offset)
}

export function countHooks(db: Db, { repo_id, owner_id }: HookOwner, isSystem?: boolean): number {
  const { sql, values } = systemFilter(isSystem)
  return db.find<{ n: number }>(`SELECT count(*) AS n FROM webhook WHERE ${held}${sql}`, repo_id, owner_id, ...values)?.n ?? 0
}

function systemFilter(isSystem: boolean | undefined): { sql: string; values: number[] } {
  return isSystem === undefined ? { sql: '', values: [] } : { sql: ' AND is_system = ?', values: [Number(isSystem)] }
}

/** What is encrypted of them, in the order of their ids. */
export function listSecretColumns(db: Db, after: number, limit: number): SecretColumns[] {
  return db.all('SELECT id, url, secret, "authorization" FROM webhook WHERE id > ? ORDER BY id LIMIT ?', after, limit)
}

export function insertHook(tx: Tx, row: Omit<WebhookRow, 'id'>): number {
  return tx.insert('webhook', { ...row })
}

export function updateHook(tx: Tx, id: number, row: Row): void {
  tx.update('webhook', id, row)
}

/** @returns whether the owner had such a hook */
export function removeHook(tx: Tx, { repo_id, owner_id }: HookOwner, id: number): boolean {
  return tx.run(`DELETE FROM webhook WHERE id = ? AND ${held}`, id, repo_id, owner_id) > 0
}
