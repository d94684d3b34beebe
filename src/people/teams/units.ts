import type { Static } from 'elysia'
import { levels } from '#access/index.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { EditTeamOption } from './schema.ts'

/** Gitea's units of a repository, without `repo.`; the two that stand for something outside of it can at most be read. */
export const teamUnits = ['code', 'issues', 'ext_issues', 'wiki', 'ext_wiki', 'pulls', 'releases', 'projects', 'packages', 'actions'] as const
export type TeamUnit = (typeof teamUnits)[number]
export type TeamPermission = 'none' | 'read' | 'write' | 'admin' | 'owner'

/** What a team may do: `units` is empty for teams that administer, which may do all. */
export interface TeamGrant {
  permission: TeamPermission
  units: ReadonlyMap<TeamUnit, 'read' | 'write'>
}

type Body = Pick<Static<typeof EditTeamOption>, 'permission' | 'units' | 'units_map'>
interface Asked extends Omit<Body, 'permission'> {
  /** Undefined for what nobody can ask for, too. */
  permission: 'read' | 'write' | 'admin' | undefined
}

/**
 * What a body makes of a team: `permission: admin` is all there is, and so is a `units_map` of nothing less; else the levels of
 * `units_map`, else `permission` (by default read) in each of `units`. What administers does so until `permission` says otherwise.
 * @param present what the team may do so far; absent for a new one, which gets all units when it names none
 * @throws Unprocessable on units and levels that are not known
 */
export function parseGrant(body: Body, present?: TeamGrant): TeamGrant {
  const asked = { ...body, permission: (['read', 'write', 'admin'] as const).find((one) => one === body.permission) }
  const units = unitsIn(asked, present)
  const named = Object.values(body.units_map ?? {}).filter((level) => level !== 'none')
  const isAllAdmin = named.length > 0 && named.every((level) => level === 'admin')
  if ((asked.permission ?? (isAllAdmin ? 'admin' : present?.permission)) === 'admin') return { permission: 'admin', units: new Map() }
  return { permission: leastOf(units), units }
}

function unitsIn({ permission, units, units_map: map }: Asked, present: TeamGrant | undefined): TeamGrant['units'] {
  if (map && Object.keys(map).length > 0) return new Map(Object.entries(map).flatMap(([name, level]) => unitAt(parseUnit(name), level)))
  const level = permission ?? (present?.permission === 'write' ? 'write' : 'read')
  if (units && units.length > 0) return new Map(units.map(parseUnit).flatMap((unit) => unitAt(unit, level)))
  if (present && !permission) return present.units
  const kept = present && present.permission !== 'admin' ? [...present.units.keys()] : teamUnits
  return new Map(kept.flatMap((unit) => unitAt(unit, level)))
}

function parseUnit(name: string): TeamUnit {
  const unit = teamUnits.find((one) => name === `repo.${one}`)
  if (!unit) throw new Unprocessable(`[Units]: invalid unit "${name.slice(0, 50)}"; valid units are ${teamUnits.map((one) => `repo.${one}`).join(', ')}`)
  return unit
}

/** No entry for `none`. In single units `admin` is no more than `write`. */
function unitAt(unit: TeamUnit, text: string): [TeamUnit, 'read' | 'write'][] {
  const level = levels.find((one) => one === text)
  if (level === undefined || level === 'owner')
    throw new Unprocessable(`[UnitsMap]: invalid level "${text.slice(0, 50)}"; valid levels are none, read, write, admin`)
  if (level === 'none') return []
  return [[unit, level === 'read' || isOutside(unit) ? 'read' : 'write']]
}

/** What the record's `permission` shows of a team that is no administrator. */
function leastOf(units: TeamGrant['units']): TeamPermission {
  const held = [...units].flatMap(([unit, level]) => (isOutside(unit) ? [] : [level]))
  if (held.length > 0) return held.includes('read') ? 'read' : 'write'
  return units.size > 0 ? 'read' : 'none'
}

function isOutside(unit: TeamUnit): boolean {
  return unit === 'ext_issues' || unit === 'ext_wiki'
}
