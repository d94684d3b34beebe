import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { UserRow } from './rows.ts'
import { isSiteAdmin, type Viewer } from './viewer.ts'

/** The rows of `user` that the viewer may see: what `canSeeUser` and `canSeeOrg` answer for one account, as a condition for lists. */
export function visibleAccounts(viewer: Viewer): Condition {
  const { user, grant } = viewer
  if (user === undefined || grant?.publicOnly) return { sql: "user.visibility = 'public'", values: [] }
  if (isSiteAdmin(viewer)) return { sql: 'TRUE', values: [] }
  const open = user.is_restricted === 1 ? "('public')" : "('public', 'limited')"
  const own = 'user.id = ? OR user.id IN (SELECT org_id FROM org_member WHERE user_id = ?)'
  return { sql: `(user.visibility IN ${open} OR ${own})`, values: [user.id, user.id] }
}

/**
 * The same where people know each other, however private they are: in an organization of theirs, in what they administer.
 * A token for public things only knows no more there than elsewhere.
 */
export function knownFellows(viewer: Viewer): Condition {
  return viewer.grant?.publicOnly ? visibleAccounts(viewer) : { sql: 'TRUE', values: [] }
}

/**
 * Whether the person is kept from dealing with `blockerId`, a person or an organization, and with what they own.
 * Nobody keeps a site administrator away, as in Gitea.
 */
export function isBlocked(db: Db, blockerId: number, personId: number): boolean {
  const sql = 'SELECT 1 FROM block JOIN user ON user.id = blocked_id WHERE blocker_id = ? AND blocked_id = ? AND is_admin = 0'
  return db.find(sql, blockerId, personId) !== undefined
}

/** The administrator who has been there longest. */
export function findFirstAdministrator(db: Db): UserRow | undefined {
  return db.find<UserRow>("SELECT * FROM user WHERE is_admin = 1 AND kind = 'person' ORDER BY id LIMIT 1")
}
