import { t } from 'elysia'
import { Int, Time } from '../kernel/schema.ts'
import { OrgParams } from '../orgs/index.ts'

export const BlockedUser = t.Object({ block_id: Int({ description: 'id of the blocked user' }), created_at: Time }, { $id: 'BlockedUser' })
export const BlockedUserList = t.Array(BlockedUser, { $id: 'BlockedUserList' })

export const BlockParams = t.Object({ username: t.String({ description: 'username of the user' }) })
export const OrgBlockParams = t.Object({ ...OrgParams.properties, ...BlockParams.properties })
export const BlockQuery = t.Object({ note: t.Optional(t.String({ maxLength: 255, description: 'optional note for the block' })) })
