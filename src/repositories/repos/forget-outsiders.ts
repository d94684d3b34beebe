import { accessStore, anonymous, canSee, permissionIn, type RepoRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'

/** Stars and watches of people who no longer see the repository end: what they would be told of it is not for them. */
export function forgetOutsiders({ interests }: Pick<Context, 'interests'>, tx: Tx, repoId: number, owner: UserRow): void {
  const repo = accessStore.findRepoById(tx, repoId) as RepoRow
  for (const interest of Object.values(interests)) {
    for (const userId of interest.listHolders(tx, repoId)) {
      const user = accessStore.findUserById(tx, userId)
      if (user && !canSee(permissionIn(tx, { ...anonymous, user }, repo, owner))) interest.drop(tx, userId, repoId)
    }
  }
}
