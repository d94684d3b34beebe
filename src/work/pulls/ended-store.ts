import type { Tx } from '#kernel/db.ts'

/** A deleted branch: the arguments of the job that updates its pull requests. */
export type EndedBranch = {
  repoId: number
  branch: string
  /** The new base of pull requests into the branch. */
  target: string
  actorId: number
  /** Unix seconds. */
  at: number
  /** The highest issue id. Later pull requests belong to another branch with this name. */
  until: number
}

/** Renames a branch in the arguments of pending jobs. */
export function renameEnded(tx: Tx, repoId: number, from: string, to: string): void {
  const sql = (member: string) =>
    `UPDATE job SET args = json_replace(args, '$.${member}', ?1) WHERE kind = 'pulls.followDeletedBranch'
     AND json_extract(args, '$.repoId') = ?2 AND json_extract(args, '$.${member}') = ?3`
  for (const member of ['branch', 'target']) tx.run(sql(member), to, repoId, from)
}
