import { Elysia } from 'elysia'
import { accessStore, gate, noContent, operation, PageQuery, paging, TeamParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { getFellow } from '#people/orgs/index.ts'
import { presentUser, User, UserList } from '#people/users/index.ts'
import { addTeamMember, leaveTeam } from './change-members.ts'
import { requireOrgMember } from './rules.ts'
import { TeamMemberParams } from './schema.ts'
import { listTeamMembers } from './store.ts'

/** Who is in a team. */
export function teamMembers(context: Context) {
  return new Elysia({ name: 'teams.members' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/teams/:id/members',
      async ({ viewer, team, page, total }) => {
        requireOrgMember(team)
        const found = await listTeamMembers(context.db, viewer, team.row.id, page)
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
      ({ viewer, team, params }) => addTeamMember(context, team.row, getFellow(context.db, viewer, team.row.org_id, params.username)),
      { team: 'owner', params: TeamMemberParams, response: noContent, detail: operation('orgAddTeamMember', 'Add a team member', 'organization') },
    )
    .delete(
      '/teams/:id/members/:username',
      ({ viewer, team, params }) => {
        const user = getFellow(context.db, viewer, team.row.org_id, params.username)
        context.db.tx((tx) => leaveTeam(context, tx, team.row, user.id))
      },
      { team: 'owner', params: TeamMemberParams, response: noContent, detail: operation('orgRemoveTeamMember', 'Remove a team member', 'organization') },
    )
}
