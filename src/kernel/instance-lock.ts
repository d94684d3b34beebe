import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { isBusy } from './database/sqlite-errors.ts'
import { messageOf } from './errors.ts'

/**
 * Takes the data directory for this process alone. The lock is SQLite's own on a file of its own, so the operating
 * system drops it when the process dies, however it dies, on every platform.
 * @throws Error when another process holds it, and when it cannot be locked at all
 */
export function lockInstance(dataPath: string): Disposable {
  let sqlite: Sqlite | undefined
  try {
    sqlite = new Sqlite(join(dataPath, 'instance.lock'), { create: true })
    sqlite.run('PRAGMA busy_timeout = 0')
    // A full disk has no room for a journal beside it, and nothing is written that would need one.
    sqlite.run('PRAGMA journal_mode = MEMORY')
    sqlite.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    sqlite?.close()
    throw isBusy(cause) ? new Taken(dataPath, cause) : unlockable(dataPath, cause)
  }
  return { [Symbol.dispose]: () => sqlite.close() }
}

/** The lock, or nothing when another process has it. @throws Error when it cannot be locked at all */
export function tryLockInstance(dataPath: string): Disposable | undefined {
  try {
    return lockInstance(dataPath)
  } catch (error) {
    if (error instanceof Taken) return undefined
    throw error
  }
}

class Taken extends Error {
  constructor(dataPath: string, cause: unknown) {
    // SQLite says the same of a file system that has no locks.
    const advice =
      'Stop that server, or choose another directory with --data. If no other server is running, the file system does not support locks, as is the case for some network shares.'
    super(`Cannot use ${dataPath}: another Pocketforge server uses it. ${advice}`, { cause })
  }
}

function unlockable(dataPath: string, cause: unknown): Error {
  const advice = 'Check the disk and the owner of the file, or choose another directory with --data.'
  return new Error(`Cannot lock ${join(dataPath, 'instance.lock')}: ${messageOf(cause)}. ${advice}`, { cause })
}
