import { type Static, t } from 'elysia'
import { IdText, PageQuery } from '#access/index.ts'
import { Int, oneOf, several, Time } from '#kernel/schema.ts'
import { Repository } from '#repositories/repos/index.ts'
import { TimeQuery } from '#work/issues/index.ts'

export const NotificationSubject = t.Object(
  {
    title: t.String(),
    url: t.String(),
    latest_comment_url: t.String(),
    html_url: t.String(),
    latest_comment_html_url: t.String(),
    type: oneOf(['Issue', 'Pull', 'Commit', 'Repository']),
    state: oneOf(['open', 'closed', 'merged', '']),
  },
  { $id: 'NotificationSubject' },
)

export const NotificationThread = t.Object(
  {
    id: Int(),
    repository: Repository,
    subject: NotificationSubject,
    unread: t.Boolean(),
    pinned: t.Boolean(),
    updated_at: Time,
    url: t.String(),
  },
  { $id: 'NotificationThread' },
)
export type NotificationThread = Static<typeof NotificationThread>
export const NotificationThreadList = t.Array(NotificationThread, { $id: 'NotificationThreadList' })
export const NotificationCount = t.Object({ new: Int() }, { $id: 'NotificationCount' })

export const NotificationsQuery = t.Object({
  all: t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, also show notifications marked as read' })),
  'status-types': several('only show notifications with these statuses: unread, read, pinned (default: unread and pinned)'),
  'subject-type': several('only show notifications about these subjects: issue, pull, commit, repository'),
  ...TimeQuery,
  ...PageQuery.properties,
})
export const ReadQuery = t.Object({
  all: t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, mark notifications of every status' })),
  'status-types': several('only mark notifications with these statuses (default: unread)'),
  'to-status': t.Optional(t.String({ description: 'new status: read, unread or pinned (default: read)' })),
  last_read_at: t.Optional(t.String({ documentedAs: 'date-time', description: 'only mark notifications that were last updated at or before this time' })),
})
export const ThreadParams = t.Object({ id: IdText('ID of the thread') })
export const ThreadQuery = t.Object({ 'to-status': t.Optional(t.String({ description: 'new status: read, unread or pinned (default: read)' })) })
