import { join } from 'node:path'
import { Database } from '#kernel/db.ts'

/** As version 0.1.0 left it: people, an organization, repositories, stars and the rest, one of each kind at least. @param path default: in memory */
export async function formerStore(path = ':memory:'): Promise<Database> {
  const db = new Database(path)
  db.exec(`PRAGMA foreign_keys = OFF; ${await Bun.file(join(import.meta.dir, 'store-0.1.0.sql')).text()}; PRAGMA foreign_keys = ON`)
  return db
}

/** Tables with their columns, indexes and triggers; columns are added in another order here and there. */
export function shapeOf(db: Database): unknown {
  const objects = db.all<{ type: string; name: string }>("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
  return objects.map(({ type, name }) => [
    type,
    name,
    type === 'trigger' ? [] : db.all(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?) ORDER BY name`, name),
    type === 'table' ? db.all('SELECT "table", "from", on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"', name) : [],
    type === 'index' ? db.all('SELECT name FROM pragma_index_info(?)', name) : [],
  ])
}

/** Counts the rows of tables and views. Rows of the former table `purge` are jobs now. */
export function countRows(db: Database): Record<string, number> {
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT IN ('migration', 'purge') AND name NOT LIKE 'sqlite_%'",
  )
  return Object.fromEntries(tables.map(({ name }) => [name, db.find<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)?.n ?? 0]))
}
