import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, oneOf, Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'
import { Repository } from '#repositories/repos/index.ts'
import { Comment } from '#work/comments/index.ts'
import { opTypes } from './store.ts'

export const Activity = t.Object(
  {
    id: Int(),
    user_id: Int({ description: 'Whose feed it is in' }),
    op_type: oneOf(opTypes, { description: 'What was done' }),
    act_user_id: Int(),
    act_user: User,
    repo_id: Int(),
    repo: Repository,
    comment_id: Int({ description: '0 unless the activity is about a comment that is still there' }),
    comment: t.Nullable(Comment),
    ref_name: t.String({ description: 'The full name of the branch or tag; empty for who may not read code' }),
    is_private: t.Boolean(),
    content: t.String({
      description: "Of commit_repo and tags: JSON of the pushed commits; of rename_repo: the former name; empty for a branch's creation and deletion",
    }),
    created: Time,
  },
  { $id: 'Activity' },
)
export type Activity = Static<typeof Activity>
export const ActivityFeedsList = t.Array(Activity, { $id: 'ActivityFeedsList' })

export const UserHeatmapData = t.Object(
  { timestamp: Int({ description: 'When a quarter of an hour began, seconds since 1970' }), contributions: Int() },
  { $id: 'UserHeatmapData' },
)
export const Heatmap = t.Array(UserHeatmapData)

export const FeedQuery = t.Object({
  date: t.Optional(t.String({ maxLength: 10, error: 'a day like 2026-01-31 is expected', description: 'only activities of this day, in UTC: YYYY-MM-DD' })),
  ...PageQuery.properties,
})
export const UserFeedQuery = t.Object({
  'only-performed-by': t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, only show actions performed by the requested user' })),
  ...FeedQuery.properties,
})
