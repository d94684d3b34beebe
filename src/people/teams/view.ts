import type { Static } from 'elysia'
import type { TeamRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { listOrgsById, presentOrg } from '#people/orgs/index.ts'
import type { Team } from './schema.ts'
import { unitsOfTeams } from './store.ts'
import { type TeamGrant, teamUnits } from './units.ts'

type TeamRecord = Static<typeof Team>
type ViewContext = Pick<Context, 'db' | 'rootUrl'>

export function presentTeam(context: ViewContext, row: TeamRow): TeamRecord {
  return presentTeams(context, [row])[0] as TeamRecord
}

/** Two queries, however many there are. */
export function presentTeams(context: ViewContext, rows: readonly TeamRow[]): TeamRecord[] {
  const orgs = new Map(listOrgsById(context.db, [...new Set(rows.map((row) => row.org_id))]).map((org) => [org.id, presentOrg(context, org)]))
  const units = unitsOfTeams(
    context.db,
    rows.map((row) => row.id),
  )
  return rows.flatMap((row) => {
    const organization = orgs.get(row.org_id)
    return organization ? [presentAlone(row, organization, units.get(row.id) ?? new Map())] : []
  })
}

function presentAlone(row: TeamRow, organization: TeamRecord['organization'], held: TeamGrant['units']): TeamRecord {
  const administers = row.permission === 'admin' || row.permission === 'owner'
  const levels = teamUnits.flatMap((unit) => {
    const level = administers ? row.permission : held.get(unit)
    return level === undefined ? [] : [[`repo.${unit}`, level] as const]
  })
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    organization,
    includes_all_repositories: row.includes_all_repositories === 1,
    permission: row.permission,
    units: levels.map(([name]) => name),
    units_map: Object.fromEntries(levels),
    can_create_org_repo: row.can_create_org_repo === 1,
    visibility: row.visibility,
  }
}
