import type { Answers, Question, Questions } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import type { AttachmentRow } from '#work/attachments/index.ts'
import type { MilestoneRow } from '#work/milestones/index.ts'

/** By id, whose things are asked for, and what is asked for itself. */
export interface Bearers {
  issues: readonly number[]
  comments: readonly number[]
  labels: readonly number[]
  milestones: readonly number[]
}

interface CarriedRows {
  assignees: { issue_id: number; user_id: number }
  labelled: { issue_id: number; label_id: number }
  /** Those that the issues carry, by name. */
  labels: LabelRow
  namedLabels: LabelRow
  milestones: MilestoneRow
  /** Beside the texts of the issues, oldest first. */
  attachments: AttachmentRow
  /** Beside the comments, oldest first. */
  commentAttachments: AttachmentRow
}

/** What issues and comments carry. */
export type Carried = Answers<CarriedRows>

/** The one value of each is a list of ids. */
const GIVEN = 'IN (SELECT value FROM json_each(?))'
/** Of those of an organization its own repositories' issues carry some; others have not lost all of them yet. */
const ITS_OWN = '(label.org_id IS NULL OR label.org_id = (SELECT owner_id FROM repository WHERE repository.id = l.repo_id))'

const lists: { [Name in keyof CarriedRows]: { of: keyof Bearers; sql: string } } = {
  assignees: { of: 'issues', sql: `SELECT issue_id, user_id FROM issue_assignee WHERE issue_id ${GIVEN} ORDER BY user_id` },
  labelled: {
    of: 'issues',
    sql: `SELECT issue_id, label_id FROM issue_label AS l JOIN live_label AS label ON label.id = label_id WHERE issue_id ${GIVEN} AND ${ITS_OWN}`,
  },
  labels: { of: 'issues', sql: `SELECT * FROM live_label WHERE id IN (SELECT label_id FROM issue_label WHERE issue_id ${GIVEN}) ORDER BY name, id` },
  attachments: { of: 'issues', sql: `SELECT * FROM attachment WHERE issue_id ${GIVEN} AND comment_id IS NULL ORDER BY id` },
  commentAttachments: { of: 'comments', sql: `SELECT * FROM attachment WHERE comment_id ${GIVEN} ORDER BY id` },
  namedLabels: { of: 'labels', sql: `SELECT * FROM live_label WHERE id ${GIVEN}` },
  milestones: { of: 'milestones', sql: `SELECT * FROM live_milestone WHERE id ${GIVEN}` },
}

/** All of it by one statement, which asks for nothing of what there is none of. */
export function listCarried(db: Db, bearers: Bearers): Carried {
  const carried: Carried = { assignees: [], labelled: [], labels: [], namedLabels: [], milestones: [], attachments: [], commentAttachments: [] }
  const asked: Record<string, Question<object>> = {}
  for (const [name, { of, sql }] of Object.entries(lists)) if (bearers[of].length > 0) asked[name] = { sql, values: [JSON.stringify(bearers[of])] }
  if (Object.keys(asked).length === 0) return carried
  return Object.assign(carried, db.askTogether(asked as Partial<Questions<CarriedRows>> as Questions<CarriedRows>))
}
