import { existsSync, statSync } from 'node:fs'
import type { Database, Db, Tx } from '../db.ts'

interface StateRow {
  is_open: number
  file: string | null
  is_complete: number
}

/**
 * SQLite keeps what was written last in `<database>-wal` until it is carried over into the database file. Whoever copies the file of
 * a running server alone gets an older store, and SQLite has no way to notice. The store therefore says in the database file that
 * a server has it open; a file that says so without a `-wal` beside it was copied, or restored from a copy. It also says which file it is:
 * of one that was copied together with its `-wal`, one after the other, a checkpoint in between makes a database that fits nowhere.
 *
 * A backup tool that reads through SQLite (`VACUUM INTO`, the backup API) or replays the log (Litestream) makes a complete database without
 * a `-wal`. `is_complete` tells it from a copied file: it is 0 while a checkpoint writes to the database file, and 1 otherwise, so that only
 * the log has the 1.
 */
export function hasLog(databasePath: string): boolean {
  return existsSync(`${databasePath}-wal`)
}

/**
 * To be asked by who has the store for itself, before anything is written. @param hadLog before it was opened, which makes a new one
 * @param noted called in the transaction in which it is noted
 * @returns what was noticed just now: `cut short`, the end of what was written may be missing; `copied`, its files may be of different times;
 * `restored`, it is complete, and what lies beside it may be of another time
 */
export function noticeCopy(db: Database, hadLog: boolean, now: number, noted: (tx: Tx) => void = () => {}): 'cut short' | 'copied' | 'restored' | undefined {
  const state = db.find<StateRow>('SELECT is_open, file, is_complete FROM store_state')
  if (state?.is_open !== 1) return undefined
  const noticed = hadLog ? noticeBesideLog(db, state) : noticeAlone(state)
  db.tx((tx) => {
    tx.run('UPDATE store_state SET is_open = 0, cut_short_at = coalesce(?, cut_short_at)', noticed === 'cut short' ? now : null)
    if (noticed) noted(tx)
  })
  return noticed
}

function noticeBesideLog(db: Database, { file }: StateRow): 'copied' | undefined {
  return file !== null && file !== fileOf(db) ? 'copied' : undefined
}

function noticeAlone({ is_complete }: StateRow): 'cut short' | 'restored' {
  return is_complete === 1 ? 'restored' : 'cut short'
}

/** Says in the database file itself that a server has the store open. */
export function markOpen(db: Database): void {
  db.tx((tx) => tx.run('UPDATE store_state SET is_open = 1, is_complete = 0, file = ?', fileOf(db)))
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  markComplete(db, true)
}

/** Call with false before a checkpoint, and with true after it; without effect where no server has the store open. */
export function markComplete(db: Pick<Database, 'tx'>, isComplete: boolean): void {
  db.tx((tx) => tx.run('UPDATE store_state SET is_complete = ? WHERE is_open = 1', isComplete ? 1 : 0))
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
