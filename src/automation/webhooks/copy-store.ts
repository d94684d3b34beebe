import type { Tx } from '#kernel/db.ts'

/** Gives a repository the hooks of another, secrets and all; whoever has them made answers for them. */
export function copyHooks(tx: Tx, fromId: number, toId: number, doerId: number, now: number): void {
  const columns = 'type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active'
  tx.run(
    `INSERT INTO webhook (repo_id, creator_id, ${columns}, created_at, updated_at) SELECT ?, ?, ${columns}, ?, ? FROM webhook WHERE repo_id = ? ORDER BY id`,
    toId,
    doerId,
    now,
    now,
    fromId,
  )
}
