import { accessStore, lineOf, type UserRow, type Viewer } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Row, Tx, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Which accounts a list shows; absent members do not filter. */
export interface UserFilter {
  /** Part of the name or full name, in any case. */
  keyword?: string
  /** Where else `keyword` is looked for: in parts of e-mail addresses; or as one, of those who show theirs. */
  byEmail?: 'all' | 'shown'
  id?: number
  sourceId?: number
  loginName?: string
  visibility?: string
  isActive?: boolean
  isAdmin?: boolean
  isRestricted?: boolean
  isLoginProhibited?: boolean
  hasSecondFactor?: boolean
  /** Who looks: visitors (`undefined`) see public accounts, members also limited ones, restricted members only public ones; `'all'` sees all. */
  seenBy: 'all' | Pick<UserRow, 'id' | 'is_restricted'> | undefined
}

export const userOrders = { name: 'lower_name', created: 'created_at', updated: 'updated_at', id: 'id' } as const
export type UserOrder = keyof typeof userOrders

/**
 * People, in the given order; the number of all that match is told beside the page. Ids come first: whole rows would be costly to pass over.
 * @param line who asks: see `LongDb`
 */
export async function listPeople(db: LongDb, line: string, filter: UserFilter, page: Page, order: UserOrder = 'name', descending = false): Promise<People> {
  const { sql, values } = where(filter)
  const direction = descending ? 'DESC' : 'ASC'
  const counted = question<{ n: number }>(`SELECT count(*) AS n FROM user WHERE ${sql}`, ...values)
  const inOrder = `SELECT id FROM user WHERE ${sql} ORDER BY ${userOrders[order]} ${direction}, id ${direction} LIMIT ? OFFSET ?`
  const found = await db.askAside({ counted, ids: question<{ id: number }>(inOrder, ...values, page.limit, page.offset) }, line)
  const rows = accessStore.listUsersById(
    db,
    found.ids.map(({ id }) => id),
  )
  return { rows, total: found.counted[0]?.n ?? 0 }
}

/** The accounts of one page, and how many there are on all pages. */
export interface People {
  rows: UserRow[]
  total: number
}

/** All people there are, by name. */
export function listEverybody(db: Db): UserRow[] {
  return db.all<UserRow>("SELECT * FROM user WHERE kind = 'person' ORDER BY lower_name")
}

