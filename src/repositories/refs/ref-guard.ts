import type { Tx } from '#kernel/db.ts'
import type { RefChange } from './events.ts'
import type { RefUpdate } from './ref-update.ts'

/**
 * What a room above this one has to do with every move of a ref, whichever way it comes: pushes, API commits, merges, renames, deletes.
 * Both run in the transaction that moves the ref, on its rows; the context holds them (`refGuards`).
 */
export interface RefGuard<Context> {
  /**
   * Judges the updates of one move. It is prepared once for all of them, as there may be a hundred thousand; for each it answers why not,
   * in words for a pusher's terminal.
   */
  judge?(context: Context, tx: Tx, repo: GuardedRepo, move: RefMove): (update: RefUpdate) => string | undefined
  /** Follows refs that moved. @returns refs of the server's own that move with them; nobody is told of those */
  follow?(context: Context, tx: Tx, repo: GuardedRepo, changes: readonly RefChange[], move: RefMove): RefUpdate[]
}

export interface GuardedRepo {
  id: number
  owner_id: number
  default_branch: string
}

/** Who moves refs, and how. */
export interface RefMove {
  actorId: number
  /** Branches that move by a merge, which was judged as one in this transaction. */
  merges?: readonly string[]
  /** One ref that is deleted and made anew under another name, as far as who follows it cares. */
  rename?: { from: string; to: string }
}

/** Refs that the server keeps: nobody pushes them. */
const OWN = ['refs/pull/', 'refs/for/', 'refs/internal/']

export function isServersOwn(name: string): boolean {
  return OWN.some((prefix) => name.startsWith(prefix))
}
