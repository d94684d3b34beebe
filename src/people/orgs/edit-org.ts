import type { Static } from 'elysia'
import type { UserRow } from '#access/index.ts'
import type { Row } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { checkEmail, checkWebsite, type UserContext, userStore } from '#people/users/index.ts'
import type { EditOrgOption } from './schema.ts'
import { findOrgById, type OrgRow, setTeamAccessChange } from './store.ts'

const texts = ['full_name', 'email', 'description', 'website', 'location'] as const

/** Changes what is given of an organization; returns it as it is then. @throws Unprocessable on a bad address; NotFound when it is gone meanwhile */
export function editOrg(context: UserContext, org: UserRow, asked: Static<typeof EditOrgOption>): OrgRow {
  if (asked.email) checkEmail(asked.email)
  if (asked.website) checkWebsite(asked.website)
  const change: Row = { updated_at: context.clock.seconds() }
  for (const name of texts) {
    const value = asked[name]
    if (value !== undefined) change[name] = value
  }
  if (asked.visibility) change.visibility = asked.visibility
  return context.db.tx((tx) => {
    userStore.updateUser(tx, org.id, change)
    if (asked.repo_admin_change_team_access !== undefined) setTeamAccessChange(tx, org.id, asked.repo_admin_change_team_access)
    const edited = findOrgById(tx, org.id)
    if (!edited) throw new NotFound()
    return edited
  })
}
