import { join } from 'node:path'
import type { Config } from '#config.ts'
import { openContext } from '#context.ts'
import { Database } from '#kernel/db.ts'
import { messageOf } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { type Diagnosis, examine } from './examine.ts'

/** What the thread tells: of each check as it is done, and how it ended. */
export type Tidings = { diagnosis: Diagnosis } | { isDone: true } | { error: string }

/** The entry of the doctor's thread: it opens the store a second time, as the command line does beside a running server, and repairs nothing. */
declare const self: { onmessage: (event: MessageEvent<Config>) => void; postMessage: (tidings: Tidings) => void }

self.onmessage = async ({ data: config }) => {
  try {
    const db = new Database(join(config.dataPath, 'pocketforge.db'))
    await using context = openContext(config, db, [], { log: silentLog })
    await examine({ ...context, isServed: true }, false, (diagnosis) => self.postMessage({ diagnosis }))
    self.postMessage({ isDone: true })
  } catch (error) {
    self.postMessage({ error: messageOf(error) })
  }
}
