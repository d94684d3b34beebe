import type { Question } from '#kernel/database/questions.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import type { MilestoneRow } from '#work/milestones/index.ts'

/** What can be given to an issue. */
interface PlanQuestions {
  /** By name, none that is archived. */
  labels: Question<LabelRow>
  /** Those that are open: undated first, then what is due first. */
  milestones: Question<MilestoneRow>
}

const labels = 'SELECT * FROM live_label WHERE (repo_id = ? OR org_id = ?) AND archived_at IS NULL ORDER BY name, id LIMIT ?'
const milestones = 'SELECT * FROM live_milestone WHERE repo_id = ? AND closed_at IS NULL ORDER BY due_at, title, id LIMIT ?'

/** What a repository's issues can be given, of its own and of the organization that owns it. @param most of each */
export function planQuestions(repoId: number, ownerId: number, most: number): PlanQuestions {
  return { labels: { sql: labels, values: [repoId, ownerId, most] }, milestones: { sql: milestones, values: [repoId, most] } }
}
