import { Database as Sqlite } from 'bun:sqlite'
import { spyOn } from 'bun:test'

/**
 * Has every commit of this process fail until it is disposed of, with SQLite's code: `SQLITE_IOERR_FSYNC` says that the disk may have it, and that the
 * next start may find it; `SQLITE_FULL` that it has not.
 */
export function failCommits(code: 'SQLITE_IOERR_FSYNC' | 'SQLITE_FULL'): Disposable {
  const { run } = Sqlite.prototype
  return spyOn(Sqlite.prototype, 'run').mockImplementation(function (this: Sqlite, sql: string) {
    if (sql === 'COMMIT') throw Object.assign(new Error(`the commit fails: ${code}`), { name: 'SQLiteError', code })
    return run.call(this, sql)
  } as typeof run)
}
