import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { Team } from '#people/teams/index.ts'
import { User } from '#people/users/index.ts'
import { Label } from '#repositories/labels/index.ts'
import { Issue, TimeQuery } from '#work/issues/index.ts'
import { Milestone } from '#work/milestones/index.ts'
import { TrackedTime } from '#work/times/index.ts'
import { Comment } from './schema.ts'

export const TimelineComment = t.Object(
  {
    id: Int(),
    type: t.String({ description: 'type of the event' }),
    html_url: t.String(),
    pull_request_url: t.String(),
    issue_url: t.String(),
    user: User,
    body: t.String(),
    created_at: Time,
    updated_at: Time,
    old_project_id: Int(),
    project_id: Int(),
    old_milestone: t.Nullable(Milestone),
    milestone: t.Nullable(Milestone),
    tracked_time: t.Nullable(TrackedTime),
    old_title: t.String(),
    new_title: t.String(),
    old_ref: t.String(),
    new_ref: t.String(),
    ref_issue: t.Nullable(Issue),
    ref_comment: t.Nullable(Comment),
    ref_action: t.String(),
    ref_commit_sha: t.String(),
    review_id: Int(),
    label: t.Nullable(Label),
    assignee: t.Nullable(User),
    assignee_team: t.Nullable(Team),
    removed_assignee: t.Boolean(),
    resolve_doer: t.Null(),
    dependent_issue: t.Nullable(Issue),
  },
  { $id: 'TimelineComment' },
)
export type TimelineComment = Static<typeof TimelineComment>
/** Null when there is nothing, as in Gitea. */
export const TimelineList = t.Nullable(t.Array(TimelineComment))
export const TimelineQuery = t.Object({ ...TimeQuery, ...PageQuery.properties })
