import { type Condition, condition } from '#kernel/condition.ts'

/** The rows of `repository AS r` that have a topic of this name. */
export function hasTopic(name: string): Condition {
  return condition('r.id IN (SELECT repo_id FROM topic WHERE name = ?)', name)
}
