import type { Db } from '#kernel/db.ts'
import { jsonList } from '#kernel/json-row.ts'
import { type LabelRow, labelJson } from '#repositories/labels/index.ts'
import { type AttachmentRow, attachmentJson } from '#work/attachments/index.ts'
import { type MilestoneRow, milestoneJson } from '#work/milestones/index.ts'

/** By id, whose things are asked for, and what is asked for itself. */
export interface Bearers {
  issues: readonly number[]
  comments: readonly number[]
  labels: readonly number[]
  milestones: readonly number[]
}

/** What issues and comments carry. */
export interface Carried {
  assignees: { issue_id: number; user_id: number }[]
  labelled: { issue_id: number; label_id: number }[]
  /** Those that the issues carry, by name. */
  labels: LabelRow[]
  namedLabels: LabelRow[]
  milestones: MilestoneRow[]
  /** Beside the texts of the issues, oldest first. */
  attachments: AttachmentRow[]
  /** Beside the comments, oldest first. */
  commentAttachments: AttachmentRow[]
}

/** Of the one parameter, the bearers as JSON. */
const given = (kind: keyof Bearers) => `IN (SELECT value FROM json_each(?1, '$.${kind}'))`
/** In order, as far as there is one that matters. */
const ordered = (item: string, table: string, rows: string) => jsonList(item, `(SELECT * FROM ${table} WHERE ${rows}) AS ${table}`)

const lists: Record<keyof Carried, { of: keyof Bearers; sql: string }> = {
  assignees: {
    of: 'issues',
    sql: ordered("json_object('issue_id', issue_id, 'user_id', user_id)", 'issue_assignee', `issue_id ${given('issues')} ORDER BY user_id`),
  },
  labelled: { of: 'issues', sql: jsonList("json_object('issue_id', issue_id, 'label_id', label_id)", `issue_label WHERE issue_id ${given('issues')}`) },
  labels: { of: 'issues', sql: ordered(labelJson, 'label', `id IN (SELECT label_id FROM issue_label WHERE issue_id ${given('issues')}) ORDER BY name, id`) },
  attachments: { of: 'issues', sql: ordered(attachmentJson, 'attachment', `issue_id ${given('issues')} AND comment_id IS NULL ORDER BY id`) },
  commentAttachments: { of: 'comments', sql: ordered(attachmentJson, 'attachment', `comment_id ${given('comments')} ORDER BY id`) },
  namedLabels: { of: 'labels', sql: jsonList(labelJson, `label WHERE id ${given('labels')}`) },
  milestones: { of: 'milestones', sql: jsonList(milestoneJson, `milestone WHERE id ${given('milestones')}`) },
}

/** All of it by one statement, which asks for nothing of what there is none of. */
export function listCarried(db: Db, bearers: Bearers): Carried {
  const carried: Carried = { assignees: [], labelled: [], labels: [], namedLabels: [], milestones: [], attachments: [], commentAttachments: [] }
  const columns = (Object.keys(lists) as (keyof Carried)[]).filter((name) => bearers[lists[name].of].length > 0)
  if (columns.length === 0) return carried
  const sql = `SELECT ${columns.map((name) => `${lists[name].sql} AS ${name}`).join(', ')}`
  const found = db.find<Record<keyof Carried, string>>(sql, JSON.stringify(bearers))
  return Object.assign(carried, Object.fromEntries(columns.map((name) => [name, JSON.parse(found?.[name] ?? '[]')])))
}
