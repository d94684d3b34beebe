import { t } from 'elysia'
import { Int, wordList } from '#kernel/schema.ts'

export const Badge = t.Object({ id: Int(), slug: t.String(), description: t.String(), image_url: t.String() }, { $id: 'Badge' })

export const BadgeList = t.Array(Badge, { $id: 'BadgeList' })

export const UserBadgeOption = t.Object({ badge_slugs: t.Optional(wordList(t.String({ maxLength: 64 }), { maxItems: 100 })) }, { $id: 'UserBadgeOption' })
