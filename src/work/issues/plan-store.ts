import type { Db } from '#kernel/db.ts'
import { jsonList } from '#kernel/json-row.ts'
import { type LabelRow, labelJson } from '#repositories/labels/index.ts'
import { type MilestoneRow, milestoneJson } from '#work/milestones/index.ts'

/** What can be given to an issue. */
export interface PlanChoices {
  /** By name, none that is archived. */
  labels: LabelRow[]
  /** Those that are open: undated first, then what is due first. */
  milestones: MilestoneRow[]
}

const labels = 'SELECT * FROM label WHERE (repo_id = ?1 OR org_id = ?2) AND archived_at IS NULL ORDER BY name, id LIMIT ?3'
const milestones = 'SELECT * FROM milestone WHERE repo_id = ?1 AND closed_at IS NULL ORDER BY due_at, title, id LIMIT ?3'
const sql = `SELECT ${jsonList(labelJson, `(${labels}) AS label`)} AS labels, ${jsonList(milestoneJson, `(${milestones}) AS milestone`)} AS milestones`

/** What a repository's issues can be given, of its own and of the organization that owns it. @param most of each */
export function listPlanChoices(db: Db, repoId: number, ownerId: number, most: number): PlanChoices {
  const found = db.find<Record<keyof PlanChoices, string>>(sql, repoId, ownerId, most)
  return { labels: JSON.parse(found?.labels ?? '[]'), milestones: JSON.parse(found?.milestones ?? '[]') }
}
