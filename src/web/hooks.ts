import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'

/** Which rows of issues, pull requests and repositories the viewer can read. */
export interface ReadableNews {
  issues: Condition
  pulls: Condition
  repos: Condition
}

/** How the head of every page learns how many unread notifications there are; the room of notifications registers that. */
export class UnreadCounter {
  count: (db: Db, userId: number, readable: ReadableNews) => number = () => 0
}
