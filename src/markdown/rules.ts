import { accessStore, atLeast, canSeeUser, findKnownTeam, findVisibleRepo, type RepoAccess, type RepoRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'

/** The repository a text stands in, when the viewer may read its code; else nothing of it may show in links. */
export function findReadable(db: Db, viewer: Viewer, owner: string, name: string): RepoRow | undefined {
  const found = findVisibleRepo(db, viewer, owner, name)
  return found && mayReadCode(viewer, found) ? found.row : undefined
}

/** A token for other things reads no code, not even whether a commit is there. */
export function mayReadCode({ grant }: Viewer, { permission }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'read') && (grant === undefined || grant.all || grant.levels.repository !== undefined)
}

/** Issues or pull requests, which one reference may mean alike. Of a private repository a token for other things does not tell. */
export function mayReadIssues({ grant }: Viewer, { permission, row }: RepoAccess): boolean {
  const mayUse = grant === undefined || grant.all || grant.levels.issue !== undefined || grant.levels.repository !== undefined || row.is_private === 0
  return mayUse && (atLeast(permission.of('issues'), 'read') || atLeast(permission.of('pulls'), 'read'))
}

/** Whether a name becomes a link to an account, for a viewer who may know of it. */
export function mayMention(db: Db, viewer: Viewer, name: string): boolean {
  const user = accessStore.findUserByName(db, name)
  return user !== undefined && canSeeUser(viewer, user)
}

/** The same of a team, `organization/team`, in a text that stands in a repository of that organization: only there does it reach anyone. */
export function mayMentionTeam(db: Db, viewer: Viewer, { owner }: RepoAccess, path: string): boolean {
  const [org, name = ''] = path.split('/')
  if (owner.kind !== 'organization' || org !== owner.lower_name) return false
  const team = accessStore.findTeamByName(db, owner.id, name)
  return team !== undefined && findKnownTeam(db, viewer, team.id) !== undefined
}
