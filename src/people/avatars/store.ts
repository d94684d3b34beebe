import type { Db, Tx } from '#kernel/db.ts'

/** What has an avatar: an account, be it a person or an organization, or a repository. */
export interface AvatarOwner {
  table: 'user' | 'repository'
  id: number
}

/** The name of the holder's picture, empty without one; undefined when there is no such holder. */
export function findAvatar(db: Db, { table, id }: AvatarOwner): string | undefined {
  return db.find<{ avatar: string }>(`SELECT avatar FROM ${table} WHERE id = ?`, id)?.avatar
}

export function setAvatar(tx: Tx, { table, id }: AvatarOwner, name: string): void {
  tx.update(table, id, { avatar: name })
}

/** Whether anything in `table` has the picture of this name. */
export function isHeld(db: Db, table: AvatarOwner['table'], name: string): boolean {
  return db.find(`SELECT 1 FROM ${table} WHERE avatar = ? AND avatar <> ''`, name) !== undefined
}

/** The names of all pictures that anyone has. */
export function listAvatars(db: Db): string[] {
  const sql = "SELECT avatar FROM user WHERE avatar <> '' UNION ALL SELECT avatar FROM repository WHERE avatar <> ''"
  return db.all<{ avatar: string }>(sql).map((row) => row.avatar)
}
