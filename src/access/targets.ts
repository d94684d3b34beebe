import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import { pathOf } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { findAccount, getAccount } from './accounts.ts'
import { isWikiId, wikiOf } from './git-stores.ts'
import { movedTo } from './moved.ts'
import { canSee, canSeeOrg, type Permission, permissionIn, permissionsIn } from './permissions.ts'
import type { RepoRow, TeamRow, UserRow, Visibility } from './rows.ts'
import {
  findMovedRepo,
  findOrgRole,
  findRepo,
  findRepoById,
  findTeamById,
  findUserById,
  findUserByName,
  isTeamMember,
  listReposById,
  listUsersById,
} from './store.ts'
import { isSiteAdmin, type Member, type Viewer } from './viewer.ts'

/** A repository, with what the viewer may do in it. */
export interface RepoAccess {
  row: RepoRow
  owner: UserRow
  permission: Permission
}

/** An organization, and what the viewer is to it; site administrators count as owners. */
export interface OrgAccess {
  row: UserRow
  role: 'outsider' | 'member' | 'owner'
}

/** A team, with its organization. */
export interface TeamAccess {
  row: TeamRow
  org: OrgAccess
}

/**
 * Finds `{owner}/{repo}` (or `{id}`) as the viewer sees it. Absent and hidden look the same.
 * @throws NotFound; a redirect to the new place when the repository or its owner was renamed and the viewer may see it
 */
export function getRepo(db: Db, viewer: Viewer, params: Record<string, string>, request: Request): RepoAccess {
  const { id = '', owner, repo: name = '' } = params
  const repo = owner === undefined ? repoById(db, viewer, id) : repoByName(db, viewer, owner, name, request)
  if (!repo) throw new NotFound()
  return repo
}

/** A repository by its names, or undefined when it is absent or hidden from the viewer; follows no redirect. */
export function findVisibleRepo(db: Db, viewer: Viewer, ownerName: string, name: string): RepoAccess | undefined {
  const owner = findUserByName(db, ownerName)
  const row = owner && findRepo(db, owner.id, name)
  return row && owner ? repoSeenBy(db, viewer, row, owner) : undefined
}

/** A repository, or its wiki by the id of its store, as it is now, with whatever the viewer may do in it, which may be nothing; undefined when it is gone. */
export function accessTo(db: Db, viewer: Viewer, storeId: number): RepoAccess | undefined {
  const repo = findRepoById(db, Math.abs(storeId))
  const owner = repo && findUserById(db, repo.owner_id)
  if (!repo || !owner) return undefined
  return { row: isWikiId(storeId) ? wikiOf(repo) : repo, owner, permission: permissionIn(db, viewer, repo, owner) }
}

/** The same for several repositories, by id; those that are gone are not in it. */
export function accessToAll(db: Db, viewer: Viewer, ids: Iterable<number>): Map<number, RepoAccess> {
  const rows = listReposById(db, [...new Set(ids)])
  const owners = new Map(listUsersById(db, [...new Set(rows.map(({ owner_id }) => owner_id))]).map((owner) => [owner.id, owner]))
  const places = rows.flatMap((row) => {
    const owner = owners.get(row.owner_id)
    return owner === undefined ? [] : [{ row, owner }]
  })
  const permissions = permissionsIn(db, viewer, places)
  return new Map(places.map((place, i) => [place.row.id, { ...place, permission: permissions[i] as Permission }]))
}

/** A repository by any names that it and its owner have or had, unless others took those; undefined when it is absent or hidden from the viewer. */
export function followRepo(db: Db, viewer: Viewer, ownerName: string, name: string): RepoAccess | undefined {
  const owner = findAccount(db, ownerName)
  if (!owner) return undefined
  const row = findRepo(db, owner.id, name) ?? findMovedRepo(db, owner.id, name)
  if (!row) return undefined
  const holder = row.owner_id === owner.id ? owner : findUserById(db, row.owner_id)
  return holder && repoSeenBy(db, viewer, row, holder)
}

function repoByName(db: Db, viewer: Viewer, ownerName: string, name: string, request: Request): RepoAccess | undefined {
  const repo = followRepo(db, viewer, ownerName, name)
  if (repo && (repo.row.lower_name !== name.toLowerCase() || repo.owner.lower_name !== ownerName.toLowerCase())) {
    throw movedTo(request, [ownerName, name], [repo.owner.name, repo.row.name])
  }
  return repo
}

