import type { Db } from '#kernel/db.ts'
import { atLeast, higher, type Level, lower, type Unit, units } from './levels.ts'
import type { RepoRow, UserRow } from './rows.ts'
import { isNamedBy } from './scopes.ts'
import { findCollaboration, findOrgRole, findUserById, isOffered, isRepoCreator, listTeamGrants, type TeamGrantRow } from './store.ts'
import { anonymous, isSelf, isSiteAdmin, type Viewer } from './viewer.ts'
import { isToHide } from './visibility-store.ts'

/** What a viewer may do in one repository. */
export interface Permission {
  /** The highest level over all units; what `permissions` in a Repository record shows. */
  level: Level
  of(unit: Unit): Level
}

/** Whether the account itself can be seen; who may not see it gets 404. */
export function canSeeUser(viewer: Viewer, target: UserRow): boolean {
  if (viewer.grant?.publicOnly && target.visibility !== 'public') return false
  if (isSelf(viewer, target) || isSiteAdmin(viewer)) return true
  if (target.visibility === 'public') return true
  return target.visibility === 'limited' && viewer.user !== undefined && viewer.user.is_restricted === 0
}

/** The same for an organization, which its members see too, however private it is. */
export function canSeeOrg(db: Db, viewer: Viewer, org: UserRow): boolean {
  if (canSeeUser(viewer, org)) return true
  return viewer.user !== undefined && viewer.grant?.publicOnly !== true && findOrgRole(db, org.id, viewer.user.id) !== undefined
}

/** An administrator can take it from an account. */
export function mayCreateOrgs(user: UserRow): boolean {
  return user.allow_create_organization === 1 || user.is_admin === 1
}

/** Whether `user` may make repositories that `owner` owns: their own, and in organizations those of teams that may. */
export function mayCreateRepoIn(db: Db, user: UserRow, owner: UserRow): boolean {
  return user.is_admin === 1 || user.id === owner.id || (owner.kind === 'organization' && isRepoCreator(db, owner.id, user.id))
}

/** A repository and whose it is. */
interface RepoPlace {
  row: RepoRow
  owner: UserRow
}

export function permissionIn(db: Db, viewer: Viewer, row: RepoRow, owner: UserRow): Permission {
  return permissionsIn(db, viewer, [{ row, owner }])[0] as Permission
}

/**
 * The one place that answers what a viewer may do in repositories, each in its turn; rights are asked anew at each use. A level holds
 * for all units; teams of the owning organization add to it unit by unit, and those that administer make an owner, as in Gitea.
 */
export function permissionsIn(db: Db, viewer: Viewer, asked: readonly RepoPlace[]): Permission[] {
  const repos = asked.map(({ row, owner }) => ({ row: withBase(db, row), owner }))
  const levels = repos.map(({ row, owner }) => levelIn(db, viewer, row, owner))
  const byTeams = repos.filter(({ row, owner }, i) => levels[i] !== 'owner' && owner.kind === 'organization' && reaches(viewer, row, owner))
  const grants = viewer.user === undefined || byTeams.length === 0 ? noGrants : teamGrants(db, viewer.user, byTeams)
  return repos.map(({ row }, i) => {
    const permission = holderPermission(row, levels[i] as Level, grants.get(row.id) ?? noLevels)
    return isNamedBy(viewer.grant, row.id) ? permission : toRead(permission)
  })
}

/** Forks of what has just become private are so before their own rows say it. */
function withBase(db: Db, repo: RepoRow): RepoRow {
  return isToHide(db, repo) ? { ...repo, is_private: 1 } : repo
}

/** What of it is left to a token that is for other repositories. */
function toRead({ level, of }: Permission): Permission {
  return { level: lower(level, 'read'), of: (unit) => lower(of(unit), 'read') }
}

/** Levels by unit, or all there is. */
type Granted = ReadonlyMap<string, Level> | 'owner'

function holderPermission(repo: RepoRow, base: Level, granted: Granted): Permission {
  const off = disabledUnits(repo)
  if (granted === 'owner' || granted.size === 0) {
    const level = granted === 'owner' ? granted : base
    return { level, of: (unit) => (off.has(unit) ? 'none' : level) }
  }
  const of = (unit: Unit) => (off.has(unit) ? 'none' : higher(base, granted.get(unit) ?? 'none'))
  return { level: units.reduce((level, unit) => higher(level, of(unit)), base), of }
}

/** What the rules of `levelIn` came upon. */
export type Reason = 'siteAdmin' | 'isOwner' | 'collaborator' | 'open' | 'private' | 'ownerHidden' | 'restricted' | 'offered'
type Note = (reason: Reason) => void

