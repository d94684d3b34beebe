import type { Condition } from '#kernel/database/condition.ts'
import { question } from '#kernel/database/questions.ts'
import type { LongDb, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { visibleAccounts } from './accounts-store.ts'
import type { UserRow } from './rows.ts'
import { listUsersById } from './store.ts'
import { lineOf, type Viewer } from './viewer.ts'

/** A table that names accounts. */
interface Names {
  table: string
  /** Its column with their ids. */
  of: string
  where: string
  values: readonly Value[]
  /** Which of them the viewer knows of; absent: those that they may see. */
  known?: Condition
  /** What they are listed by; absent: their ids. */
  order?: string
}

/** A page of those accounts that a table names and the viewer may know of, and how many they are: asked aside, as there may be very many. */
export async function listSeenAccounts(
  db: LongDb,
  viewer: Viewer,
  { table, of, where, values, known = visibleAccounts(viewer), order = of }: Names,
  page: Page,
): Promise<{ rows: UserRow[]; total: number }> {
  const from = `FROM ${table} JOIN user ON user.id = ${of} WHERE ${where} AND ${known.sql}`
  const all = [...values, ...known.values]
  const found = await db.askAside(
    {
      ids: question<{ id: number }>(`SELECT user.id ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, ...all, page.limit, page.offset),
      counted: question<{ n: number }>(`SELECT count(*) AS n ${from}`, ...all),
    },
    lineOf(viewer),
  )
  const ids = found.ids.map(({ id }) => id)
  return { rows: listUsersById(db, ids), total: found.counted[0]?.n ?? 0 }
}
