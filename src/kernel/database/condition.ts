import type { Value } from '../db.ts'

/** A condition of SQL and the values of its question marks, in order: how rooms tell each other which rows are meant. */
export interface Condition {
  sql: string
  values: Value[]
}

export function condition(sql: string, ...values: Value[]): Condition {
  return { sql: `(${sql})`, values }
}

export function allOf(conditions: readonly Condition[]): Condition {
  return join(conditions, ' AND ', 'TRUE')
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return join(conditions, ' OR ', 'FALSE')
}

function join(conditions: readonly Condition[], word: string, none: string): Condition {
  return { sql: `(${conditions.map((one) => one.sql).join(word) || none})`, values: conditions.flatMap((one) => one.values) }
}
