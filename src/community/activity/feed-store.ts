import { grantedTo, isPublic, isSiteAdmin, lineOf, reachedByTeam, type Viewer, visibleAccounts, visibleTo } from '#access/index.ts'
import { watching } from '#community/watches/index.ts'
import { allOf, anyOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { LongDb } from '#kernel/db.ts'
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
export async function listActivities(db: LongDb, reader: Reader, feed: Feed, page: Page, part: FeedPart = {}): Promise<ActivityRow[]> {
  const most = page.limit + page.offset
  const sources = sourcesOf(reader, feed, part, most)
  const first = sources.map(({ from, where }) => `SELECT * FROM (SELECT a.id, a.created_at FROM ${from.sql} WHERE ${where.sql} ${NEWEST} LIMIT ?)`)
  const ids = `SELECT id FROM (${first.join(' UNION ')}) AS first ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`
  const values = sources.flatMap(({ from, where }) => [...from.values, ...where.values, most])
  const { found } = await db.askAside({ found: question<{ id: number }>(ids, ...values, page.limit, page.offset) }, lineOf(reader.viewer))
  const sql = 'SELECT * FROM activity WHERE id IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC, id DESC'
  return db.all<ActivityRow>(sql, JSON.stringify(found.map(({ id }) => id)))
}

const NEWEST = 'ORDER BY a.created_at DESC, a.id DESC'

/** Where activities `a` of a feed are found. */
interface Source {
  from: Condition
  where: Condition
}

const ALL: Condition = { sql: 'activity AS a', values: [] }

/** Sources that have them in their order, so that few are looked at. @param most how many are wanted of each */
function sourcesOf(reader: Reader, feed: Feed, part: FeedPart, most: number): Source[] {
  const { viewer } = reader
  if (feed.of === 'repo')
    return [{ from: ALL, where: allOf([condition('a.repo_id = ?', feed.id), isSeen(reader, feed.id), byOneShown(viewer), ...within(part)]) }]
  if (feed.of === 'receiver') return [...sourcesOf(reader, { of: 'actor', id: feed.id }, part, most), ofWatched(reader, feed.id, part, most)]
  return [{ from: ALL, where: allOf([shownTo(feed, reader), ...within(part)]) }]
}

/** The newest of each repository that somebody watches. */
function ofWatched({ viewer, publicOnly }: Reader, userId: number, part: FeedPart, most: number): Source {
  const watched = allOf([watching.of(userId), visibleTo(viewer), ...(publicOnly ? [isPublic] : [])])
  const newest = allOf([condition('a.repo_id = watched.id'), byOneShown(viewer), knownTo(viewer), ...within(part)])
  return {
    from: { sql: `(SELECT r.id FROM repository AS r WHERE ${watched.sql}) AS watched CROSS JOIN activity AS a`, values: watched.values },
    where: { sql: `a.id IN (SELECT a.id FROM activity AS a WHERE ${newest.sql} ${NEWEST} LIMIT ?)`, values: [...newest.values, most] },
  }
}

/** Whether a repository is one that the reader sees. */
function isSeen({ viewer, publicOnly }: Reader, repoId: number): Condition {
  const seen = allOf([condition('r.id = ?', repoId), visibleTo(viewer), ...(publicOnly ? [isPublic] : [])])
  return { sql: `EXISTS (SELECT 1 FROM repository AS r WHERE ${seen.sql})`, values: seen.values }
}

/** Whether the actor of one activity after the other is shown: all that are would be very many. */
function byOneShown(viewer: Viewer): Condition {
  const shown = allOf([visibleAccounts(viewer), openTo(viewer)])
  return { sql: `EXISTS (SELECT 1 FROM user WHERE user.id = a.actor_id AND ${shown.sql})`, values: shown.values }
}

/** How many activities there are on all pages. */
export async function countActivities(db: LongDb, reader: Reader, feed: Feed, part: FeedPart = {}): Promise<number> {
  const { counted } = await db.askAside({ counted: howMany(reader, feed, part) }, lineOf(reader.viewer))
  return counted[0]?.n ?? 0
}

function howMany(reader: Reader, feed: Feed, part: FeedPart): Question<{ n: number }> {
  if (feed.of === 'repo') {
    const [repo, shown] = [allOf([condition('a.repo_id = ?', feed.id), isSeen(reader, feed.id), ...within(part)]), byOneShown(reader.viewer)]
    // Who acted is asked of each person, not of each activity.
    const each = `SELECT actor_id, count(*) AS n FROM activity AS a WHERE ${repo.sql} GROUP BY actor_id`
    return question(`SELECT coalesce(sum(n), 0) AS n FROM (${each}) AS a WHERE ${shown.sql}`, ...repo.values, ...shown.values)
  }
  const { sql, values } = allOf([shownTo(feed, reader), ...within(part)])
  return question(`SELECT count(*) AS n FROM activity AS a WHERE ${sql}`, ...values)
}

function within({ time, kind }: FeedPart): Condition[] {
  const parts: Condition[] = []
  if (time) parts.push(condition('a.created_at >= ? AND a.created_at < ?', time.since, time.until))
  if (kind) parts.push(condition('a.op_type IN (SELECT value FROM json_each(?))', JSON.stringify(opTypesOf(kind))))
  return parts
}

export interface Contribution {
  timestamp: number
  contributions: number
}

/** How much somebody did in each quarter of an hour since `since`; times are Unix seconds. */
export async function listContributions(db: LongDb, reader: Reader, actorId: number, since: number): Promise<Contribution[]> {
  const { sql, values } = shownTo({ of: 'actor', id: actorId }, reader)
  const each = `SELECT created_at / 900 * 900 AS timestamp, count(*) AS contributions FROM activity AS a WHERE ${sql} AND a.created_at > ?`
  const counted = question<Contribution>(`${each} GROUP BY timestamp ORDER BY timestamp`, ...values, since)
  return (await db.askAside({ counted }, lineOf(reader.viewer))).counted
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
  const inRepos = { sql: `a.repo_id IN (SELECT r.id FROM repository AS r WHERE ${repos.sql})`, values: repos.values }
  return allOf([actorsOf(feed), inRepos, peopleOf(feed, viewer), ...(feed.of === 'repo' ? [] : [knownTo(viewer)])])
}

/** Of one person it is asked once. */
function peopleOf(feed: Feed, viewer: Viewer): Condition {
  const shown = allOf([visibleAccounts(viewer), openTo(viewer)])
  if (feed.of === 'actor') return { sql: `EXISTS (SELECT 1 FROM user WHERE user.id = ? AND ${shown.sql})`, values: [feed.id, ...shown.values] }
  return { sql: `a.actor_id IN (SELECT user.id FROM user WHERE ${shown.sql})`, values: shown.values }
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
