import { allOf, anyOf, type Condition, condition } from '#kernel/database/condition.ts'
import type { Value } from '#kernel/db.ts'

/** Properties that `no:` can ask for. */
export const lacks = ['label', 'milestone', 'assignee'] as const
export type Lack = (typeof lacks)[number]

/** A yes-or-no property of an issue. */
export type Flag = 'merged' | 'unmerged' | 'draft' | 'locked' | 'unlocked' | 'private' | 'public'

/** Where a search looks for words. */
export type TextPlace = 'title' | 'body' | 'comments'

/** A condition on an issue. A list of ids or names means any of them. */
export type Criterion =
  | { kind: 'all' | 'any'; parts: readonly Criterion[] }
  | { kind: 'not'; part: Criterion }
  | { kind: 'state'; isClosed: boolean }
  | { kind: 'type'; isPull: boolean }
  | { kind: 'label' | 'milestone'; ids: readonly number[] }
  /** Label names, in any repository. */
  | { kind: 'label name'; names: readonly string[]; ignoresCase?: boolean }
  /** Milestone titles in lower case, in any repository. */
  | { kind: 'milestone title'; titles: readonly string[] }
  | { kind: Role; ids: readonly number[] }
  | { kind: 'repository' | 'owner'; ids: readonly number[] }
  | { kind: 'no'; lack: Lack }
  | { kind: 'is'; flag: Flag }
  /** Both ends belong to the range. */
  | { kind: 'range'; column: RangeColumn; from?: number | undefined; to?: number | undefined }
  /** `expression` is FTS5 syntax; issues with one of the `numbers` are found, too. */
  | { kind: 'text'; expression: string; places: readonly TextPlace[]; repoId: number | undefined; numbers: readonly number[] }

export type Role = 'author' | 'assignee' | 'mentioned' | 'commenter' | 'requested reviewer' | 'reviewer'
export type RangeColumn = 'created_at' | 'updated_at' | 'closed_at' | 'merged_at' | 'comment_count'

/**
 * For each word that stands beside other criteria in an OR or a NOT, this many of the newest titles and texts that have it are looked at, and as
 * many comments: a search for a word of a million comments has to end.
 */
const MAX_TEXT_MATCHES = 20_000

/** Returns the SQL for a criterion; `i` is the issue. A condition on other tables finds its ids once, by an index. */
export function conditionOf(criterion: Criterion): Condition {
  switch (criterion.kind) {
    case 'all':
      return allOf(criterion.parts.map(conditionOf))
    case 'any':
      return anyOf(criterion.parts.map(conditionOf))
    case 'not': {
      const { sql, values } = conditionOf(criterion.part)
      // A comparison with NULL counts as false.
      return condition(`${sql} IS NOT TRUE`, ...values)
    }
    case 'state':
      return condition('i.is_closed = ?', Number(criterion.isClosed))
    case 'type':
      return condition('i.is_pull = ?', Number(criterion.isPull))
    case 'label':
      return condition(
        'EXISTS (SELECT 1 FROM issue_label AS l WHERE l.issue_id = i.id AND l.label_id IN (SELECT value FROM json_each(?)))',
        JSON.stringify(criterion.ids),
      )
    case 'label name': {
      const name = criterion.ignoresCase ? 'label.name COLLATE NOCASE' : 'label.name'
      return condition(
        `i.id IN (SELECT l.issue_id FROM live_label AS label CROSS JOIN issue_label AS l ON l.label_id = label.id WHERE ${name} IN (SELECT value FROM json_each(?)))`,
        JSON.stringify(criterion.names),
      )
    }
    case 'milestone':
      return condition('i.milestone_id IN (SELECT value FROM json_each(?))', JSON.stringify(criterion.ids))
    case 'milestone title':
      return condition(
        'i.milestone_id IN (SELECT id FROM live_milestone WHERE lower(title) IN (SELECT value FROM json_each(?)))',
        JSON.stringify(criterion.titles),
      )
    case 'repository':
      return among('i.repo_id', criterion.ids)
    case 'owner': {
      const owners = among('owner_id', criterion.ids)
      return condition(`i.repo_id IN (SELECT id FROM repository WHERE ${owners.sql})`, ...owners.values)
    }
    case 'no':
      return condition(lacking[criterion.lack])
    case 'is':
      return condition(flags[criterion.flag])
    case 'range':
      return rangeCondition(criterion)
    case 'text':
      return textCondition(criterion)
    default:
      return anyOf(criterion.ids.map((id) => roles[criterion.kind](id)))
  }
}

