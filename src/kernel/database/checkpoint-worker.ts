import { SQLiteError, Database as Sqlite } from 'bun:sqlite'
import { type JobFailure, READY } from '../job-thread.ts'
import type { Checkpoint, CheckpointJob } from './checkpoints.ts'

/** The entry of the thread that writes the log of commits into the database. */
declare const self: { onmessage: (event: MessageEvent<CheckpointJob>) => void; postMessage: (answer: typeof READY | Checkpoint | JobFailure) => void }

self.onmessage = ({ data }) => self.postMessage(attempt(data))
self.postMessage(READY)

function attempt({ path }: CheckpointJob): Checkpoint | JobFailure {
  try {
    using sqlite = new Sqlite(path, { readwrite: true, create: false })
    sqlite.run('PRAGMA synchronous = FULL')
    // Passive: nobody who reads or writes meanwhile is waited for, or waits.
    const { log, checkpointed } = sqlite.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(PASSIVE)').get() ?? { log: 0, checkpointed: 0 }
    return { left: log - checkpointed }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return error instanceof SQLiteError ? { left: 0, failed: { message, code: error.code ?? '' } } : { error: message }
  }
}
