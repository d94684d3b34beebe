import type { Config } from '#config.ts'
import type { Db } from '#kernel/db.ts'
import { isVerifiedEmailOf } from './keys-store.ts'
import type { UserRow } from './rows.ts'

/** Whether the account may go by the name where certificates are shown: its own name or address, or any name, as the setting says. */
export function mayBePrincipal({ server }: Config, db: Db, user: UserRow, name: string): boolean {
  const allowed = server.SSH_AUTHORIZED_PRINCIPALS_ALLOW
  if (allowed.includes('off')) return false
  if (allowed.includes('anything')) return true
  return (allowed.includes('username') && user.lower_name === name.toLowerCase()) || (allowed.includes('email') && isVerifiedEmailOf(db, user.id, name))
}
