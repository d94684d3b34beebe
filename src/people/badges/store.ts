import type { UserRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface BadgeRow {
  id: number
  slug: string
  description: string
  image_url: string
}

export function listBadges(db: Db): BadgeRow[] {
  return db.all<BadgeRow>('SELECT * FROM badge ORDER BY slug')
}

/** A page of them, and how many there are. */
export function listBadgePage(db: Db, page: Page): { rows: BadgeRow[]; total: number } {
  const total = db.find<{ n: number }>('SELECT count(*) AS n FROM badge')?.n ?? 0
  return { rows: db.all<BadgeRow>('SELECT * FROM badge ORDER BY slug LIMIT ? OFFSET ?', page.limit, page.offset), total }
}

export function findBadge(db: Db, slug: string): BadgeRow | undefined {
  return db.find<BadgeRow>('SELECT * FROM badge WHERE slug = ?', slug)
}

export function insertBadge(tx: Tx, badge: Omit<BadgeRow, 'id'>): void {
  tx.insert('badge', { ...badge })
}

/** Takes it from everyone who has it, too. */
export function deleteBadge(tx: Tx, id: number): void {
  tx.run('DELETE FROM badge WHERE id = ?', id)
}

export function countUserBadges(db: Db, userId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM user_badge WHERE user_id = ?', userId)?.n ?? 0
}

export function listUserBadges(db: Db, userId: number, page: Page): BadgeRow[] {
  return db.all<BadgeRow>(
    'SELECT badge.* FROM user_badge JOIN badge ON badge.id = user_badge.badge_id WHERE user_badge.user_id = ? ORDER BY badge_id LIMIT ? OFFSET ?',
    userId,
    page.limit,
    page.offset,
  )
}

/** Who has a badge, by name. */
export function listHolders(db: Db, badgeId: number, page: Page): { rows: UserRow[]; total: number } {
  const total = db.find<{ n: number }>('SELECT count(*) AS n FROM user_badge WHERE badge_id = ?', badgeId)?.n ?? 0
  const sql = 'SELECT user.* FROM user_badge JOIN user ON user.id = user_badge.user_id WHERE badge_id = ? ORDER BY lower_name LIMIT ? OFFSET ?'
  return { rows: db.all<UserRow>(sql, badgeId, page.limit, page.offset), total }
}

export function insertUserBadge(tx: Tx, userId: number, badgeId: number): void {
  tx.run('INSERT OR IGNORE INTO user_badge (user_id, badge_id) VALUES (?, ?)', userId, badgeId)
}

export function deleteUserBadge(tx: Tx, userId: number, badgeId: number): void {
  tx.run('DELETE FROM user_badge WHERE user_id = ? AND badge_id = ?', userId, badgeId)
}
