import { accessStore, canSeeOrg, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'

/** Whose a fork is to be: an organization's, else the viewer's. @throws NotFound for an organization that the viewer may not see */
export function getForkOwner({ db }: Pick<Context, 'db'>, viewer: Member, organization: string | undefined): UserRow {
  if (!organization) return viewer.user
  const org = accessStore.findUserByName(db, organization)
  if (org?.kind !== 'organization' || !canSeeOrg(db, viewer, org)) throw new NotFound(`organization does not exist [name: ${organization}]`)
  return org
}
