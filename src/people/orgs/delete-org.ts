import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { userStore } from '#people/users/index.ts'

/** Deletes an organization with its teams; its names stay reserved, and what belonged to it goes a little at a time. @throws Unprocessable while it owns repositories */
export function deleteOrg(context: Pick<Context, 'clock' | 'db' | 'jobs'>, org: UserRow): void {
  context.db.txLeavingRows((tx) => {
    if (accessStore.ownsRepos(tx, org.id)) throw new Unprocessable(`organization still has ownership of repositories [uid: ${org.id}]`)
    userStore.keepLeftNames(tx, org.id)
    userStore.reserveName(tx, org.name, 'deleted', null, context.clock.seconds())
    deleteRow(context, tx, 'user', org.id)
  })
}
