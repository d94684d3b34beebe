import {
  anonymous,
  disabledUnits,
  explainLevel,
  isBlocked,
  type Level,
  levels,
  mustSignIn,
  permissionIn,
  type Reason,
  type RepoAccess,
  requireLevel,
  type Unit,
  type UserRow,
  units,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { listTeamsOf } from './store.ts'

type Asking = Pick<Context, 'config' | 'db' | 'authenticator'>

/** What somebody can do in a repository, and what it comes from. */
export interface Explanation {
  /** Over all parts of it. */
  level: Level
  /** By part; `off` for those that the repository does not have. */
  units: readonly (readonly [Unit, Level | 'off'])[]
  reasons: readonly Reason[]
  /** The teams that add to it. */
  teams: readonly string[]
  /** Sentences about what stands in the way. */
  limits: readonly string[]
}

/** @param user undefined for somebody who has not signed in */
export function explain(context: Asking, repo: RepoAccess, user: UserRow | undefined): Explanation {
  const viewer: Viewer = user === undefined ? anonymous : { ...anonymous, user, via: 'session' }
  const { row, owner } = repo
  const permission = permissionIn(context.db, viewer, row, owner)
  const { level: base, reasons } = explainLevel(context.db, viewer, row, owner)
  const seen = { row, owner, permission }
  const off = disabledUnits(row)
  const isOut = mustSignIn(context.config, viewer) || barOf(context, user) !== undefined
  const levelOf = (unit: Unit) => (isOut ? 'none' : reached(viewer, seen, unit))
  const isByTeams = user !== undefined && (permission.level !== base || units.some((unit) => !off.has(unit) && permission.of(unit) !== base))
  return {
    level: isOut ? 'none' : permission.level,
    units: units.map((unit) => [unit, off.has(unit) ? 'off' : levelOf(unit)] as const),
    reasons,
    teams: isByTeams ? listTeamsOf(context.db, user.id, owner.id, row.id) : [],
    limits: limitsOf(context, repo, user),
  }
}

/** The highest level up to which the gate lets somebody through to a part of a repository. */
function reached(viewer: Viewer, repo: RepoAccess, unit: Unit): Level {
  const passes = (level: Level) => {
    try {
      requireLevel(viewer, repo, [unit], level)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }
  const asked = levels.slice(1)
  const refused = asked.findIndex((level) => !passes(level))
  return (refused < 0 ? asked.at(-1) : asked[refused - 1]) ?? 'none'
}

/** What keeps an account out of everything, as the door says it. */
function barOf({ authenticator }: Asking, user: UserRow | undefined): string | undefined {
  if (user === undefined) return undefined
  try {
    authenticator.refuseBarred(user)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  return authenticator.whyNotReady(user)?.message
}

function limitsOf(context: Asking, { row, owner }: RepoAccess, user: UserRow | undefined): string[] {
  const bar = barOf(context, user)
  return [
    ...(mustSignIn(context.config, { ...anonymous, user }) ? ['This server requires signing in to see anything.'] : []),
    ...(bar === undefined ? [] : [bar]),
    ...(row.archived_at === null ? [] : ['The repository is archived: its files, branches and releases are read-only.']),
    ...(row.is_mirror === 0 ? [] : ['The repository is a mirror: its files can only be changed in the original repository.']),
    ...(user !== undefined && isBlocked(context.db, owner.id, user.id) ? [`${owner.name} has blocked this user: they cannot open issues or comment.`] : []),
  ]
}