/** Issues still reference deleted labels and milestones. */
const lacking: Record<Lack, string> = {
  label: 'NOT EXISTS (SELECT 1 FROM issue_label AS l CROSS JOIN live_label AS label ON label.id = l.label_id WHERE l.issue_id = i.id)',
  milestone: 'NOT EXISTS (SELECT 1 FROM live_milestone AS m WHERE m.id = i.milestone_id)',
  assignee: 'NOT EXISTS (SELECT 1 FROM issue_assignee AS a WHERE a.issue_id = i.id)',
}

/** The title marks a draft, as in `drafts.ts`. */
const flags: Record<Flag, string> = {
  merged: 'i.merged_at IS NOT NULL',
  unmerged: 'i.is_pull = 1 AND i.merged_at IS NULL',
  draft: "i.is_pull = 1 AND (i.title LIKE 'WIP:%' OR i.title LIKE '[WIP]%')",
  locked: 'i.is_locked = 1',
  unlocked: 'i.is_locked = 0',
  private: 'i.repo_id IN (SELECT id FROM repository WHERE is_private = 1)',
  public: 'i.repo_id IN (SELECT id FROM repository WHERE is_private = 0)',
}

/** The ids of issues that a person is asked to review. */
export const REQUESTED = `SELECT issue_id FROM review WHERE state = 'REQUEST_REVIEW' AND reviewer_id = ?
  UNION SELECT review.issue_id FROM team_member JOIN review USING (team_id) WHERE team_member.user_id = ?`

/** An index cannot be named for the view of live comments. */
const COMMENTERS = 'comment AS any_comment INDEXED BY comment_commenter'

const roles: Record<Role, (userId: number) => Condition> = {
  author: (id) => condition('i.poster_id = ?', id),
  assignee: (id) => condition('i.id IN (SELECT issue_id FROM issue_assignee WHERE user_id = ?)', id),
  mentioned: (id) => condition('i.id IN (SELECT issue_id FROM issue_mention WHERE user_id = ?)', id),
  commenter: (id) =>
    condition(`i.id IN (SELECT issue_id FROM ${COMMENTERS} WHERE deleted_at IS NULL AND poster_id = ? AND type IN ('comment', 'code', 'review'))`, id),
  'requested reviewer': (id) => condition(`i.id IN (${REQUESTED})`, id, id),
  // As in Gitea, pull requests of other authors only.
  reviewer: (id) =>
    condition(
      `i.is_pull = 1 AND i.poster_id IS NOT ? AND i.id NOT IN (${REQUESTED}) AND (
        i.id IN (SELECT issue_id FROM review WHERE reviewer_id = ? AND state IN ('APPROVED', 'COMMENT', 'REQUEST_CHANGES'))
        OR i.id IN (SELECT issue_id FROM live_comment WHERE poster_id = ? AND type IN ('comment', 'code')))`,
      ...[id, id, id, id, id],
    ),
}

function among(column: string, ids: readonly number[]): Condition {
  return condition(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
}

function rangeCondition({ column, from, to }: Extract<Criterion, { kind: 'range' }>): Condition {
  const parts: string[] = []
  const values: Value[] = []
  if (from !== undefined) parts.push(`i.${column} >= ?`) && values.push(from)
  if (to !== undefined) parts.push(`i.${column} <= ?`) && values.push(to)
  return condition(parts.join(' AND ') || 'TRUE', ...values)
}

function textCondition({ expression, places, repoId, numbers }: Extract<Criterion, { kind: 'text' }>): Condition {
  const inRepo = repoId === undefined ? '' : `repo : "r${repoId}" AND `
  const columns = places.filter((place) => place !== 'comments')
  const newest = (table: string) => `SELECT rowid AS at FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ${MAX_TEXT_MATCHES}`
  const parts: Condition[] = []
  if (columns.length > 0) parts.push(condition(`i.id IN (${newest('issue_search')})`, `${inRepo}{${columns.join(' ')}} : (${expression})`))
  if (places.includes('comments')) {
    const sql = `i.id IN (SELECT comment.issue_id FROM (${newest('comment_search')}) AS s CROSS JOIN live_comment AS comment ON comment.id = s.at)`
    parts.push(condition(sql, `${inRepo}body : (${expression})`))
  }
  if (numbers.length > 0) parts.push(among('i.number', numbers))
  return anyOf(parts)
}
