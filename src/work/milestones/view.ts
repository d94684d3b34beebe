import { rfc3339 } from '#kernel/clock.ts'
import type { Milestone } from './schema.ts'
import type { MilestoneRow } from './store.ts'

export function presentMilestone(row: MilestoneRow): Milestone {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    state: row.closed_at === null ? 'open' : 'closed',
    open_issues: row.open_issue_count,
    closed_issues: row.closed_issue_count,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    closed_at: row.closed_at === null ? null : rfc3339(row.closed_at),
    due_on: row.due_at === null ? null : rfc3339(row.due_at),
  }
}
