import { Elysia } from 'elysia'
import { gate, noContent, OrgParams, operation, PageQuery, paging, readsPublicOrgsOnly, TeamParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { createTeam, deleteTeam, editTeam } from './change-teams.ts'
import { teamMembers } from './member-routes.ts'
import { knownTo } from './rules.ts'
import { CreateTeamOption, EditTeamOption, Team, TeamList, TeamSearchQuery, TeamSearchResults } from './schema.ts'
import { listTeams } from './store.ts'
import { presentTeam, presentTeams } from './view.ts'

/** Teams: what they are, who is in them, what they reach. */
export function teams(context: Context) {
  return new Elysia({ name: 'teams' }).use(ofOrgs(context)).use(themselves(context)).use(teamMembers(context))
}

function ofOrgs(context: Context) {
  return new Elysia({ name: 'teams.orgs' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/teams',
      async ({ viewer, org, page, total }) => {
        const found = await listTeams(context.db, viewer, { orgId: org.row.id, knownTo: knownTo(viewer, org.role) }, page)
        total(found.total)
        return presentTeams(context, found.rows)
      },
      {
        org: 'member',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: TeamList },
        detail: operation('orgListTeams', "List an organization's teams", 'organization'),
      },
    )
    .post(
      '/orgs/:org/teams',
      ({ org, body }) => {
        const team = createTeam(context, org.row, body)
        return presentTeam(context, team)
      },
      { org: 'owner', params: OrgParams, body: CreateTeamOption, response: { 201: Team }, detail: operation('orgCreateTeam', 'Create a team', 'organization') },
    )
    .get(
      '/orgs/:org/teams/search',
      async ({ viewer, org, query, page, total }) => {
        const inDescription = query.include_desc !== 'false' && query.include_desc !== '0'
        const found = await listTeams(
          context.db,
          viewer,
          { orgId: org.row.id, knownTo: knownTo(viewer, org.role), keyword: query.q?.trim(), inDescription },
          page,
        )
        total(found.total)
        return { ok: true, data: presentTeams(context, found.rows) }
      },
      {
        org: 'member',
        list: true,
        params: OrgParams,
        query: TeamSearchQuery,
        response: { 200: TeamSearchResults },
        detail: operation('teamSearch', 'Search for teams within an organization', 'organization'),
      },
    )
}

function themselves(context: Context) {
  return new Elysia({ name: 'teams.themselves' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/teams',
      async ({ viewer, page, total }) => {
        const found = await listTeams(context.db, viewer, { memberId: viewer.user.id, publicOnly: readsPublicOrgsOnly(viewer) }, page)
        total(found.total)
        return presentTeams(context, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: TeamList },
        detail: operation('userListTeams', 'List all the teams a user belongs to', 'user'),
      },
    )
    .get('/teams/:id', ({ team }) => presentTeam(context, team.row), {
      team: 'visible',
      params: TeamParams,
      response: { 200: Team },
      detail: operation('orgGetTeam', 'Get a team', 'organization'),
    })
    .patch('/teams/:id', ({ team, body }) => presentTeam(context, editTeam(context, team.row, body)), {
      team: 'owner',
      params: TeamParams,
      body: EditTeamOption,
      response: { 200: Team },
      detail: operation('orgEditTeam', 'Edit a team', 'organization'),
    })
    .delete('/teams/:id', ({ team }) => deleteTeam(context, team.row), {
      team: 'owner',
      params: TeamParams,
      response: noContent,
      detail: operation('orgDeleteTeam', 'Delete a team', 'organization'),
    })
}
