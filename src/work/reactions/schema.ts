import { type Static, t } from 'elysia'
import { Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'

export const Reaction = t.Object({ user: User, content: t.String(), created_at: Time }, { $id: 'Reaction' })
export type Reaction = Static<typeof Reaction>
/** Null when there are none, as in Gitea. */
export const ReactionList = t.Nullable(t.Array(Reaction))
export const EditReactionOption = t.Object({ content: t.Optional(t.String({ maxLength: 50 })) }, { $id: 'EditReactionOption' })
