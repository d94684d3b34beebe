import type { Static } from 'elysia'
import { isSelf, isSiteAdmin, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentUser } from '#people/users/index.ts'
import type { PrincipalRow } from './principals-store.ts'
import type { Principal, PublicKey } from './schema.ts'
import type { PublicKeyRow } from './store.ts'

/** Keys are public; when one was used last is its owner's business. */
export function presentPublicKeys(
  context: Pick<Context, 'db' | 'rootUrl'>,
  viewer: Viewer,
  owner: UserRow,
  rows: readonly PublicKeyRow[],
): Static<typeof PublicKey>[] {
  const user = presentUser(context, viewer, owner)
  const seesUse = isSelf(viewer, owner) || isSiteAdmin(viewer)
  return rows.map((row) => ({
    id: row.id,
    key: row.content,
    url: `${context.rootUrl}api/v1/user/keys/${row.id}`,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: rfc3339(row.created_at),
    last_used_at: rfc3339((seesUse ? row.last_used_at : null) ?? row.created_at),
    user,
    read_only: row.is_read_only === 1,
    key_type: 'user',
  }))
}

export function presentPublicKey(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Viewer, owner: UserRow, row: PublicKeyRow): Static<typeof PublicKey> {
  return presentPublicKeys(context, viewer, owner, [row])[0] as Static<typeof PublicKey>
}

export function presentPrincipal({ id, name, created_at, last_used_at }: PrincipalRow): Static<typeof Principal> {
  // One that was never used shows when it was added, as keys do.
  return { id, name, created_at: rfc3339(created_at), last_used_at: rfc3339(last_used_at ?? created_at) }
}
