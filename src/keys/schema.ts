import { t } from 'elysia'
import { Int, Time } from '../kernel/schema.ts'
import { PageQuery } from '../paging.ts'
import { Repository } from '../repos/index.ts'
import { User } from '../users/index.ts'

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

export const DeployKey = t.Object(
  {
    id: Int(),
    key_id: Int({ description: 'id of the key itself, the same in every repository it is a deploy key of' }),
    key: t.String(),
    url: t.String(),
    title: t.String(),
    fingerprint: t.String(),
    created_at: Time,
    read_only: t.Boolean(),
    repository: Repository,
  },
  { $id: 'DeployKey' },
)
export const DeployKeyList = t.Array(DeployKey, { $id: 'DeployKeyList' })

export const CreateKeyOption = t.Object(
  {
    title: t.String({ minLength: 1, maxLength: 255 }),
    key: t.String({ minLength: 1, maxLength: 16_384 }),
    read_only: t.Optional(t.Boolean()),
  },
  { $id: 'CreateKeyOption' },
)

const Fingerprint = t.Optional(t.String({ maxLength: 128, description: 'fingerprint of the key' }))

export const PublicKeysQuery = t.Object({ ...PageQuery.properties, fingerprint: Fingerprint })

export const DeployKeysQuery = t.Object({
  ...PageQuery.properties,
  key_id: t.Optional(t.String({ documentedAs: 'integer', description: 'the key_id to search for' })),
  fingerprint: Fingerprint,
})
