import type { Db } from '../kernel/db.ts'
import { atLeast, higher, type Level, type Unit, units } from './levels.ts'
import type { RepoRow, UserRow } from './rows.ts'
import { findCollaboration, isOrgOwner } from './store.ts'
import { isSelf, isSiteAdmin, type Viewer } from './viewer.ts'

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

/** The one place that answers what a viewer may do in a repository; rights are asked anew at each use. */
export function permissionIn(db: Db, viewer: Viewer, repo: RepoRow, owner: UserRow): Permission {
  const level = levelIn(db, viewer, repo, owner)
  const off = disabledUnits(repo)
  return { level, of: (unit) => (off.has(unit) ? 'none' : level) }
}

function levelIn(db: Db, viewer: Viewer, repo: RepoRow, owner: UserRow): Level {
  const hidden = repo.is_private === 1 || owner.visibility !== 'public'
  if (viewer.grant?.publicOnly && hidden) return 'none'
  if (viewer.user === undefined) return hidden ? 'none' : 'read'
  if (isSiteAdmin(viewer) || isSelf(viewer, owner)) return 'owner'
  if (owner.kind === 'organization' && isOrgOwner(db, owner.id, viewer.user.id)) return 'owner'
  const granted = findCollaboration(db, repo.id, viewer.user.id) ?? 'none'
  const open = repo.is_private === 0 && viewer.user.is_restricted === 0 && canSeeUser(viewer, owner)
  return higher(granted, open ? 'read' : 'none')
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
