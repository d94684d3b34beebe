import type { Page } from '../page.ts'
import type { LongDb } from './db-access.ts'
import { question } from './questions.ts'
import type { Value } from './sql-parameters.ts'

/** What a list is made of. Its texts are code, but for the values of `from`. */
export interface LongList {
  columns: string
  /** With what narrows it down. */
  from: string
  order: string
  values: readonly Value[]
}

/**
 * A page of a list, and how long the list is. Both take the longer the longer it is, so they are asked aside.
 * @param line who asks: see `LongDb`
 */
export async function pageAside<Row extends object>(
  db: LongDb,
  line: string,
  { columns, from, order, values }: LongList,
  page: Page,
): Promise<{ rows: Row[]; total: number }> {
  const { rows, counted } = await db.askAside(
    {
      rows: question<Row>(`SELECT ${columns} ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, page.limit, page.offset),
      counted: question<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values),
    },
    line,
  )
  return { rows, total: counted[0]?.n ?? 0 }
}
