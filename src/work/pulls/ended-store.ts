import type { Tx } from '#kernel/db.ts'

/** A branch that is gone, with open pull requests that are to follow it: the arguments of the job that has them follow. */
export type EndedBranch = {
  repoId: number
  branch: string
  /** Where they are to be merged then. */
  target: string
  actorId: number
  /** Unix seconds. */
  at: number
  /** Pull requests of later issues mean another branch. */
  until: number
}

/** What is still to follow a branch that was gone means one of this name now. */
export function renameEnded(tx: Tx, repoId: number, from: string, to: string): void {
  const sql = (member: string) =>
    `UPDATE job SET args = json_replace(args, '$.${member}', ?1) WHERE kind = 'pulls.followDeletion'
     AND json_extract(args, '$.repoId') = ?2 AND json_extract(args, '$.${member}') = ?3`
  for (const member of ['branch', 'target']) tx.run(sql(member), to, repoId, from)
}
