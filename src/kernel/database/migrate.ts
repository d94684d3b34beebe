import type { Database, Tx } from '../db.ts'

/** A room's tables as they were made, or a change to them. */
export interface Migration {
  /** `stars/1_stars`: the room, and the file's number and name in it. */
  name: string
  sql: string
  /** Under which names version 0.1.0, which numbered all rooms' files in one row, applied the same. */
  formerly?: readonly string[]
}

/**
 * Applies what has not been applied, each migration in a transaction of its own, in order.
 * @param mayChange false where a server may have the store open: it would go on with tables that it does not know
 * @throws Error when the store was written by a newer version, and when it would have to be changed and may not be
 */
export function migrate(db: Database, migrations: readonly Migration[], mayChange = true): void {
  if (!mayChange && isBehind(db, migrations)) {
    throw new Error('Cannot upgrade the database: a running server of an older version uses it. Stop that server, then try again.')
  }
  db.exec('CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT')
  if (namesApplied(db).has('0001_kernel')) takeOverFormerNames(db, migrations)
  const applied = namesApplied(db)
  const known = new Set(migrations.map(({ name }) => name))
  for (const name of applied)
    if (!known.has(name))
      throw new Error(`Cannot open the database: a newer version of Pocketforge wrote it (migration "${name}"). Use that version or a later one.`)
  for (const { name, sql } of migrations) {
    if (applied.has(name)) continue
    db.tx((tx) => {
      db.exec(sql)
      note(tx, name)
    })
  }
}

function isBehind(db: Database, migrations: readonly Migration[]): boolean {
  const hasAny = db.find("SELECT 1 FROM sqlite_schema WHERE name = 'migration'") !== undefined
  const applied = hasAny ? namesApplied(db) : new Set<string>()
  return migrations.some(({ name }) => !applied.has(name))
}

/** What version 0.1.0 applied goes by its new names, all at once. */
function takeOverFormerNames(db: Database, migrations: readonly Migration[]): void {
  const applied = namesApplied(db)
  const former = new Set(migrations.flatMap(({ formerly = [] }) => formerly))
  for (const name of former)
    if (!applied.has(name)) throw new Error(`Cannot open the database: version 0.1.0 did not finish creating it ("${name}" is missing)`)
  db.tx((tx) => {
    for (const name of former) tx.run('DELETE FROM migration WHERE name = ?', name)
    for (const { name, formerly } of migrations) if (formerly) note(tx, name)
  })
}

function namesApplied(db: Database): Set<string> {
  return new Set(db.all<{ name: string }>('SELECT name FROM migration').map((row) => row.name))
}

function note(tx: Tx, name: string): void {
  tx.run('INSERT INTO migration (name, applied_at) VALUES (?, unixepoch())', name)
}
