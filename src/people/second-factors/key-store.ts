import type { Tx } from '#kernel/db.ts'

export function deleteKeysOf(tx: Tx, userId: number): void {
  tx.run('DELETE FROM security_key WHERE user_id = ?', userId)
}
