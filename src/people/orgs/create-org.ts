import type { Static } from 'elysia'
import type { UserRow } from '#access/index.ts'
import { refuseLeaving } from '#people/leaving/index.ts'
import { checkEmail, checkName, checkWebsite, refuseTakenName, type UserContext, userStore } from '#people/users/index.ts'
import type { CreateOrgOption } from './schema.ts'
import { findOrgById, insertOrg, insertOwnersTeam, type OrgRow } from './store.ts'

/**
 * Creates an organization whose only owner is `owner`; the caller has found that allowed.
 * @param releasesName whether it may have the name of a deleted account; true when a site administrator creates it
 * @throws Unprocessable on a name that is malformed, reserved or taken, and on a bad address; Conflict while the owner is being deleted
 */
export function createOrg(context: UserContext, owner: UserRow, asked: Static<typeof CreateOrgOption>, releasesName = false): OrgRow {
  checkName(asked.username, context.config)
  if (asked.email) checkEmail(asked.email)
  if (asked.website) checkWebsite(asked.website)
  return context.db.tx((tx) => {
    refuseLeaving(tx, owner)
    if (releasesName) userStore.releaseDeletedName(tx, asked.username)
    refuseTakenName(tx, asked.username)
    const id = userStore.insertUser(tx, newRow(context, asked))
    insertOrg(tx, id, asked.repo_admin_change_team_access === true)
    insertOwnersTeam(tx, id, owner.id)
    return findOrgById(tx, id) as OrgRow
  })
}

function newRow({ clock }: UserContext, asked: Static<typeof CreateOrgOption>) {
  const now = clock.seconds()
  return {
    kind: 'organization',
    name: asked.username,
    lower_name: asked.username.toLowerCase(),
    full_name: asked.full_name ?? '',
    email: asked.email ?? '',
    description: asked.description ?? '',
    website: asked.website ?? '',
    location: asked.location ?? '',
    visibility: asked.visibility || 'public',
    created_at: now,
    updated_at: now,
  }
}
