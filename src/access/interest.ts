import type { Condition } from '#kernel/database/condition.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** An interest that people take in repositories, kept by a room above this one in a table of its own: stars, watches. */
export interface RepoInterest {
  /** The rows of `repository AS r` that the account takes it in. */
  of(userId: number): Condition
  /** The same where few repositories are asked about: not all that the account takes it in are looked at. */
  ofFew(userId: number): Condition
  /** Whether the account takes it in the repository. */
  has(db: Db, userId: number, repoId: number): boolean
  /** The accounts that take it in the repository, whether or not they see it: the first after one of them, by their ids. */
  listHolders(db: Db, repoId: number, after: number, limit: number): number[]
  /** The repositories that the account takes it in, whether or not it sees them: the first after one of them, by their ids. */
  listHeld(db: Db, userId: number, after: number, limit: number): number[]
  begin(tx: Tx, userId: number, repoId: number, now: number): void
  /** Leaves nothing of it. */
  drop(tx: Tx, userId: number, repoId: number): void
  /** The same in those of an owner's repositories with ids above `after` and up to `until`, but for what began after the job with the id `before` (blocks/part.ts). */
  dropOf(tx: Tx, userId: number, ownerId: number, stretch: { after: number; until: number; before: number }): void
}
