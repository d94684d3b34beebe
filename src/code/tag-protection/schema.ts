import { type Static, t } from 'elysia'
import { Int, Time, wordList } from '#kernel/schema.ts'

export const TagProtection = t.Object(
  {
    id: Int(),
    name_pattern: t.String(),
    whitelist_usernames: t.Array(t.String()),
    whitelist_teams: t.Array(t.String()),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'TagProtection' },
)
export type TagProtection = Static<typeof TagProtection>
export const TagProtectionList = t.Array(TagProtection)

const Names = wordList(t.String({ maxLength: 255 }), { maxItems: 500 })
const options = {
  name_pattern: t.Optional(t.String({ maxLength: 255, description: 'a glob, or a regular expression between slashes' })),
  whitelist_usernames: t.Optional(Names),
  whitelist_teams: t.Optional(Names),
}
export const CreateTagProtectionOption = t.Object(options, { $id: 'CreateTagProtectionOption' })
export const EditTagProtectionOption = t.Object(options, { $id: 'EditTagProtectionOption' })
export type TagProtectionOption = Static<typeof EditTagProtectionOption>
