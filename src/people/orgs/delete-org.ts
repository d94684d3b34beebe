import { accessStore, type UserRow } from '#access/index.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { type UserContext, userStore } from '#people/users/index.ts'

/** Deletes an organization with its teams; its names stay reserved. @throws Unprocessable while it owns repositories */
export function deleteOrg(context: UserContext, org: UserRow): void {
  context.db.tx((tx) => {
    if (accessStore.ownsRepos(tx, org.id)) throw new Unprocessable(`organization still has ownership of repositories [uid: ${org.id}]`)
    userStore.keepLeftNames(tx, org.id)
    userStore.reserveName(tx, org.name, 'deleted', null, context.clock.seconds())
    userStore.removeUser(tx, org.id)
  })
}
