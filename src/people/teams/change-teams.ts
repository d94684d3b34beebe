import type { Static } from 'elysia'
import { accessStore, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import type { UserContext } from '#people/users/index.ts'
import { forgetMembers } from './change-members.ts'
import type { CreateTeamOption, EditTeamOption } from './schema.ts'
import * as store from './store.ts'
import { parseGrant, type TeamGrant } from './units.ts'

/** @throws Unprocessable on a name that is taken, and on units or levels that are not known */
export function createTeam(context: UserContext, org: UserRow, asked: Static<typeof CreateTeamOption>): TeamRow {
  const { permission, units } = parseGrant(asked)
  return context.db.tx((tx) => {
    refuseName(tx, org.id, asked.name)
    const id = store.insertTeam(tx, {
      org_id: org.id,
      name: asked.name,
      lower_name: asked.name.toLowerCase(),
      description: asked.description ?? '',
      permission,
      includes_all_repositories: Number(asked.includes_all_repositories === true),
      can_create_org_repo: Number(asked.can_create_org_repo === true),
      visibility: asked.visibility || 'private',
    })
    store.setUnits(tx, id, units)
    return accessStore.findTeamById(tx, id) as TeamRow
  })
}

/** Changes what is given of a team; of the owners' team only the description can be. @throws NotFound when it is gone meanwhile; Unprocessable as in creation */
export function editTeam(context: UserContext, team: TeamRow, asked: Static<typeof EditTeamOption>): TeamRow {
  return context.db.tx((tx) => {
    if (!accessStore.findTeamById(tx, team.id)) throw new NotFound()
    if (asked.name !== undefined && asked.name.toLowerCase() !== team.lower_name) refuseRename(tx, team, asked.name)
    const change: Parameters<typeof store.updateTeam>[2] = { description: asked.description ?? team.description }
    if (asked.name !== undefined && team.permission !== 'owner') Object.assign(change, { name: asked.name, lower_name: asked.name.toLowerCase() })
    store.updateTeam(tx, team.id, change)
    if (team.permission !== 'owner') changeRights(tx, team, asked)
    return accessStore.findTeamById(tx, team.id) as TeamRow
  })
}

function changeRights(tx: Tx, team: TeamRow, asked: Static<typeof EditTeamOption>): void {
  const { permission, units } = parseGrant(asked, grantOf(tx, team))
  store.setUnits(tx, team.id, units)
  if (team.includes_all_repositories === 1 && asked.includes_all_repositories === false) store.keepAllRepos(tx, team)
  store.updateTeam(tx, team.id, {
    permission,
    includes_all_repositories: Number(asked.includes_all_repositories ?? team.includes_all_repositories === 1),
    can_create_org_repo: Number(asked.can_create_org_repo ?? team.can_create_org_repo === 1),
    visibility: asked.visibility || team.visibility,
  })
}

function grantOf(db: Db, team: TeamRow): TeamGrant {
  return { permission: team.permission, units: store.unitsOfTeam(db, team.id) }
}

/** Its members that are in no other team leave the organization. @throws Unprocessable on the owners' team */
export function deleteTeam(context: Pick<Context, 'db' | 'jobs'>, team: TeamRow): void {
  if (team.permission === 'owner') throw new Unprocessable('the Owners team cannot be deleted')
  context.db.txLeavingRows((tx) => {
    forgetMembers(context, tx, team)
    deleteRow(context, tx, 'team', team.id)
  })
}

function refuseRename(tx: Tx, team: TeamRow, name: string): void {
  if (team.permission === 'owner') throw new Unprocessable('[Name]: the Owners team cannot be renamed')
  refuseName(tx, team.org_id, name)
}

function refuseName(tx: Tx, orgId: number, name: string): void {
  if (name.toLowerCase() === 'new') throw new Unprocessable(`[Name]: name is reserved [name: ${name}]`)
  if (accessStore.findTeamByName(tx, orgId, name)) throw new Unprocessable(`team already exists [org_id: ${orgId}, name: ${name}]`)
}
