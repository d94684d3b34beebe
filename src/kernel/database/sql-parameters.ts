export type Value = string | number | bigint | boolean | null | Uint8Array

/** A text, or a parameter. */
const PART = /'(?:[^']|'')*'|\?\d*/g

/**
 * Hides parameters from the query planner behind a unary plus, which changes no value. SQLite 3.49 and later look at what is bound
 * to `x = ?` or `LIMIT ?` while planning, and prepare such a statement anew at each use: 20 µs for a join that runs in 2.
 */
export function withSteadyPlan(sql: string): string {
  return sql.replace(PART, (part) => (part.startsWith('?') ? `+${part}` : part))
}

/**
 * Its parameters by number, behind so many others; as in SQLite one without a number follows the highest.
 * @returns how many it has, too
 */
export function numberedFrom(others: number, sql: string): { sql: string; count: number } {
  let count = 0
  const numbered = sql.replace(PART, (part) => {
    if (!part.startsWith('?')) return part
    const number = part === '?' ? count + 1 : Number(part.slice(1))
    count = Math.max(count, number)
    return `?${others + number}`
  })
  return { sql: numbered, count }
}
