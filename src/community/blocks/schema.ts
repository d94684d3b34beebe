import { t } from 'elysia'
import { OrgParams, PersonParams } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'

export const BlockedUser = t.Object({ block_id: Int({ description: 'ID of the blocked user' }), created_at: Time }, { $id: 'BlockedUser' })
export const BlockedUserList = t.Array(BlockedUser, { $id: 'BlockedUserList' })

export const BlockParams = PersonParams
export const OrgBlockParams = t.Object({ ...OrgParams.properties, ...BlockParams.properties })
export const BlockQuery = t.Object({ note: t.Optional(t.String({ maxLength: 255, description: 'optional note for the block' })) })
