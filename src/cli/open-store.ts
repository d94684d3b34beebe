import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { type Context, openContext } from '#context.ts'
import { Database } from '#kernel/db.ts'
import { migrate } from '#kernel/migrate.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '#slices.ts'
import type { Session } from './environment.ts'
import { configOf, type StoreOptions } from './load.ts'

/** The same store that a running server has open: SQLite lets both in, and each waits for the other's writes. */
export function openStore(options: StoreOptions, session: Session): Context {
  return openContextOf(configOf(options, session.environment))
}

/** A data directory (0700, made when absent) with its database brought up to date. */
export function openContextOf(config: Config): Context {
  mkdirSync(config.dataPath, { recursive: true, mode: 0o700 })
  chmodSync(config.dataPath, 0o700)
  const db = new Database(join(config.dataPath, 'pocketforge.db'))
  migrate(db, migrationsOf(slices))
  return openContext(config, db)
}
