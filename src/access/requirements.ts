import { Forbidden, Locked, NotFound, Unauthorized } from '#kernel/errors.ts'
import { atLeast, higher, type Level, type Unit } from './levels.ts'
import type { UserRow } from './rows.ts'
import { type Category, grants, isNamedBy } from './scopes.ts'
import type { OrgAccess, RepoAccess } from './targets.ts'
import { isSelf, isSiteAdmin, type Member, type Viewer } from './viewer.ts'

/** Whether the viewer's token holds `level` of every category; without a token nothing is missing. */
export function holdsScope({ grant }: Viewer, needed: readonly Category[], level: 'read' | 'write'): boolean {
  return !grant || grants(grant, needed, level)
}

/** @throws Forbidden when the viewer's token does not hold `level` of every category */
export function requireScope(viewer: Viewer, needed: readonly Category[], level: 'read' | 'write'): void {
  const { grant } = viewer
  if (!grant || holdsScope(viewer, needed, level)) return
  const required = needed.map((category) => `${level}:${category}`).join(',')
  const held = grant.all ? 'all' : Object.entries(grant.levels).map(([category, held]) => `${held}:${category}`)
  throw new Forbidden(`token does not have at least one of required scope(s), required=[${required}], token scope=${held}`)
}

/** Whether lists tell the viewer of public repositories alone, since their token has no scope for repositories. */
export function readsPublicReposOnly(viewer: Viewer): boolean {
  return !holdsScope(viewer, ['repository'], 'read')
}

/** Returns whether lists show the viewer public organizations only: the token is public-only or lacks the organization scope. */
export function readsPublicOrgsOnly(viewer: Viewer): boolean {
  return viewer.grant?.publicOnly === true || !holdsScope(viewer, ['organization'], 'read')
}

/** Whether who asks has to sign in before anything is shown. */
export function mustSignIn({ service }: { service: { REQUIRE_SIGNIN_VIEW: boolean } }, { user }: Viewer): boolean {
  return user === undefined && service.REQUIRE_SIGNIN_VIEW
}

/** @throws Unauthorized for visitors */
export function requireUser(viewer: Viewer): Member {
  if (!viewer.user) throw new Unauthorized('token is required')
  return viewer as Member
}

/** @throws Forbidden when the viewer's token is for public things only and they are not public themselves */
export function requirePublicSelf(viewer: Member): void {
  if (viewer.grant?.publicOnly && viewer.user.visibility !== 'public') throw new Forbidden('token scope is limited to public users')
}

/** @throws Forbidden when a token for public things only would make what it cannot see, or hide what it sees */
export function refuseHiding(viewer: Viewer, isHidden: boolean): void {
  if (isHidden && viewer.grant?.publicOnly) throw new Forbidden('token scope is limited to public repositories and organizations')
}

/** @throws Forbidden when the viewer's token is limited to other repositories than the one that it would write to */
export function requireNamed({ grant }: Viewer, repoId: number): void {
  if (!isNamedBy(grant, repoId)) throw new Forbidden('token is limited to specific repositories and does not include this one')
}

/** @throws Forbidden when the viewer's token is limited to repositories, and would make another one */
export function refuseMaking({ grant }: Viewer): void {
  if (grant?.repoIds) throw new Forbidden('token is limited to selected repositories and cannot create new ones')
}

/** @throws Unauthorized for visitors, Forbidden for others than the person and site administrators */
export function requireSelf(viewer: Viewer, person: UserRow): void {
  if (!isSelf(requireUser(viewer), person) && !isSiteAdmin(viewer)) throw new Forbidden('Only the user or a site administrator can do this.')
}

/** @throws Unauthorized unless the viewer proved who they are with a password, in this request or for the session of a browser: what makes tokens is worth more than any token's scopes */
export function requirePassword(viewer: Viewer): void {
  if (!['password', 'session', 'proxy'].includes(viewer.via)) throw new Unauthorized('auth required')
}

/**
 * @param units in one of which the level is needed; in any unit at all when there are none
 * @throws NotFound when they cannot be read; Unauthorized or Forbidden when the level is short; Locked on writes to an archived repository,
 * but those of issues: there most may go on, as in Gitea, and the rest asks `refuseArchived`
 */
export function requireLevel(viewer: Viewer, repo: RepoAccess, units: readonly Unit[], level: Level): void {
  const have = units.length === 0 ? repo.permission.level : units.map((unit) => repo.permission.of(unit)).reduce(higher)
  if (!atLeast(have, 'read')) throw new NotFound()
  if (!atLeast(have, level)) {
    requireUser(viewer)
    throw new Forbidden(`User should have ${level} access to this repository.`)
  }
  if (units.length > 0 && !units.includes('issues') && level === 'write' && repo.row.archived_at !== null)
    throw new Locked('This repository is archived and read-only.')
}

/** @throws Unauthorized for visitors, else Forbidden, when the viewer is less than `need` to the organization */
export function requireRole(viewer: Viewer, { role }: OrgAccess, need: 'member' | 'owner'): void {
  if (role === 'owner' || role === need) return
  requireUser(viewer)
  throw new Forbidden(`Must be an organization ${need}`)
}

/** @throws Locked */
export function refuseArchived({ row, owner }: Pick<RepoAccess, 'row' | 'owner'>): void {
  if (row.archived_at !== null) throw new Locked(`${owner.name}/${row.name} is archived`)
}