/** What somebody may do before teams add to it, by the very rules, and why. */
export function explainLevel(db: Db, viewer: Viewer, repo: RepoRow, owner: UserRow): { level: Level; reasons: Reason[] } {
  const reasons: Reason[] = []
  const level = levelIn(db, viewer, withBase(db, repo), owner, (reason) => reasons.push(reason))
  return { level, reasons }
}

const unnoted: Note = () => {}

function levelIn(db: Db, viewer: Viewer, repo: RepoRow, owner: UserRow, note = unnoted): Level {
  if (viewer.user === undefined) {
    if (isHidden(repo, owner)) return refused(note, repo.is_private === 1 ? 'private' : 'ownerHidden')
    note('open')
    return 'read'
  }
  if (!reaches(viewer, repo, owner)) return 'none'
  if (viewer.user.is_admin === 1 || isSelf(viewer, owner)) {
    note(viewer.user.is_admin === 1 ? 'siteAdmin' : 'isOwner')
    return 'owner'
  }
  const granted = (viewer.plays?.repoId === repo.id ? viewer.plays.level : findCollaboration(db, repo.id, viewer.user.id)) ?? 'none'
  if (granted !== 'none') note('collaborator')
  const closed = whyClosed(db, viewer, viewer.user, repo, owner)
  note(closed ?? 'open')
  if (granted !== 'none' || closed === undefined) return higher(granted, closed === undefined ? 'read' : 'none')
  // Who is asked whether they want it may look at it.
  if (repo.is_in_transfer === 0 || !isOffered(db, viewer.user.id, repo.id)) return 'none'
  note('offered')
  return 'read'
}

function refused(note: Note, reason: Reason): Level {
  note(reason)
  return 'none'
}

/** Why who is signed in may not read it by that alone. */
function whyClosed(db: Db, viewer: Viewer, user: UserRow, repo: RepoRow, owner: UserRow): Reason | undefined {
  if (repo.is_private === 1) return 'private'
  if (user.is_restricted === 1) return 'restricted'
  return (owner.kind === 'person' ? canSeeUser(viewer, owner) : canSeeOrg(db, viewer, owner)) ? undefined : 'ownerHidden'
}

/** Whether the viewer's token is for repositories like this one at all. */
function reaches({ grant }: Viewer, repo: RepoRow, owner: UserRow): boolean {
  return grant === undefined || !isHidden(repo, owner) || (!grant.publicOnly && isNamedBy(grant, repo.id))
}

function isHidden(repo: RepoRow, owner: UserRow): boolean {
  return repo.is_private === 1 || owner.visibility !== 'public'
}

const noLevels: Granted = new Map()
const noGrants: ReadonlyMap<number, Granted> = new Map()

/** What teams grant, by repository. */
function teamGrants(db: Db, user: UserRow, repos: readonly RepoPlace[]): ReadonlyMap<number, Granted> {
  const rows = listTeamGrants(
    db,
    user.id,
    repos.map(({ row }) => row.id),
  )
  const byRepo = Map.groupBy(rows, ({ repo_id }) => repo_id)
  return new Map([...byRepo].map(([id, grants]) => [id, grants.some(({ administers }) => administers === 1) ? 'owner' : levelsOf(grants)]))
}

function levelsOf(grants: readonly TeamGrantRow[]): ReadonlyMap<string, Level> {
  return new Map(grants.flatMap(({ unit, level }) => (unit === null || level === null ? [] : [[unit, level]])))
}

/** Units switched off in the repository's settings (`has_issues: false` …). */
export function disabledUnits(repo: RepoRow): ReadonlySet<Unit> {
  if (repo.settings === '{}') return none
  const off = (JSON.parse(repo.settings) as { disabled_units?: Unit[] }).disabled_units
  return off === undefined ? none : new Set(off)
}

const none: ReadonlySet<Unit> = new Set()

/** Whether any unit can be read: enough for the repository to exist for the viewer. Who administers it can always switch units on again. */
export function canSee(permission: Permission): boolean {
  return atLeast(permission.level, 'admin') || (atLeast(permission.level, 'read') && units.some((unit) => atLeast(permission.of(unit), 'read')))
}

/** Whether a person sees a repository; an account that is gone is nobody's concern. */
export function isSeenBy(db: Db, userId: number, repo: RepoRow): boolean {
  const [user, owner] = [findUserById(db, userId), findUserById(db, repo.owner_id)]
  return !user || !owner || canSee(permissionIn(db, { ...anonymous, user }, repo, owner))
}
