import { t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'

export const PublicKey = t.Object(
  {
    id: Int(),
    key: t.String(),
    url: t.String(),
    title: t.String(),
    fingerprint: t.String(),
    created_at: Time,
    last_used_at: Time,
    user: User,
    read_only: t.Boolean(),
    key_type: t.String(),
  },
  { $id: 'PublicKey' },
)
export const PublicKeyList = t.Array(PublicKey, { $id: 'PublicKeyList' })

export const CreateKeyOption = t.Object(
  {
    title: t.String({ minLength: 1, maxLength: 255 }),
    key: t.String({ minLength: 1, maxLength: 16_384 }),
    read_only: t.Optional(t.Boolean()),
  },
  { $id: 'CreateKeyOption' },
)

/** A name by which a person is known to whoever makes SSH certificates. */
export const Principal = t.Object({ id: Int(), name: t.String(), created_at: Time, last_used_at: Time }, { $id: 'Principal' })
export const PrincipalList = t.Array(Principal, { $id: 'PrincipalList' })

export const CreatePrincipalOption = t.Object({ name: t.String({ minLength: 1, maxLength: 255 }) }, { $id: 'CreatePrincipalOption' })

export const Fingerprint = t.Optional(t.String({ maxLength: 128, description: 'fingerprint of the key' }))

export const PublicKeysQuery = t.Object({ ...PageQuery.properties, fingerprint: Fingerprint })
