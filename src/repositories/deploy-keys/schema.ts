import { t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { Fingerprint } from '#people/keys/index.ts'
import { Repository } from '#repositories/repos/index.ts'

export const DeployKey = t.Object(
  {
    id: Int(),
    key_id: Int({ description: 'ID of the key itself. It is the same in all repositories that use the key as a deploy key.' }),
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

export const DeployKeysQuery = t.Object({
  ...PageQuery.properties,
  key_id: t.Optional(t.String({ documentedAs: 'integer', description: 'Return only the key with this key_id' })),
  fingerprint: Fingerprint,
})
