import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { type Context, openContext } from '#context.ts'
import { migrate } from '#kernel/database/migrate.ts'
import { hasLog, noticeCopy } from '#kernel/database/store-state.ts'
import { Database, type Tx } from '#kernel/db.ts'
import { tryLockInstance } from '#kernel/instance-lock.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '../slices.ts'
import type { Session } from './environment.ts'
import { configOf, type StoreOptions } from './load.ts'

/**
 * The same store that a running server has open: SQLite lets both in, and each waits for the other's writes.
 * @throws Error when there is none
 */
export function openStore(options: StoreOptions, session: Session): Context {
  const config = configOf(options, session.environment)
  requireStore(config, 'open')
  return openPrepared(config)
}

/** The same, made when there is none yet: what is to be in it can be added before the first start. */
export function openOrMakeStore(options: StoreOptions, session: Session): Context {
  return openPrepared(configOf(options, session.environment))
}

function openPrepared(config: Config): Context {
  prepareDirectory(config)
  using lock = tryLockInstance(config.dataPath)
  return openContextOf(config, lock !== undefined)
}

/**
 * A data directory with its database brought up to date.
 * @param isAlone whether the caller has the instance lock: beside a running server nothing of the store's form may change
 */
export function openContextOf(config: Config, isAlone: boolean): Context {
  const path = databaseIn(config.dataPath)
  refuseShared(path)
  const hadLog = hasLog(path)
  const db = openDatabase(path)
  migrate(db, migrationsOf(slices), isAlone)
  const context = openContext(config, db, slices)
  const noticed = isAlone && noticeCopy(db, hadLog, context.clock.seconds(), doubtAll)
  if (noticed) context.log[noticed === 'restored' ? 'info' : 'warn'](`${copyNotices[noticed]} Run "pocketforge doctor" to check the data.`)
  return context
}

function doubtAll(tx: Tx): void {
  for (const { doubt } of slices) doubt?.(tx)
}

const copyNotices = {
  'cut short':
    'The database was copied while a server had it open, without its pocketforge.db-wal file. The latest changes are missing, unless an online backup made the copy.',
  copied:
    'The database was copied while a server had it open, or after a server was killed. If a server had it open, the copy may be inconsistent, unless it comes from a disk snapshot.',
  restored: 'The database was restored from a complete backup of a running server. The repositories may be older or newer than the database.',
}

/** A mistyped directory is not an empty store. @throws Error when nothing is stored there */
export function requireStore({ dataPath }: Config, verb: string): void {
  if (!existsSync(databaseIn(dataPath))) throw new Error(`Cannot ${verb} ${dataPath}: it does not contain pocketforge.db. Set the data directory with --data.`)
}

export function databaseIn(dataPath: string): string {
  return join(dataPath, 'pocketforge.db')
}

/** The data directory itself: for the account that serves it alone. @throws Error when it cannot be written */
export function prepareDirectory({ dataPath }: Config): void {
  if (statSync(dataPath, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Error(`Cannot use ${dataPath} as the data directory: it is a file. Choose a directory with --data.`)
  try {
    mkdirSync(dataPath, { recursive: true, mode: 0o700 })
    chmodSync(dataPath, 0o700)
  } catch (cause) {
    throw unwritable(dataPath, cause)
  }
}

/**
 * A copy that was made of hard links, as by `cp -al`, changes with what it was copied from, but for what is in the log of either: what was stored
 * last in the one is taken back in both when the other is opened. @throws Error when the file has further names
 */
function refuseShared(path: string): void {
  const names = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1
  if (names < 2) return
  const advice = 'Replace it with a separate copy, first in the directory that was served last: "cp pocketforge.db own && mv own pocketforge.db".'
  throw new Error(`Cannot open ${path}: the file has ${names} hard links, and changes through one of them damage the others. ${advice}`)
}

function openDatabase(path: string): Database {
  try {
    return new Database(path)
  } catch (cause) {
    throw /SQLITE_(READONLY|CANTOPEN)/.test(String((cause as { code?: unknown }).code)) ? unwritable(path, cause) : cause
  }
}

function unwritable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `Cannot open ${path} for writing: ${reason}. Make it writable for the user that runs Pocketforge, or use a copy of the data directory with --data.`,
    { cause },
  )
}
