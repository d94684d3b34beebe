import { grantedTo, isPublic, isSiteAdmin, reachedByTeam, type Viewer, visibleAccounts, visibleTo } from '#access/index.ts'
import { watching } from '#community/watches/index.ts'
import { allOf, anyOf, type Condition, condition } from '#kernel/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { type FeedKind, opTypesOf } from './kinds.ts'
import type { ActivityRow } from './store.ts'

/** What a feed tells of: what a person did, what they get to hear of (theirs, and what happens where they watch), or what happens in repositories. */
export type Feed =
  | { of: 'actor'; id: number }
  | { of: 'receiver'; id: number }
  | { of: 'org'; id: number }
  | { of: 'team'; id: number }
  | { of: 'repo'; id: number }

/** Who reads a feed, and how much their credentials show them. */
export interface Reader {
  viewer: Viewer
  /** Leave out repositories that not everybody sees. */
  publicOnly: boolean
}

/** Seconds since 1970; `until` itself is left out. */
export interface TimeSpan {
  since: number
  until: number
}

/** What alone is told of a feed. */
export interface FeedPart {
  time?: TimeSpan | undefined
  kind?: FeedKind | undefined
}

/** One page of a feed, newest first. Ids come first: whole rows would be costly to sort. */
export function listActivities(db: Db, reader: Reader, feed: Feed, page: Page, part?: FeedPart): ActivityRow[] {
  const { sql, values } = within(reader, feed, part)
  const ids = `SELECT a.id FROM activity AS a WHERE ${sql} ORDER BY a.created_at DESC, a.id DESC LIMIT ? OFFSET ?`
  return db.all<ActivityRow>(`SELECT * FROM activity WHERE id IN (${ids}) ORDER BY created_at DESC, id DESC`, ...values, page.limit, page.offset)
}

/** How many activities there are on all pages. */
export function countActivities(db: Db, reader: Reader, feed: Feed, part?: FeedPart): number {
  const { sql, values } = within(reader, feed, part)
  return db.find<{ n: number }>(`SELECT count(*) AS n FROM activity AS a WHERE ${sql}`, ...values)?.n ?? 0
}

function within(reader: Reader, feed: Feed, { time, kind }: FeedPart = {}): Condition {
  const parts = [shownTo(feed, reader)]
  if (time) parts.push(condition('a.created_at >= ? AND a.created_at < ?', time.since, time.until))
  if (kind) parts.push(condition('a.op_type IN (SELECT value FROM json_each(?))', JSON.stringify(opTypesOf(kind))))
  return allOf(parts)
}

/** How much somebody did in each quarter of an hour since `since`; times are Unix seconds. */
export function listContributions(db: Db, reader: Reader, actorId: number, since: number): { timestamp: number; contributions: number }[] {
  const { sql, values } = shownTo({ of: 'actor', id: actorId }, reader)
  return db.all(
    `SELECT created_at / 900 * 900 AS timestamp, count(*) AS contributions FROM activity AS a WHERE ${sql} AND a.created_at > ? GROUP BY timestamp ORDER BY timestamp`,
    ...values,
    since,
  )
}

/** What the repositories `r` of a feed are. */
function reposOf(feed: Feed): Condition {
  switch (feed.of) {
    case 'actor':
    case 'receiver':
      return { sql: 'TRUE', values: [] }
    case 'org':
      return { sql: 'r.owner_id = ?', values: [feed.id] }
    case 'team':
      return reachedByTeam(feed.id)
    case 'repo':
      return { sql: 'r.id = ?', values: [feed.id] }
  }
}

/** Whose activities `a` a feed tells. */
function actorsOf(feed: Feed): Condition {
  if (feed.of !== 'actor' && feed.of !== 'receiver') return condition('TRUE')
  const isActor = condition('a.actor_id = ?', feed.id)
  return feed.of === 'actor' ? isActor : anyOf([isActor, watching.of(feed.id, 'a.repo_id')])
}

/** Activity in repositories that the viewer sees, of people whom they see and who do not keep it from them. */
function shownTo(feed: Feed, { viewer, publicOnly }: Reader): Condition {
  const repos = allOf([reposOf(feed), visibleTo(viewer), ...(publicOnly ? [isPublic] : [])])
  const people = allOf([visibleAccounts(viewer), openTo(viewer)])
  const where = `a.repo_id IN (SELECT r.id FROM repository AS r WHERE ${repos.sql}) AND a.actor_id IN (SELECT user.id FROM user WHERE ${people.sql})`
  return allOf([actorsOf(feed), { sql: where, values: [...repos.values, ...people.values] }, ...(feed.of === 'repo' ? [] : [knownTo(viewer)])])
}

/**
 * Not what happened in a repository while it was private, unless the viewer sees more of it than everybody does. Its own feed, which is made
 * public with it, tells that as well, as Gitea's does.
 */
function knownTo(viewer: Viewer): Condition {
  const granted = grantedTo(viewer)
  const grants = `SELECT r.id FROM repository AS r WHERE r.id IN (SELECT repo_id FROM activity_published) AND ${granted.sql}`
  const sql = `NOT EXISTS (SELECT 1 FROM activity_published AS p WHERE p.repo_id = a.repo_id AND p.event_id >= a.event_id AND p.repo_id NOT IN (${grants}))`
  return { sql, values: granted.values }
}

/** The rows of `user` that do not keep their activity private, but from themselves and site administrators. */
function openTo(viewer: Viewer): Condition {
  return isSiteAdmin(viewer) ? { sql: 'TRUE', values: [] } : { sql: '(user.hide_activity = 0 OR user.id = ?)', values: [viewer.user?.id ?? 0] }
}