function repoById(db: Db, viewer: Viewer, id: string): RepoAccess | undefined {
  const row = findRepoById(db, rowIdIn(id))
  const owner = row && findUserById(db, row.owner_id)
  return row && owner ? repoSeenBy(db, viewer, row, owner) : undefined
}

function repoSeenBy(db: Db, viewer: Viewer, row: RepoRow, owner: UserRow): RepoAccess | undefined {
  const permission = permissionIn(db, viewer, row, owner)
  return canSee(permission) ? { row, owner, permission } : undefined
}

/** @throws NotFound; a redirect when they were renamed and the viewer may see them */
export function getPerson(db: Db, viewer: Viewer, name: string, request: Request): UserRow {
  const found = getNamed(db, viewer, name, request)
  if (found.kind !== 'person') throw new NotFound(`user redirect does not exist [name: ${name}]`)
  return found
}

/** A person or an organization. @throws NotFound; a redirect when it was renamed and the viewer may see it */
export function getNamed(db: Db, viewer: Viewer, name: string, request: Request): UserRow {
  const found = getAccount(db, viewer, name)
  if (found.lower_name !== name.toLowerCase()) throw movedTo(request, ['users', name], ['users', found.name])
  return found
}

/** @throws NotFound; a redirect when the organization was renamed and the viewer may see it */
export function getOrg(db: Db, viewer: Viewer, name: string, request: Request): OrgAccess {
  const row = findAccount(db, name)
  if (row?.kind !== 'organization' || !canSeeOrg(db, viewer, row)) throw new NotFound()
  if (row.lower_name !== name.toLowerCase()) {
    const root = /^\/(?:api\/v1\/)?org\//.test(pathOf(request.url)) ? 'org' : 'orgs'
    throw movedTo(request, [root, name], [root, row.name])
  }
  return orgAccess(db, viewer, row)
}

/** An organization that was found otherwise, with what the viewer is to it. */
export function orgAccess(db: Db, viewer: Viewer, row: UserRow): OrgAccess {
  return { row, role: roleIn(db, viewer, row) }
}

function roleIn(db: Db, viewer: Viewer, org: UserRow): OrgAccess['role'] {
  if (viewer.user === undefined) return 'outsider'
  return isSiteAdmin(viewer) ? 'owner' : (findOrgRole(db, org.id, viewer.user.id) ?? 'outsider')
}

/** @throws NotFound for who is not in the organization; Forbidden for its members that are not in the team, unless it suffices that they may know of it */
export function getTeam(db: Db, viewer: Member, id: string, isVisibleEnough: boolean): TeamAccess {
  const team = findTeam(db, viewer, rowIdIn(id))
  if (!team) throw new NotFound()
  if (isVisibleEnough ? knowsTeam(db, viewer, team.org.role, team.row) : isIn(db, viewer, team.org.role, team.row)) return team
  throw team.org.role === 'member' ? new Forbidden('Must be a team member') : new NotFound()
}

/** A team that the viewer may know of. */
export function findKnownTeam(db: Db, viewer: Viewer, id: number): TeamAccess | undefined {
  const team = findTeam(db, viewer, id)
  return team && knowsTeam(db, viewer, team.org.role, team.row) ? team : undefined
}

/** A team of an organization that the viewer sees. */
function findTeam(db: Db, viewer: Viewer, id: number): TeamAccess | undefined {
  const row = findTeamById(db, id)
  const org = row && findUserById(db, row.org_id)
  return row && org && canSeeOrg(db, viewer, org) ? { row, org: { row: org, role: roleIn(db, viewer, org) } } : undefined
}

/** Whether somebody who is this to its organization is in a team; owners count as in all. */
function isIn(db: Db, { user }: Viewer, role: OrgAccess['role'], team: TeamRow): boolean {
  return role === 'owner' || (user !== undefined && isTeamMember(db, team.id, user.id))
}

/** Whether they may know of it. */
export function knowsTeam(db: Db, viewer: Viewer, role: OrgAccess['role'], team: TeamRow): boolean {
  return teamsKnownTo(role).includes(team.visibility) || isIn(db, viewer, role, team)
}

/** Which teams somebody knows of without being in them, from what they are to the organization; owners know all. */
export function teamsKnownTo(role: OrgAccess['role']): readonly Visibility[] {
  return role === 'outsider' ? ['public'] : ['public', 'limited']
}
