import { type Context, openContext } from '../context.ts'
import type { Session } from './environment.ts'
import { configOf, type StoreOptions } from './load.ts'

/** The same store that a running server has open: SQLite lets both in, and each waits for the other's writes. */
export function openStore(options: StoreOptions, session: Session): Context {
  return openContext(configOf(options, session.environment))
}
