import { accessStore, atLeast, type OrgAccess, type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, Problem } from '#kernel/errors.ts'
import { listOrgsById } from '#people/orgs/index.ts'

/** @throws Forbidden for who does not administer the repository that a team is to reach or to leave */
export function requireRepoAdmin({ permission }: RepoAccess): void {
  if (!atLeast(permission.level, 'admin')) throw new Forbidden('Must have admin-level access to the repository')
}

/**
 * What the viewer is to the repository's organization, for what they may know of its teams; who administers the repository sees
 * them as an owner does. @throws Forbidden for who is neither in the organization nor works on the repository
 */
export function roleTowardsTeams(db: Db, viewer: Viewer, repo: RepoAccess): OrgAccess['role'] {
  const { user } = requireUser(viewer)
  refusePersonal(repo)
  if (atLeast(repo.permission.level, 'admin')) return 'owner'
  const role = accessStore.findOrgRole(db, repo.owner.id, user.id)
  if (!role && !atLeast(repo.permission.level, 'write')) throw new Forbidden('Must be an organization member')
  return role ?? 'outsider'
}

/** @throws Forbidden for who may not change which teams reach the repository */
export function requireTeamAssigner(db: Db, viewer: Viewer, repo: RepoAccess): void {
  refusePersonal(repo)
  if (!assignsTeams(db, viewer, repo)) throw new Forbidden('Must have permission to manage team repository access')
}

/** Owners of the organization change what teams reach; who administers the repository does where the organization allows it. */
export function assignsTeams(db: Db, viewer: Viewer, repo: RepoAccess): boolean {
  const { user } = requireUser(viewer)
  if (user.is_admin === 1 || accessStore.findOrgRole(db, repo.owner.id, user.id) === 'owner') return true
  const [org] = listOrgsById(db, [repo.owner.id])
  return org?.repo_admin_change_team_access === 1
}

function refusePersonal({ owner }: RepoAccess): void {
  if (owner.kind !== 'organization') throw new Problem(405, 'repo is not owned by an organization')
}