function where(filter: UserFilter): { sql: string; values: Value[] } {
  const parts = ["kind = 'person'"]
  const values: Value[] = []
  const add = (sql: string, ...more: Value[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (filter.keyword) addKeyword(add, filter.keyword.toLowerCase(), filter.byEmail)
  if (filter.id !== undefined) add('id = ?', filter.id)
  if (filter.sourceId !== undefined) add('login_source = ?', filter.sourceId)
  if (filter.loginName !== undefined) add('login_name = ?', filter.loginName)
  if (filter.visibility !== undefined) add('visibility = ?', filter.visibility)
  if (filter.isActive !== undefined) add('is_active = ?', Number(filter.isActive))
  if (filter.isAdmin !== undefined) add('is_admin = ?', Number(filter.isAdmin))
  if (filter.isRestricted !== undefined) add('is_restricted = ?', Number(filter.isRestricted))
  if (filter.isLoginProhibited !== undefined) add('prohibit_login = ?', Number(filter.isLoginProhibited))
  if (filter.hasSecondFactor !== undefined) add('(factor_count > 0) = ?', Number(filter.hasSecondFactor))
  if (filter.seenBy === undefined) add("visibility = 'public'")
  else if (filter.seenBy !== 'all') {
    const open = filter.seenBy.is_restricted === 1 ? "('public')" : "('public', 'limited')"
    add(`(visibility IN ${open} OR id = ?)`, filter.seenBy.id)
  }
  return { sql: parts.join(' AND '), values }
}

function addKeyword(add: (sql: string, ...values: Value[]) => void, keyword: string, byEmail: UserFilter['byEmail']): void {
  const fields = ['lower_name', 'lower(full_name)', ...(byEmail === 'all' ? ['lower(email)'] : [])]
  const tests = [...fields.map((field) => `instr(${field}, ?) > 0`), ...(byEmail === 'shown' ? ['(hide_email = 0 AND lower(email) = ?)'] : [])]
  add(`(${tests.join(' OR ')})`, ...tests.map(() => keyword))
}

/** Whether no other administrator but this one can sign in. */
export function isLastAdmin(db: Db, id: number): boolean {
  const usable = db.all<{ id: number }>(
    "SELECT id FROM user INDEXED BY user_administrator WHERE is_admin = 1 AND is_active = 1 AND prohibit_login = 0 AND kind = 'person' LIMIT 2",
  )
  return usable.length === 1 && usable[0]?.id === id
}

export function insertUser(tx: Tx, row: Row): number {
  return tx.insert('user', row)
}

export function updateUser(tx: Tx, id: number, row: Row): void {
  tx.update('user', id, row)
}

/** Takes with it all that references the account: addresses, tokens, keys, stars, memberships, redirects. */
export function removeUser(tx: Tx, id: number): void {
  tx.run('DELETE FROM user WHERE id = ?', id)
}

export interface EmailRow {
  id: number
  user_id: number
  email: string
  lower_email: string
  is_verified: number
  is_primary: number
}

/** An address of the account's, verified or not; whose a verified one is, `accessStore.findUserByEmail` tells. */
export function findEmail(db: Db, userId: number, email: string): EmailRow | undefined {
  return db.find<EmailRow>('SELECT * FROM email_address WHERE user_id = ? AND lower_email = ?', userId, email.toLowerCase())
}

/** Makes this verified address the account's primary one; addresses it had stay with it. Who merely claimed the address loses it. */
export function setPrimaryEmail(tx: Tx, userId: number, email: string): void {
  tx.run('DELETE FROM email_address WHERE lower_email = ? AND user_id <> ? AND is_verified = 0', email.toLowerCase(), userId)
  tx.run('UPDATE email_address SET is_primary = 0 WHERE user_id = ?', userId)
  tx.run(
    `INSERT INTO email_address (user_id, email, lower_email, is_verified, is_primary) VALUES (?, ?, ?, 1, 1)
     ON CONFLICT (user_id, lower_email) DO UPDATE SET email = excluded.email, is_verified = 1, is_primary = 1`,
    userId,
    email,
    email.toLowerCase(),
  )
  tx.update('user', userId, { email })
}

/** The one address of an account that has none of its own yet. */
export function setClaimedEmail(tx: Tx, userId: number, email: string): void {
  tx.run('DELETE FROM email_address WHERE user_id = ? AND is_verified = 0', userId)
  tx.insert('email_address', { user_id: userId, email, lower_email: email.toLowerCase(), is_verified: 0, is_primary: 1 })
  tx.update('user', userId, { email })
}

export function isNameReserved(db: Db, name: string): boolean {
  return db.find('SELECT 1 FROM reserved_name WHERE lower_name = ?', name.toLowerCase()) !== undefined
}

export function isEmailReserved(db: Db, email: string): boolean {
  return db.find('SELECT 1 FROM reserved_email WHERE lower_email = ?', email.toLowerCase()) !== undefined
}

/** The account that left this name behind when it was renamed. */
export function findLeftName(db: Db, name: string): number | undefined {
  return db.find<{ user_id: number | null }>('SELECT user_id FROM reserved_name WHERE lower_name = ?', name.toLowerCase())?.user_id ?? undefined
}

export function reserveName(tx: Tx, name: string, reason: ReservedNameRow['reason'], userId: number | null, now: number): void {
  tx.run('INSERT OR REPLACE INTO reserved_name (lower_name, reason, user_id, created_at) VALUES (?, ?, ?, ?)', name.toLowerCase(), reason, userId, now)
}

export function releaseName(tx: Tx, name: string): void {
  tx.run('DELETE FROM reserved_name WHERE lower_name = ?', name.toLowerCase())
}

/** Releases the name and the e-mail addresses of a deleted account. Blocked names, and former names of accounts that still exist, stay reserved. */
export function releaseDeletedName(tx: Tx, name: string): void {
  if (tx.run("DELETE FROM reserved_name WHERE lower_name = ? AND reason = 'deleted'", name.toLowerCase()) > 0) releaseEmails(tx, name)
}

/** Names that an account left behind stay reserved when it goes. */
export function keepLeftNames(tx: Tx, userId: number): void {
  tx.run("UPDATE reserved_name SET reason = 'deleted', user_id = NULL WHERE user_id = ?", userId)
}

/** All addresses that are shown to be the account's. */
export function reserveEmails(tx: Tx, user: UserRow, now: number): void {
  tx.run(
    'INSERT OR REPLACE INTO reserved_email (lower_email, lower_name, created_at) SELECT lower_email, ?, ? FROM email_address WHERE user_id = ? AND is_verified = 1',
    user.lower_name,
    now,
    user.id,
  )
}

/** A name that nobody can register. */
export interface ReservedNameRow {
  lower_name: string
  reason: 'deleted' | 'renamed' | 'blocked'
  /** What a renamed account is called now. */
  leads_to: string | null
  /** Of the deleted account that had the name, separated by blanks. */
  addresses: string | null
  created_at: number
}

/** All of them, in order. */
export function listReservedNames(db: Db): ReservedNameRow[] {
  return db.all<ReservedNameRow>(`SELECT ${reservedColumns} ${reservedNames} ORDER BY old.lower_name`)
}

/** Returns a page of the reserved names that contain `keyword`. */
export function searchReservedNames(db: LongDb, viewer: Viewer, keyword: string, page: Page): Promise<{ rows: ReservedNameRow[]; total: number }> {
  const from = `${reservedNames} WHERE instr(old.lower_name, ?) > 0`
  return pageAside(db, lineOf(viewer), { columns: reservedColumns, from, order: 'old.lower_name', values: [keyword.toLowerCase()] }, page)
}

const reservedNames = 'FROM reserved_name AS old LEFT JOIN user ON user.id = old.user_id'
const reservedColumns = `old.lower_name, old.reason, user.name AS leads_to, old.created_at,
  (SELECT group_concat(lower_email, ' ') FROM reserved_email WHERE reserved_email.lower_name = old.lower_name) AS addresses`

export function findReservedName(db: Db, name: string): ReservedNameRow | undefined {
  return db.find<ReservedNameRow>(`SELECT ${reservedColumns} ${reservedNames} WHERE old.lower_name = ?`, name.toLowerCase())
}

/** The addresses of the deleted account that had this name. */
export function listReservedEmails(db: Db, name: string): string[] {
  const sql = 'SELECT lower_email FROM reserved_email WHERE lower_name = ? ORDER BY lower_email'
  return db.all<{ lower_email: string }>(sql, name.toLowerCase()).map((row) => row.lower_email)
}

export function releaseEmails(tx: Tx, name: string): void {
  tx.run('DELETE FROM reserved_email WHERE lower_name = ?', name.toLowerCase())
}
