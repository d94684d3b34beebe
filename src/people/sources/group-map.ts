import { accessStore, isBlocked, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Problem, Unprocessable } from '#kernel/errors.ts'
import { joinTeam, leaveTeam } from '#people/teams/index.ts'

/** By the name of a group elsewhere: by that of an organization, the teams to be in. */
export type GroupMap = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/** What changes of memberships need of the context. */
export type GroupContext = Pick<Context, 'clock' | 'config' | 'jobs' | 'log' | 'services'>

const expected = 'the group map must be a JSON object of the form {"group": {"organization": ["team"]}}'

/** @param text empty or blank: no map. @throws Unprocessable */
export function parseGroupMap(text: string): GroupMap {
  if (text.trim() === '') return new Map()
  const groups = membersOf(parseJson(text))
  return new Map(groups.map(([group, orgs]) => [group, new Map(membersOf(orgs).map(([org, teams]) => [org, textsIn(teams)]))]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Unprocessable(`[GroupTeamMap]: ${expected}`, { cause })
  }
}

function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unprocessable(`[GroupTeamMap]: ${expected}`)
  return Object.entries(value)
}

function textsIn(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw new Unprocessable(`[GroupTeamMap]: ${expected}`)
  return value
}

export interface GroupMemberships {
  map: GroupMap
  /** The names of all groups that the person is in, as the source tells them. */
  groups: readonly string[]
  /** Whether they leave the teams of the map that none of their groups leads to. */
  removes: boolean
  /** What makes two spellings of a group's name one; absent: they must be the same. */
  normalize?: (name: string) => string
}

/**
 * Puts a person into the teams that their groups lead to, all of them together. Organizations and teams that are not there, owners that cannot leave
 * as the last ones, and organizations that blocked the person are passed over, which the log tells.
 */
export function applyGroupMap(context: GroupContext, tx: Tx, user: UserRow, memberships: GroupMemberships): void {
  const { map, groups, removes, normalize = (name) => name } = memberships
  const held = new Set(groups.map(normalize))
  const [granted, others] = [new Map<number, TeamRow>(), new Map<number, TeamRow>()]
  for (const [group, orgs] of map) {
    const isIn = held.has(normalize(group))
    if (!isIn && !removes) continue
    for (const team of teamsOf(context, tx, orgs)) (isIn ? granted : others).set(team.id, team)
  }
  for (const team of others.values()) if (!granted.has(team.id)) leave(context, tx, team, user)
  for (const team of granted.values()) join(context, tx, team, user)
}

function teamsOf({ log }: GroupContext, db: Db, orgs: ReadonlyMap<string, readonly string[]>): TeamRow[] {
  return [...orgs].flatMap(([orgName, names]) => {
    const org = accessStore.findUserByName(db, orgName)
    return names.flatMap((name) => {
      const team = org?.kind === 'organization' ? accessStore.findTeamByName(db, org.id, name) : undefined
      if (!team) log.warn(`group-to-team map refers to a team that does not exist: ${JSON.stringify(`${orgName}/${name}`)}`)
      return team ?? []
    })
  })
}

function join(context: GroupContext, tx: Tx, team: TeamRow, user: UserRow): void {
  if (isBlocked(tx, team.org_id, user.id)) context.log.warn(`user ${user.name} was not added to team ${team.name}: the organization has blocked the user`)
  else joinTeam(context, tx, team, user.id)
}

function leave(context: GroupContext, tx: Tx, team: TeamRow, user: UserRow): void {
  try {
    leaveTeam(context, tx, team, user.id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    context.log.warn(`user ${user.name} was not removed from team ${team.name}: ${error.message}`)
  }
}
