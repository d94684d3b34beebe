import { Elysia } from 'elysia'
import { accessStore, gate, noContent, operation, PageQuery, paging, refuseBlocked, TeamParams, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { getFellow, refuseLastOwner } from '#people/orgs/index.ts'
import { presentUser, User, UserList } from '#people/users/index.ts'
import { requireOrgMember } from './rules.ts'
import { TeamMemberParams } from './schema.ts'
import { addMember, listReposReached, listTeamMembers, removeMember } from './store.ts'

/** Who is in a team. */
export function teamMembers(context: Context) {
  return new Elysia({ name: 'teams.members' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/teams/:id/members',
      ({ viewer, team, page, total }) => {
        requireOrgMember(team)
        const found = listTeamMembers(context.db, viewer, team.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        team: 'visible',
        list: true,
        params: TeamParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('orgListTeamMembers', "List a team's members", 'organization'),
      },
    )
    .get(
      '/teams/:id/members/:username',
      ({ viewer, team, params }) => {
        requireOrgMember(team)
        const user = getFellow(context.db, viewer, team.row.org_id, params.username)
        if (!accessStore.isTeamMember(context.db, team.row.id, user.id)) throw new NotFound()
        return presentUser(context, viewer, user)
      },
      {
        team: 'visible',
        params: TeamMemberParams,
        response: { 200: User },
        detail: operation('orgListTeamMember', 'List a particular member of team', 'organization'),
      },
    )
    .put(
      '/teams/:id/members/:username',
      ({ viewer, team, params }) => {
        const user = getFellow(context.db, viewer, team.row.org_id, params.username)
        context.db.tx((tx) => {
          refuseBlocked(tx, team.row.org_id, user.id)
          joinTeam(context, tx, team.row, user.id)
        })
      },
      { team: 'owner', params: TeamMemberParams, response: noContent, detail: operation('orgAddTeamMember', 'Add a team member', 'organization') },
    )
    .delete(
      '/teams/:id/members/:username',
      ({ viewer, team, params }) => leaveTeam(context, team.row, getFellow(context.db, viewer, team.row.org_id, params.username)),
      { team: 'owner', params: TeamMemberParams, response: noContent, detail: operation('orgRemoveTeamMember', 'Remove a team member', 'organization') },
    )
}

/** Who joins watches what the team reaches, where that is the custom. */
function joinTeam({ config, interests, clock }: Context, tx: Tx, team: TeamRow, userId: number): void {
  const isNew = !accessStore.isTeamMember(tx, team.id, userId)
  addMember(tx, team, userId)
  if (!isNew || !config.service.AUTO_WATCH_NEW_REPOS) return
  for (const repoId of listReposReached(tx, team.id, MAX_WATCHED)) interests.watching.begin(tx, userId, repoId, clock.seconds())
}

/** Nobody reads the news of more. */
const MAX_WATCHED = 1000

/** Who is not in it stays out. @throws Unprocessable for the last owner */
function leaveTeam(context: Context, team: TeamRow, user: UserRow): void {
  context.db.tx((tx) => {
    if (!accessStore.isTeamMember(tx, team.id, user.id)) return
    if (team.permission === 'owner') refuseLastOwner(tx, team.org_id)
    removeMember(tx, team.id, user.id)
  })
}
