import type { Db } from '#kernel/db.ts'

/** Whether the account is being deleted: see `site/admin/delete-user.ts`. */
export function isLeaving(db: Db, accountId: number): boolean {
  return db.find("SELECT 1 FROM job WHERE kind = 'admin.deleteAccount' AND key = ?", String(accountId)) !== undefined
}
