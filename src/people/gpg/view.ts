import { isSelf, isSiteAdmin, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import type { GPGKey } from './schema.ts'
import { type GpgKeyRow, listKeyEmails, listSubkeys } from './store.ts'

/** Primary keys with their subkeys. Keys are public; what addresses are the owner's only as far as the owner shows addresses. */
export function presentGpgKeys(context: Pick<Context, 'db'>, viewer: Viewer, owner: UserRow, rows: readonly GpgKeyRow[]): GPGKey[] {
  const ids = rows.map((row) => row.id)
  const seesEmails = isSelf(viewer, owner) || isSiteAdmin(viewer) || (viewer.user !== undefined && owner.hide_email === 0)
  const emails = seesEmails ? listKeyEmails(context.db, ids) : []
  const subkeys = listSubkeys(context.db, ids)
  return rows.map((row) => ({
    ...presentKey(row, ''),
    emails: someOf(emails.filter((one) => one.key_id === row.id).map(({ email }) => ({ email, verified: true }))),
    subkeys: someOf(subkeys.filter((one) => one.primary_id === row.id).map((subkey) => presentKey(subkey, row.key_id))),
  }))
}

export function presentGpgKey(context: Pick<Context, 'db'>, viewer: Viewer, owner: UserRow, row: GpgKeyRow): GPGKey {
  return presentGpgKeys(context, viewer, owner, [row])[0] as GPGKey
}

/** Null when there are none, as Go writes a list that nobody made. */
function someOf<T>(list: T[]): T[] | null {
  return list.length > 0 ? list : null
}

function presentKey(row: GpgKeyRow, primaryKeyId: string): GPGKey {
  return {
    id: row.id,
    primary_key_id: primaryKeyId,
    key_id: row.key_id,
    public_key: Buffer.from(row.packet).toString('base64'),
    emails: null,
    subkeys: null,
    can_sign: row.can_sign === 1,
    can_encrypt_comms: row.can_encrypt_comms === 1,
    can_encrypt_storage: row.can_encrypt_storage === 1,
    can_certify: row.can_certify === 1,
    verified: row.is_verified === 1,
    created_at: rfc3339(row.created_at),
    expires_at: rfc3339(row.expires_at),
  }
}
