import { SQLiteError } from 'bun:sqlite'

/** Whether a change was refused because a row it refers to is not there. */
export function isDangling(error: unknown): boolean {
  return error instanceof SQLiteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

/** Whether another connection was writing for longer than this one waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY') === true
}
