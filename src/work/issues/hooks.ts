import type { Oid } from '#git/objects/oid.ts'
import type { Tx } from '#kernel/db.ts'

export interface Reopening {
  actorId: number
  at: number
  /** Where a ref of a repository points, if it is there. */
  tipOf(repoId: number, name: string): Oid | undefined
}

/** What opening a pull request again asks for besides; the room of pull requests registers it. */
export class PullReopening {
  /** @returns the refs that move with it */
  reopen: (tx: Tx, issue: { id: number; number: number }, reopening: Reopening) => { name: string; new: Oid }[] = () => []
}
