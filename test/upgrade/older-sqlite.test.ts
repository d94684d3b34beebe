import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#kernel/database/migrate.ts'
import { Database } from '#kernel/db.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '#slices.ts'
import { formerMigrations } from './former-deletions.ts'
import { shapeOf } from './former-store.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

function schemaOf(store: Database): { name: string; type: string; sql: string }[] {
  return store.all('SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')
}

const path = join(directory, 'pocketforge.db')
const db = new Database(path)
const migrations = migrationsOf(slices)
migrate(db, migrations)
const schema = schemaOf(db)
const tables = db
  .all<{ name: string; type: string }>(
    "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'",
  )
  .map(({ name, type }) => ({
    name,
    type,
    columns: db.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name).map((column) => `"${column.name}"`),
  }))
// Deleting from a full-text index without content needs SQLite 3.43. Everything else does without these triggers.
for (const { name, type, sql } of schema) if (type === 'trigger' && /DELETE FROM \w+_search\b/.test(sql)) db.exec(`DROP TRIGGER ${name}`)
db.close()

const isIndex = (name: string) => /_search(?:_|$)/.test(name)
// Each of the writing statements makes SQLite compile the triggers, checks and generated columns of the table.
const statements = tables.flatMap(({ name, type, columns }) => {
  if (isIndex(name)) return []
  const reading = `SELECT * FROM "${name}"`
  if (type === 'view') return [reading]
  const update = `EXPLAIN UPDATE "${name}" SET ${columns.map((column) => `${column} = ${column}`).join(', ')}`
  return [reading, update, `EXPLAIN DELETE FROM "${name}"`, `EXPLAIN INSERT INTO "${name}" DEFAULT VALUES`]
})

test.skipIf(Bun.which('sqlite3') === null)("the system's sqlite3 opens the database and compiles all of its triggers", async () => {
  const process = Bun.spawn(['sqlite3', '-bail', '-batch', path], { stdin: 'pipe', stdout: 'ignore', stderr: 'pipe' })
  process.stdin.write(`${statements.join(';\n')};\n`)
  await process.stdin.end()
  expect(await process.stderr.text()).toBe('')
  expect(await process.exited).toBe(0)
})

test('the schema uses nothing that came after SQLite 3.37', () => {
  const newer =
    /->|\b(?:unixepoch|timediff|concat|concat_ws|string_agg|format|octet_length|unhex|if|unistr|jsonb\w*)\(|\bDISTINCT FROM\b|\b(?:FULL|RIGHT) (?:OUTER )?JOIN\b|\([^()]*,[^()]* ORDER BY/i
  const used = schema.filter(({ sql }) => newer.test(sql.replace(/--.*/g, ''))).map(({ type, name }) => `${type} ${name}`)
  expect(used).toEqual([])
})

test('a store that was made for SQLite 3.44 is changed, and keeps its rows', () => {
  const former = new Database(':memory:')
  const changedRooms = new Set<string | undefined>()
  const before = formerMigrations().filter(({ name }) => {
    const room = name.split('/')[0]
    if (name.endsWith('_sqlite_3_37')) changedRooms.add(room)
    return !changedRooms.has(room)
  })
  migrate(former, before)
  former.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO deletion (id, table_name, row_id, repo_id, deleted_at) VALUES (1, 'comment', 3, 1, 1);
    INSERT INTO deleted_row (id, deletion_id, step, table_name, content) VALUES (1, 1, 0, 'comment', '{"id": 3, "issue_id": 7}');`)
  migrate(former, formerMigrations())
  expect(former.all('SELECT id, row_id FROM deleted_row WHERE issue_id = 7')).toEqual([{ id: 1, row_id: 3 }])
  const [made, newest] = [new Database(':memory:'), new Database(':memory:')]
  migrate(made, formerMigrations())
  migrate(newest, migrations)
  expect(schemaOf(former)).toEqual(schemaOf(made))
  migrate(former, migrations)
  expect(shapeOf(former)).toEqual(shapeOf(newest))
})
