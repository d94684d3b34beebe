import type { Acting } from '#kernel/acting.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict } from '#kernel/errors.ts'
import type { RefChange } from './events.ts'
import type { RefUpdate } from './ref-update.ts'

/**
 * What a room above this one has to do with every move of a ref, whichever way it comes: pushes, API commits, merges, renames, deletes.
 * Both run in the transaction that moves the ref, on its rows; rooms register theirs with `RefHooks`.
 */
export interface RefGuard<Context> {
  /**
   * Judges the updates of one move. It is prepared once for all of them, as there may be a hundred thousand; for each it answers why not,
   * in words for a pusher's terminal.
   * What its `MoveFinder` has not found out it asks for by `askAgain`: the rules may have changed since.
   */
  judge?(context: Context, tx: Tx, repo: GuardedRepo, move: JudgedMove): RefJudge
  /** The refs that it would follow as things are, for moves of so many that not each can be looked at; without it, all. */
  followed?(tx: Tx, repo: GuardedRepo): ReadonlySet<string>
  /** Follows refs that moved. @returns refs of the server's own that move with them; nobody is told of those */
  follow?(context: Context, tx: Tx, repo: GuardedRepo, changes: readonly RefChange[], move: RefMove): RefUpdate[]
  /** A repository goes with all its refs, in this transaction. */
  leave?(context: Context, tx: Tx, repo: GuardedRepo, actorId: number): void
}

/**
 * Finds out before the transaction what a guard will need and rows do not tell: what is in the objects. Rooms register theirs
 * with `RefHooks`.
 */
export interface MoveFinder<Context> {
  guard: RefGuard<never>
  /** @returns undefined when nothing will be needed, which costs nothing */
  find(context: Context, coming: ComingMove): Promise<unknown> | undefined
}

export interface GuardedRepo {
  id: number
  owner_id: number
  default_branch: string
  is_mirror: number
}

/** Prepared for the updates of one move, on the rows as they are: answers why not. */
export interface RefJudge {
  (update: RefUpdate): Refusal | undefined
  /**
   * What all answers depend on besides the update: where it is the same as before, so would they be, and very many updates need not be judged
   * once more. Undefined, or absent, where that cannot be told.
   */
  basis?: () => string | undefined
}

/** Why an update is refused, by which rule if it has a name. */
export type Refusal = string | { reason: string; rule: string }

/** A move of refs before it is one. */
export interface ComingMove extends RefMove {
  repoId: number
  updates: readonly RefUpdate[]
  /** The packs that hold what is new, which nobody else sees yet. */
  packPaths: readonly string[]
}

/** By guard, what was found out for it. */
export type GuardFacts = ReadonlyMap<object, unknown>

/** A move of refs in its transaction. */
export interface JudgedMove extends RefMove {
  facts?: GuardFacts
  /** What the mover may do to the repository's code, on the rows as they are. */
  rights(): { canWrite: boolean; isAdmin: boolean }
  /** Where a ref is now; undefined when it is not there. */
  tipOf(name: string): string | undefined
  /** A guard has to know more than was found out. @throws Unprepared */
  askAgain(): never
}

/** A guard has to know more about a move than was found out: what it goes by has changed since, or nobody had anything found out. */
export class Unprepared extends Conflict {
  constructor() {
    super('The protection rules changed during the request. Try again.')
  }
}

/** Who moves refs, and how. */
export interface RefMove {
  actorId: number
  /** The accounts whose rights commit messages use in other repositories. */
  acting?: readonly Acting[] | undefined
  /** It is done with a deploy key, and `actorId` is whom that stands for. */
  byDeployKey?: boolean
  /** Branches that move by a merge, which was judged as one in this transaction. */
  merges?: readonly string[]
  /** Who merges passes over what they may of what rules ask of merges. */
  isOverride?: boolean
  /** One ref that is deleted and made anew under another name, as far as who follows it cares. */
  rename?: { from: string; to: string }
  /** Branches are deleted because they were merged into this one. */
  mergedInto?: string
}
