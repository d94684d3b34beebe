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
  all: t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, show notifications marked as read, too' })),
  'status-types': several('show notifications with these statuses: unread, read, pinned; unread and pinned unless said'),
  'subject-type': several('show notifications about these: issue, pull, commit, repository'),
  ...TimeQuery,
  ...PageQuery.properties,
})
export const ReadQuery = t.Object({
  all: t.Optional(t.String({ documentedAs: 'boolean', description: 'if true, whatever their status is' })),
  'status-types': several('only those with these statuses; unread unless said'),
  'to-status': t.Optional(t.String({ description: 'what they become: read, unread or pinned; read unless said' })),
  last_read_at: t.Optional(t.String({ documentedAs: 'date-time', description: 'only what was updated up to then' })),
})
export const ThreadParams = t.Object({ id: IdText('id of the thread') })
export const ThreadQuery = t.Object({ 'to-status': t.Optional(t.String({ description: 'what it becomes: read, unread or pinned; read unless said' })) })
