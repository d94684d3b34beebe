import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export function isFollowing(db: Db, followerId: number, followedId: number): boolean {
  return db.find('SELECT 1 FROM follow WHERE follower_id = ? AND followed_id = ?', followerId, followedId) !== undefined
}

/** Who is followed already stays so. */
export function insertFollow(tx: Tx, followerId: number, followedId: number, now: number): void {
  tx.run('INSERT INTO follow (follower_id, followed_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', followerId, followedId, now)
}

/** @returns whether there was such a follow */
export function removeFollow(tx: Tx, followerId: number, followedId: number): boolean {
  return tx.run('DELETE FROM follow WHERE follower_id = ? AND followed_id = ?', followerId, followedId) > 0
}

/** Those of an account's followers whom the viewer may see. */
export function listFollowers(db: LongDb, viewer: Viewer, accountId: number, page: Page): Promise<Accounts> {
  return listAccounts(db, viewer, ['follower_id', 'followed_id'], accountId, page)
}

/** The people and organizations that a person follows, as far as the viewer may see them. */
export function listFollowed(db: LongDb, viewer: Viewer, accountId: number, page: Page): Promise<Accounts> {
  return listAccounts(db, viewer, ['followed_id', 'follower_id'], accountId, page)
}

interface Accounts {
  rows: UserRow[]
  total: number
}

type End = 'follower_id' | 'followed_id'

/** Who stands at the one end of the follows that have the account at the other. */
function listAccounts(db: LongDb, viewer: Viewer, [one, other]: [End, End], accountId: number, page: Page): Promise<Accounts> {
  return listSeenAccounts(db, viewer, { table: 'follow', of: one, where: `${other} = ?`, values: [accountId] }, page)
}
