import { anyOf, type Condition, condition } from '#kernel/database/condition.ts'
import { isClearing } from '#kernel/database/delete-row.ts'
import { nothingAsked, type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { Reason, Told } from './reasons.ts'

export const statuses = ['unread', 'read', 'pinned'] as const
export type Status = (typeof statuses)[number]

export interface NotificationRow {
  id: number
  user_id: number
  /** Null if the notification is about its repository. */
  issue_id: number | null
  repo_id: number
  status: Status
  comment_id: number | null
  /** Why the person was told last; empty where that was not noted. */
  reason: Reason | ''
  updated_at: number
}

/** The repositories `r` whose issues, pull requests and own notifications the viewer may read now. A person who loses access sees none of them. */
export interface Readable {
  issues: Condition
  pulls: Condition
  repos: Condition
}

export interface NotificationFilter {
  userId: number
  /** Who asks: see `LongDb`. */
  line: string
  readable: Readable
  repoId?: number
  statuses?: readonly Status[]
  kinds?: { issues: boolean; pulls: boolean; repos: boolean }
  since?: number
  before?: number
}

export interface SubscriptionRow {
  issue_id: number
  is_on: number
}

/** The last changed first. */
export async function listNotifications(db: LongDb, filter: NotificationFilter, page: Page): Promise<NotificationRow[]> {
  return (await db.askAside({ rows: listing(db, filter, page) }, filter.line)).rows
}

/** A page of them, and how many there are on all pages. */
export async function findNotifications(db: LongDb, filter: NotificationFilter, page: Page): Promise<{ rows: NotificationRow[]; total: number }> {
  const { rows, counted } = await db.askAside({ rows: listing(db, filter, page), counted: counting(db, filter) }, filter.line)
  return { rows, total: counted[0]?.n ?? 0 }
}

export async function countNotifications(db: LongDb, filter: NotificationFilter): Promise<number> {
  return (await db.askAside({ counted: counting(db, filter) }, filter.line)).counted[0]?.n ?? 0
}

/** Parts that an index has in their order, so that no more of each are looked at than are wanted. Of one repository there may be few. */
function listing(db: Db, filter: NotificationFilter, page: Page): Question<NotificationRow> {
  const asked = filter.statuses ?? statuses
  if (asked.length === 0) return nothingAsked
  const { sql, values } = where(db, filter)
  const [index, kinds] =
    filter.repoId === undefined ? ['notification_user', [readableOneByOne(filter.readable)]] : ['notification_counted', readableByKind(filter.readable)]
  const parts = asked.flatMap((status) => kinds.map((may) => ({ status, may })))
  const each = parts.map(
    ({ may }) =>
      `SELECT * FROM (SELECT i.* FROM notification AS i INDEXED BY ${index} WHERE ${sql} AND i.status = ? AND ${may.sql} ORDER BY i.updated_at DESC, i.id DESC LIMIT ?)`,
  )
  const ofEach = parts.flatMap(({ status, may }) => [...values, status, ...may.values, page.limit + page.offset])
  return question(`${each.join(' UNION ALL ')} ORDER BY updated_at DESC, id DESC LIMIT ? OFFSET ?`, ...ofEach, page.limit, page.offset)
}

function counting(db: Db, filter: NotificationFilter): Question<{ n: number }> {
  const { sql, values } = where(db, filter)
  const may = readableOneByOne(filter.readable)
  const asked = filter.statuses ?? statuses
  if (asked.length === 0) return nothingAsked
  // Whether they may be read is asked of each repository, not of each notification.
  const part = `SELECT i.repo_id, i.is_pull, count(*) AS n FROM notification AS i INDEXED BY notification_counted WHERE ${sql} AND i.status = ? GROUP BY i.repo_id, i.is_pull`
  return question(
    `SELECT coalesce(sum(n), 0) AS n FROM (${asked.map(() => part).join(' UNION ALL ')}) AS i WHERE ${may.sql}`,
    ...asked.flatMap((status) => [...values, status]),
    ...may.values,
  )
}

/** All but the statuses, and what may be read, of notifications `i`. */
function where(db: Db, { userId, repoId, kinds, since, before }: NotificationFilter): { sql: string; values: Value[] } {
  const parts = ['i.user_id = ?']
  const values: Value[] = [userId]
  const add = (sql: string, ...more: Value[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (repoId !== undefined) add('i.repo_id = ?', repoId)
  if (kinds) add('(i.is_pull = 0 AND ? OR i.is_pull = 1 AND ? OR i.is_pull IS NULL AND ?)', Number(kinds.issues), Number(kinds.pulls), Number(kinds.repos))
  if (since !== undefined) add('i.updated_at >= ?', since)
  if (before !== undefined) add('i.updated_at <= ?', before)
  // Those of issues that were deleted a moment ago may still be there.
  if (isClearing(db, 'issue')) add('(i.issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = i.issue_id))')
  return { sql: parts.join(' AND '), values }
}

/** Asked of one row after the other, each saying in `i` where an issue is: all repositories that somebody may read are very many. */
export function readableOneByOne(readable: Readable): Condition {
  return anyOf(readableByKind(readable))
}

function readableByKind({ issues, pulls, repos }: Readable): Condition[] {
  const inRepo = (when: string, { sql, values }: Condition) =>
    condition(`i.is_pull ${when} AND EXISTS (SELECT 1 FROM repository AS r WHERE r.id = i.repo_id AND ${sql})`, ...values)
  return [inRepo('= 0', issues), inRepo('= 1', pulls), inRepo('IS NULL', repos)]
}

export function findNotification(db: Db, id: number): NotificationRow | undefined {
  return db.find<NotificationRow>('SELECT * FROM notification WHERE id = ?', id)
}

export function setStatus(tx: Tx, id: number, status: Status): void {
  tx.run('UPDATE notification SET status = ? WHERE id = ?', status, id)
}

/** The same of those that nothing has been told about since they were listed. */
export function setStatusUnlessTold(tx: Tx, { id, updated_at }: NotificationRow, status: Status): void {
  tx.run('UPDATE notification SET status = ? WHERE id = ? AND updated_at = ?', status, id, updated_at)
}

/** What was read is unread again; what is pinned stays so. */
export function notify(tx: Tx, { userId, reason }: Told, issueId: number, commentId: number | null, at: number): void {
  tx.run(
    `INSERT INTO notification (user_id, issue_id, comment_id, reason, updated_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (user_id, issue_id)
     DO UPDATE SET status = iif(status = 'pinned', 'pinned', 'unread'), comment_id = coalesce(excluded.comment_id, comment_id),
       reason = excluded.reason, updated_at = excluded.updated_at`,
    userId,
    issueId,
    commentId,
    reason,
    at,
  )
}

/** Notifies a person that a repository is offered to them. */
export function notifyOfOffer(tx: Tx, { userId, reason }: Told, repoId: number, at: number): void {
  tx.run(
    `INSERT INTO notification (user_id, repo_id, is_pull, reason, updated_at) VALUES (?, ?, NULL, ?, ?) ON CONFLICT (repo_id, user_id) WHERE issue_id IS NULL
     DO UPDATE SET status = iif(status = 'pinned', 'pinned', 'unread'), reason = excluded.reason, updated_at = excluded.updated_at`,
    userId,
    repoId,
    reason,
    at,
  )
}

const participants =
  "SELECT DISTINCT poster_id FROM live_comment WHERE issue_id = ?1 AND type IN ('comment', 'code', 'review') AND poster_id > ?2 ORDER BY poster_id LIMIT ?3"
const watchers = 'SELECT user_id FROM watcher WHERE repo_id = (SELECT repo_id FROM issue WHERE id = ?1) AND user_id > ?2 ORDER BY user_id LIMIT ?3'

/** Somebody who may have asked not to be told of this one. */
export interface Interested extends Told {
  is_off: number
}

/**
 * Those who watch the repository, have a part in the issue or asked to be told; for each reason that they have. They may be very many: the
 * first `limit` after somebody, by their ids.
 */
export function listInterested(db: Db, issueId: number, after: number, limit: number): Interested[] {
  const isOff = 'EXISTS (SELECT 1 FROM issue_subscription AS s WHERE s.issue_id = ?1 AND s.user_id = told.user_id AND s.is_on = 0)'
  const sql = `SELECT user_id AS userId, reason, ${isOff} AS is_off FROM (
      SELECT poster_id AS user_id, 'author' AS reason FROM issue WHERE id = ?1 AND poster_id > ?2
      UNION ALL SELECT user_id, 'assigned' FROM issue_assignee WHERE issue_id = ?1 AND user_id > ?2
      UNION ALL SELECT poster_id, 'participating' FROM (${participants})
      UNION ALL SELECT DISTINCT reviewer_id, 'review_requested' FROM review WHERE issue_id = ?1 AND state = 'REQUEST_REVIEW' AND reviewer_id > ?2
      UNION ALL SELECT user_id, 'subscribed' FROM
        (SELECT user_id FROM issue_subscription WHERE issue_id = ?1 AND is_on = 1 AND user_id > ?2 ORDER BY user_id LIMIT ?3)
      UNION ALL SELECT user_id, 'watching' FROM (${watchers})
    ) AS told ORDER BY user_id LIMIT ?3`
  return db.all<Interested>(sql, issueId, after, limit)
}

/** What these people do not want to be told for. */
export function listMutes(db: Db, userIds: readonly number[]): Told[] {
  return db.all<Told>('SELECT user_id AS userId, reason FROM notification_mute WHERE user_id IN (SELECT value FROM json_each(?))', JSON.stringify(userIds))
}

export function replaceMutes(tx: Tx, userId: number, muted: readonly Reason[]): void {
  tx.run('DELETE FROM notification_mute WHERE user_id = ?', userId)
  for (const reason of muted) tx.insert('notification_mute', { user_id: userId, reason })
}

/** The issues that somebody asked to be told of, or not to be, as far as they may read them; what they said last comes first. */
export async function listSubscriptions(
  db: LongDb,
  { userId, line, readable }: Pick<NotificationFilter, 'userId' | 'line' | 'readable'>,
  page: Page,
): Promise<{ rows: SubscriptionRow[]; total: number }> {
  const { sql, values } = readableOneByOne(readable)
  const from = `FROM issue_subscription AS s JOIN issue AS i ON i.id = s.issue_id WHERE s.user_id = ? AND ${sql}`
  const listed = `SELECT s.issue_id, s.is_on ${from} ORDER BY s.created_at DESC, s.issue_id DESC LIMIT ? OFFSET ?`
  const questions = {
    rows: question<SubscriptionRow>(listed, userId, ...values, page.limit, page.offset),
    counted: question<{ n: number }>(`SELECT count(*) AS n ${from}`, userId, ...values),
  }
  const { rows, counted } = await db.askAside(questions, line)
  return { rows, total: counted[0]?.n ?? 0 }
}

export function listTeamPeople(db: Db, teamId: number): number[] {
  return db.all<{ user_id: number }>('SELECT user_id FROM team_member WHERE team_id = ?', teamId).map(({ user_id }) => user_id)
}

/** Returns the person who may accept a repository that is offered to this account, or the members of the organization who may. */
export function listAccepting(db: Db, recipientId: number): number[] {
  const creators =
    'SELECT DISTINCT user_id FROM team_member JOIN team ON team.id = team_member.team_id WHERE team_member.org_id = ?1 AND can_create_org_repo = 1'
  const sql = `SELECT id AS user_id FROM user WHERE id = ?1 AND kind = 'person' UNION ${creators}`
  return db.all<{ user_id: number }>(sql, recipientId).map(({ user_id }) => user_id)
}

/** Returns those of the ids that `GET /issues/comments/{id}` answers: other timeline events have ids of the same table. */
export function listWrittenComments(db: Db, ids: readonly (number | null)[]): Set<number> {
  const sql = "SELECT id FROM live_comment WHERE id IN (SELECT value FROM json_each(?)) AND type IN ('comment', 'code', 'review')"
  return new Set(db.all<{ id: number }>(sql, JSON.stringify(ids)).map(({ id }) => id))
}

/** How far events have been told. */
export interface Place {
  /** The last that everybody has been told of. */
  event_id: number
  /** Of the next everybody up to this id. */
  told_to: number
}

export function getPlace(db: Db): Place {
  return db.find<Place>('SELECT * FROM notification_place') ?? { event_id: 0, told_to: 0 }
}

/** Whether there are events that were not looked at yet: lists ask that each time. */
export function hasUnreadEvents(db: Db): boolean {
  return db.lookUp('SELECT 1 FROM event WHERE id > (SELECT event_id FROM notification_place) LIMIT 1') !== undefined
}

export function setPlace(tx: Tx, { event_id, told_to }: Place): void {
  tx.run('UPDATE notification_place SET event_id = ?, told_to = ?', event_id, told_to)
}
