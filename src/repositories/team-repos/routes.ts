import { Elysia } from 'elysia'
import {
  accessStore,
  findVisibleRepo,
  gate,
  knowsTeam,
  noContent,
  operation,
  PageQuery,
  paging,
  type RepoAccess,
  RepoParams,
  type TeamAccess,
  TeamParams,
  type TeamRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { knownTo, listTeams, presentTeam, presentTeams, Team, TeamList } from '#people/teams/index.ts'
import { presentRepo, presentRepoRows, Repository, RepositoryList, searchRepos } from '#repositories/repos/index.ts'
import { requireRepoAdmin, requireTeamAssigner, roleTowardsTeams } from './rules.ts'
import { RepoTeamParams, TeamRepoParams } from './schema.ts'
import { addRepo, isTeamRepo, removeRepo } from './store.ts'

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
      ({ viewer, team, page, total }) => {
        const found = searchRepos(context.db, viewer, { teamId: team.row.id }, page)
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
        const repo = getOrgRepo(context, viewer, team, params)
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
    .put(
      '/teams/:id/repos/:org/:repo',
      ({ viewer, team, params }) => {
        const repo = getAdministered(context, viewer, team, params)
        context.db.tx((tx) => addRepo(tx, team.row.id, repo.row.id))
      },
      { team: 'member', params: TeamRepoParams, response: noContent, detail: operation('orgAddTeamRepository', 'Add a repository to a team', 'organization') },
    )
    .delete(
      '/teams/:id/repos/:org/:repo',
      ({ viewer, team, params }) => {
        const repo = getAdministered(context, viewer, team, params)
        if (isTeamRepo(context.db, team.row, repo.row.id)) takeRepo(context, team.row, repo)
      },
      {
        team: 'member',
        params: TeamRepoParams,
        response: noContent,
        detail: operation('orgRemoveTeamRepository', 'Remove a repository from a team', 'organization'),
      },
    )
}

/** The same from the repository's side, where teams go by name. */
function teamsOfRepos(context: Context) {
  return new Elysia({ name: 'team-repos.of-repo' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/teams',
      ({ viewer, repo, page, total }) => {
        const role = roleTowardsTeams(context.db, viewer, repo)
        const found = listTeams(context.db, { orgId: repo.owner.id, repoId: repo.row.id, knownTo: knownTo(viewer, role) }, page)
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
        if (!knowsTeam(context.db, viewer, role, team) || !isTeamRepo(context.db, team, repo.row.id)) throw missing(repo, params.team)
        return presentTeam(context, team)
      },
      {
        repo: 'read',
        params: RepoTeamParams,
        response: { 200: Team },
        detail: { ...operation('repoCheckTeam', 'Check if a team is assigned to a repository', 'repository'), errors: [405] },
      },
    )
    .put(
      '/repos/:owner/:repo/teams/:team',
      ({ viewer, repo, params }) => {
        const team = getChangeableTeam(context, viewer, repo, params.team)
        if (isTeamRepo(context.db, team, repo.row.id)) throw new Unprocessable(`team '${team.name}' is already added to repo`)
        context.db.tx((tx) => addRepo(tx, team.id, repo.row.id))
      },
      {
        repo: 'admin',
        params: RepoTeamParams,
        response: noContent,
        detail: { ...operation('repoAddTeam', 'Add a team to a repository', 'repository'), errors: [405] },
      },
    )
    .delete(
      '/repos/:owner/:repo/teams/:team',
      ({ viewer, repo, params }) => {
        const team = getChangeableTeam(context, viewer, repo, params.team)
        if (!isTeamRepo(context.db, team, repo.row.id)) throw new Unprocessable(`team '${team.name}' was not added to repo`)
        takeRepo(context, team, repo)
      },
      {
        repo: 'admin',
        params: RepoTeamParams,
        response: noContent,
        detail: { ...operation('repoDeleteTeam', 'Delete a team from a repository', 'repository'), errors: [405] },
      },
    )
}

/** The team's own organization is meant, whatever the path calls it: some clients put any text there. @throws NotFound unless the viewer sees the repository */
function getOrgRepo(context: Context, viewer: Viewer, team: TeamAccess, { repo: name }: { repo: string }): RepoAccess {
  const owner = accessStore.findUserById(context.db, team.row.org_id)
  const repo = owner && findVisibleRepo(context.db, viewer, owner.name, name)
  if (!repo) throw new NotFound()
  return repo
}

function getAdministered(context: Context, viewer: Viewer, team: TeamAccess, params: { org: string; repo: string }): RepoAccess {
  const repo = getOrgRepo(context, viewer, team, params)
  requireRepoAdmin(repo)
  return repo
}

function takeRepo(context: Context, team: TeamRow, repo: RepoAccess): void {
  if (team.includes_all_repositories === 1) throw new Unprocessable(`team '${team.name}' includes all repositories`)
  context.db.tx((tx) => removeRepo(tx, team.id, repo.row.id))
}

function getTeamOfOwner(context: Context, repo: RepoAccess, name: string): TeamRow {
  const team = accessStore.findTeamByName(context.db, repo.owner.id, name)
  if (!team) throw missing(repo, name)
  return team
}

function missing({ owner }: RepoAccess, name: string): NotFound {
  return new NotFound(`team does not exist [org_id ${owner.id}, name: ${name}]`)
}

function getChangeableTeam(context: Context, viewer: Viewer, repo: RepoAccess, name: string): TeamRow {
  requireTeamAssigner(context.db, viewer, repo)
  return getTeamOfOwner(context, repo, name)
}
