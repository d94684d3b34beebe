import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'

/** A branch with new commits for which there is no pull request. */
export interface RecentPush {
  /** The repository that it is in: the one that was asked about, or a fork of it. */
  owner: string
  repo: string
  repo_id: number
  branch: string
  /** Seconds since 1970. */
  at: number
}

export interface RecentPushQuery {
  repoId: number
  userId: number
  /** Seconds since 1970. */
  since: number
  /** Which rows of `repository AS r` the viewer can read. */
  readable: Condition
  limit: number
}

/** How a repository's first page learns what the viewer pushed lately; the room of pull requests registers that. */
export class RecentPushes {
  list: (db: Db, query: RecentPushQuery) => RecentPush[] = () => []
}
