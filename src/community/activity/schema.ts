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
    user_id: Int({ description: 'ID of the user whose feed contains the activity' }),
    op_type: oneOf(opTypes, { description: 'Type of the activity' }),
    act_user_id: Int(),
    act_user: User,
    repo_id: Int(),
    repo: Repository,
    comment_id: Int({ description: 'ID of the comment; 0 if the activity has none or the comment was deleted' }),
    comment: t.Nullable(Comment),
    ref_name: t.String({ description: 'Full name of the branch or tag; empty without read access to code' }),
    is_private: t.Boolean(),
    content: t.String({
      description: 'commit_repo and tags: JSON of the pushed commits; rename_repo: the old name; empty if a branch was created or deleted',
    }),
    created: Time,
  },
  { $id: 'Activity' },
)
export type Activity = Static<typeof Activity>
export const ActivityFeedsList = t.Array(Activity, { $id: 'ActivityFeedsList' })

export const UserHeatmapData = t.Object(
  { timestamp: Int({ description: 'Start of a 15-minute interval, in seconds since 1970' }), contributions: Int() },
  { $id: 'UserHeatmapData' },
)
export const Heatmap = t.Array(UserHeatmapData)

export const FeedQuery = t.Object({
  date: t.Optional(t.String({ maxLength: 10, error: 'expected a date such as 2026-01-31', description: 'only show activities of this day (YYYY-MM-DD, UTC)' })),
  ...PageQuery.properties,
})
export const UserFeedQuery = t.Object({
  'only-performed-by': t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, only show actions performed by the requested user' })),
  ...FeedQuery.properties,
})
