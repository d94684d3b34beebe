import { existsSync, statSync } from 'node:fs'
import type { Database, Db, Tx } from '../db.ts'

/**
 * SQLite keeps what was written last in `<database>-wal` until it is carried over into the database file. Whoever copies the file of
 * a running server alone gets an older store, and SQLite has no way to notice. The store therefore says in the database file that
 * a server has it open; a file that says so without a `-wal` beside it was copied, or restored from a copy. It also says which file it is:
 * of one that was copied together with its `-wal`, one after the other, a checkpoint in between makes a database that fits nowhere.
 */
export function hasLog(databasePath: string): boolean {
  return existsSync(`${databasePath}-wal`)
}

/**
 * To be asked by who has the store for itself, before anything is written. @param hadLog before it was opened, which makes a new one
 * @param noted called in the transaction in which it is noted
 * @returns what was noticed just now: `cut short`, the end of what was written may be missing; `copied`, its files may be of different times
 */
export function noticeCopy(db: Database, hadLog: boolean, now: number, noted: (tx: Tx) => void = () => {}): 'cut short' | 'copied' | undefined {
  const state = db.find<{ is_open: number; file: string | null }>('SELECT is_open, file FROM store_state')
  if (state?.is_open !== 1) return undefined
  const isOther = state.file !== null && state.file !== fileOf(db)
  const noticed = hadLog ? (isOther ? 'copied' : undefined) : 'cut short'
  db.tx((tx) => {
    tx.run('UPDATE store_state SET is_open = 0, cut_short_at = coalesce(?, cut_short_at)', hadLog ? null : now)
    if (noticed) noted(tx)
  })
  return noticed
}

/** Says in the database file itself that a server has the store open. */
export function markOpen(db: Database): void {
  db.tx((tx) => tx.run('UPDATE store_state SET is_open = 1, file = ?', fileOf(db)))
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function fileOf({ path }: Database): string | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString() ?? null
}

/** To be followed by `closeStore`, which carries everything over into the database's file. */
export function markClosed(db: Database): void {
  db.tx((tx) => tx.run('UPDATE store_state SET is_open = 0'))
}

/** Closes the database so that a store which somebody left open is not taken for a copy: its log of commits stays where it is. */
export function closeStore(db: Database): void {
  if (isMarkedOpen(db)) db.keepLog()
  db.close()
}

/** A disk that cannot be read any more tells nothing. */
function isMarkedOpen(db: Db): boolean {
  try {
    return db.find<{ is_open: number }>('SELECT is_open FROM store_state')?.is_open === 1
  } catch {
    return true
  }
}

/** When the store was last noticed to lack its end, in Unix seconds. */
export function findCutShort(db: Db): number | undefined {
  return db.find<{ cut_short_at: number | null }>('SELECT cut_short_at FROM store_state')?.cut_short_at ?? undefined
}

export function forgetCutShort(tx: Tx): void {
  tx.run('UPDATE store_state SET cut_short_at = NULL')
}
