import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import type { Organization } from './schema.ts'
import type { OrgRow } from './store.ts'

/** @param isVisitor leaves out the address, which only signed-in people see */
export function presentOrg({ rootUrl }: Pick<Context, 'rootUrl'>, row: OrgRow, isVisitor = false): Static<typeof Organization> {
  return {
    id: row.id,
    name: row.name,
    full_name: row.full_name,
    email: isVisitor ? '' : row.email,
    avatar_url: `${rootUrl}avatars/${row.avatar || row.id}`,
    description: row.description,
    website: row.website,
    location: row.location,
    visibility: row.visibility,
    repo_admin_change_team_access: row.repo_admin_change_team_access === 1,
    username: row.name,
  }
}
