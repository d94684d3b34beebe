import type { Db, Row, Tx } from '#kernel/db.ts'
import type { UserRow } from './rows.ts'

/** A browser that is signed in. */
export interface SessionRow {
  id: number
  user_id: number
  digest: string
  credential: string
  address: string
  user_agent: string
  created_at: number
  last_used_at: number
}

/** The session of a cookie's digest. */
export function findSession(db: Db, digest: string): SessionRow | undefined {
  return db.lookUp<SessionRow>('SELECT * FROM session WHERE digest = ?', digest)
}

/** Those used last come first. */
export function listSessions(db: Db, userId: number): SessionRow[] {
  return db.all<SessionRow>('SELECT * FROM session WHERE user_id = ? ORDER BY last_used_at DESC, id DESC', userId)
}

export function insertSession(tx: Tx, row: Row): number {
  return tx.insert('session', row)
}

/** When the account signed in last, as people are told it. */
export function noteSignIn(tx: Tx, userId: number, now: number): void {
  tx.update('user', userId, { last_login_at: now })
}

export function touchSession(tx: Tx, id: number, now: number): void {
  tx.run('UPDATE session SET last_used_at = ? WHERE id = ?', now, id)
}

export function deleteSession(tx: Tx, digest: string): void {
  tx.run('DELETE FROM session WHERE digest = ?', digest)
}

/** @returns whether the account had such a session */
export function revokeSession(tx: Tx, userId: number, id: number): boolean {
  return tx.run('DELETE FROM session WHERE user_id = ? AND id = ?', userId, id) > 0
}

/** Those that were not used since `idleSince`, or were begun before `begunBefore`: some of them at a time, more than are added. */
export function deleteEndedSessions(tx: Tx, idleSince: number, begunBefore: number): void {
  tx.run('DELETE FROM session WHERE id IN (SELECT id FROM session WHERE last_used_at < ? LIMIT 100)', idleSince)
  tx.run('DELETE FROM session WHERE id IN (SELECT id FROM session WHERE created_at < ? LIMIT 100)', begunBefore)
}

/** Keeps the account's newest ones. */
export function deleteOldestSessions(tx: Tx, userId: number, keep: number): void {
  tx.run(
    'DELETE FROM session WHERE user_id = ?1 AND id NOT IN (SELECT id FROM session WHERE user_id = ?1 ORDER BY last_used_at DESC, id DESC LIMIT ?2)',
    userId,
    keep,
  )
}

export function insertLink(tx: Tx, digest: string, userId: number, expiresAt: number): void {
  tx.run('INSERT INTO sign_in_link (digest, user_id, expires_at) VALUES (?, ?, ?)', digest, userId, expiresAt)
}

/** Whom a link signs in that has not been used and is not over. */
export function findLinkHolder(db: Db, digest: string, now: number): UserRow | undefined {
  return db.find<UserRow>('SELECT user.* FROM sign_in_link JOIN user ON user.id = user_id WHERE digest = ? AND expires_at > ?', digest, now)
}

/** @returns whether it was there: of two who use it at once, one does */
export function deleteLink(tx: Tx, digest: string): boolean {
  return tx.run('DELETE FROM sign_in_link WHERE digest = ?', digest) > 0
}

/** Some of them at a time, more than are added. */
export function deleteEndedLinks(tx: Tx, now: number): void {
  tx.run('DELETE FROM sign_in_link WHERE digest IN (SELECT digest FROM sign_in_link WHERE expires_at <= ? LIMIT 100)', now)
}
