import { Elysia } from 'elysia'
import { gate, knowsTeam, noContent, operation, PageQuery, paging, RepoParams, TeamParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { knownTo, listTeams, presentTeam, presentTeams, Team, TeamList } from '#people/teams/index.ts'
import { presentRepo, presentRepoRows, Repository, RepositoryList, searchRepos } from '#repositories/repos/index.ts'
import { addTeam, getOrgRepo, getTeamOfOwner, giveRepo, missingTeam, removeTeam, takeRepo } from './change-team-repos.ts'
import { roleTowardsTeams } from './rules.ts'
import { RepoTeamParams, TeamRepoParams } from './schema.ts'
import { isTeamRepo } from './store.ts'

/** Which repositories a team reaches, and which teams reach a repository. */
export function teamRepos(context: Context) {
  return new Elysia({ name: 'team-repos' }).use(reposOfTeams(context)).use(teamsOfRepos(context))
}

/** What a team reaches. */
function reposOfTeams(context: Context) {
  return new Elysia({ name: 'team-repos.of-team' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/teams/:id/repos',
      async ({ viewer, team, page, total }) => {
        const found = await searchRepos(context.db, viewer, { teamId: team.row.id }, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        team: 'visible',
        list: true,
        params: TeamParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('orgListTeamRepos', "List a team's repos", 'organization'),
      },
    )
    .get(
      '/teams/:id/repos/:org/:repo',
      ({ viewer, team, params }) => {
        const repo = getOrgRepo(context, viewer, team, params.repo)
        if (!isTeamRepo(context.db, team.row, repo.row.id)) throw new NotFound()
        return presentRepo(context, viewer, repo)
      },
      {
        team: 'visible',
        params: TeamRepoParams,
        response: { 200: Repository },
        detail: operation('orgListTeamRepo', 'List a particular repo of team', 'organization'),
      },
    )
    .put('/teams/:id/repos/:org/:repo', ({ viewer, team, params }) => giveRepo(context, viewer, team, params.repo), {
      team: 'member',
      params: TeamRepoParams,
      response: noContent,
      detail: operation('orgAddTeamRepository', 'Add a repository to a team', 'organization'),
    })
    .delete('/teams/:id/repos/:org/:repo', ({ viewer, team, params }) => takeRepo(context, viewer, team, params.repo), {
      team: 'member',
      params: TeamRepoParams,
      response: noContent,
      detail: operation('orgRemoveTeamRepository', 'Remove a repository from a team', 'organization'),
    })
}

/** The same from the repository's side, where teams go by name. */
function teamsOfRepos(context: Context) {
  return new Elysia({ name: 'team-repos.of-repo' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/teams',
      async ({ viewer, repo, page, total }) => {
        const role = roleTowardsTeams(context.db, viewer, repo)
        const found = await listTeams(context.db, viewer, { orgId: repo.owner.id, repoId: repo.row.id, knownTo: knownTo(viewer, role) }, page)
        total(found.total)
        return presentTeams(context, found.rows)
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: TeamList },
        detail: { ...operation('repoListTeams', "List a repository's teams", 'repository'), errors: [405] },
      },
    )
    .get(
      '/repos/:owner/:repo/teams/:team',
      ({ viewer, repo, params }) => {
        const role = roleTowardsTeams(context.db, viewer, repo)
        const team = getTeamOfOwner(context, repo, params.team)
        if (!knowsTeam(context.db, viewer, role, team) || !isTeamRepo(context.db, team, repo.row.id)) throw missingTeam(repo, params.team)
        return presentTeam(context, team)
      },
      {
        repo: 'read',
        params: RepoTeamParams,
        response: { 200: Team },
        detail: { ...operation('repoCheckTeam', 'Check if a team is assigned to a repository', 'repository'), errors: [405] },
      },
    )
    .put('/repos/:owner/:repo/teams/:team', ({ viewer, repo, params }) => addTeam(context, viewer, repo, params.team), {
      repo: 'admin',
      params: RepoTeamParams,
      response: noContent,
      detail: { ...operation('repoAddTeam', 'Add a team to a repository', 'repository'), errors: [405] },
    })
    .delete('/repos/:owner/:repo/teams/:team', ({ viewer, repo, params }) => removeTeam(context, viewer, repo, params.team), {
      repo: 'admin',
      params: RepoTeamParams,
      response: noContent,
      detail: { ...operation('repoDeleteTeam', 'Delete a team from a repository', 'repository'), errors: [405] },
    })
}
