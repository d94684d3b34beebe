import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'

/** Which conditions on `repository AS r` hold for one of them, asked at once. */
export function whichHold(db: Db, repoId: number, conditions: readonly Condition[]): boolean[] {
  const columns = conditions.map(({ sql }, i) => `(${sql}) AS c${i}`)
  const values = conditions.flatMap((one) => one.values)
  const row = db.lookUp<Record<string, number>>(`SELECT ${columns.join(', ')} FROM repository AS r WHERE r.id = ?`, ...values, repoId)
  return conditions.map((_, i) => row?.[`c${i}`] === 1)
}
