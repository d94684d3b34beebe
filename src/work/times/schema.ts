import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { Issue, IssueParams, TimeQuery } from '#work/issues/index.ts'

export const TrackedTime = t.Object(
  {
    id: Int(),
    created: Time,
    time: Int({ description: 'seconds' }),
    user_id: Int(),
    user_name: t.String(),
    issue_id: Int(),
    issue: t.Nullable(Issue),
  },
  { $id: 'TrackedTime' },
)
export type TrackedTime = Static<typeof TrackedTime>
export const TrackedTimeList = t.Array(TrackedTime, { $id: 'TrackedTimeList' })

const MOST = 2 ** 40
export const AddTimeOption = t.Object(
  {
    time: Int({ description: 'time in seconds, not 0; negative to subtract time', minimum: -MOST, maximum: MOST }),
    created: t.Optional(Time),
    user_name: t.Optional(t.String({ maxLength: 255, description: 'user to record the time for; requires admin access to the repository' })),
  },
  { $id: 'AddTimeOption' },
)
export type AddTimeOption = Static<typeof AddTimeOption>

export const StopWatch = t.Object(
  {
    created: Time,
    seconds: Int(),
    duration: t.String(),
    issue_index: Int(),
    issue_title: t.String(),
    repo_owner_name: t.String(),
    repo_name: t.String(),
  },
  { $id: 'StopWatch' },
)
export const StopWatchList = t.Array(StopWatch, { $id: 'StopWatchList' })

export const TimeParams = t.Object({ ...IssueParams.properties, id: IdText('ID of the time entry') })
export const UserTimesParams = t.Object({ ...RepoParams.properties, user: t.String({ description: 'username of the user' }) })
export const TimesQuery = t.Object({ user: t.Optional(t.String({ description: 'only time entries of this user' })), ...TimeQuery, ...PageQuery.properties })
export type TimesQuery = Static<typeof TimesQuery>
export const OwnTimesQuery = t.Object({ ...TimeQuery, ...PageQuery.properties })
