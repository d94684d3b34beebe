import type { Database } from 'bun:sqlite'

/** SQLite older than this can lose data in WAL mode (the WAL-reset bug). */
const OLDEST = [3, 51, 3]

/** @throws Error when what is written with this library, to this file, could be lost or come to contradict itself */
export function requireSafe(sqlite: Database, onDisk: boolean): void {
  const first = (sql: string) => {
    using statement = sqlite.prepare<Record<string, unknown>, []>(sql)
    return Object.values(statement.get() ?? {})[0]
  }
  const version = String(first('SELECT sqlite_version()'))
  if (compareVersions(version.split('.').map(Number), OLDEST) < 0) {
    throw new Error(`Cannot open the database: SQLite ${version} is older than ${OLDEST.join('.')}, which can lose data`)
  }
  if (onDisk && first('PRAGMA journal_mode') !== 'wal') throw new Error('Cannot open the database: its file system does not allow WAL mode')
  if (first('PRAGMA synchronous') !== 2 || first('PRAGMA foreign_keys') !== 1) throw new Error('Cannot open the database: SQLite rejected a safety setting')
}

function compareVersions(a: number[], b: number[]): number {
  for (let i = 0; i < b.length; i++) if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) - (b[i] as number)
  return 0
}
