import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'

/**
 * Takes the data directory for this process alone. The lock is SQLite's own on a file of its own, so the operating
 * system drops it when the process dies, however it dies, on every platform.
 * @throws Error when another process holds it
 */
export function lockInstance(dataPath: string): Disposable {
  const sqlite = new Sqlite(join(dataPath, 'instance.lock'), { create: true })
  try {
    sqlite.run('PRAGMA busy_timeout = 0')
    sqlite.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    sqlite.close()
    throw new Error(`Cannot use ${dataPath}: another Pocketforge is serving it. Stop that one, or choose another directory with --data.`, { cause })
  }
  return { [Symbol.dispose]: () => sqlite.close() }
}

/** The lock, or nothing when another process has it. */
export function tryLockInstance(dataPath: string): Disposable | undefined {
  try {
    return lockInstance(dataPath)
  } catch {
    return undefined
  }
}
