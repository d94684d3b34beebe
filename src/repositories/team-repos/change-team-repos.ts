import { accessStore, findVisibleRepo, type RepoAccess, type TeamAccess, type TeamRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { requireRepoAdmin, requireTeamAssigner } from './rules.ts'
import { addRepo, isTeamRepo, removeRepo } from './store.ts'

/** Has a team reach a repository of its organization. @throws NotFound unless the viewer sees that; Forbidden unless they administer it */
export function giveRepo(context: Pick<Context, 'db'>, viewer: Viewer, team: TeamAccess, name: string): void {
  const repo = getOrgRepo(context, viewer, team, name)
  requireRepoAdmin(repo)
  context.db.tx((tx) => addRepo(tx, team.row.id, repo.row.id))
}

/** The reverse; one that it does not reach stays out. @throws as `giveRepo`, and Unprocessable for a team that reaches all */
export function takeRepo(context: Pick<Context, 'db'>, viewer: Viewer, team: TeamAccess, name: string): void {
  const repo = getOrgRepo(context, viewer, team, name)
  requireRepoAdmin(repo)
  if (isTeamRepo(context.db, team.row, repo.row.id)) take(context, team.row, repo)
}

/** As `giveRepo`, from the repository's side. @throws Forbidden for who may not; NotFound; Unprocessable for a team that reaches it already */
export function addTeam(context: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, name: string): void {
  const team = getChangeableTeam(context, viewer, repo, name)
  if (isTeamRepo(context.db, team, repo.row.id)) throw new Unprocessable(`team '${team.name}' is already added to repo`)
  context.db.tx((tx) => addRepo(tx, team.id, repo.row.id))
}

/** The reverse. @throws as `addTeam`, and Unprocessable for a team that reaches all */
export function removeTeam(context: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, name: string): void {
  const team = getChangeableTeam(context, viewer, repo, name)
  if (!isTeamRepo(context.db, team, repo.row.id)) throw new Unprocessable(`team '${team.name}' was not added to repo`)
  take(context, team, repo)
}

/** The team's own organization is meant, whatever the path calls it: some clients put any text there. @throws NotFound unless the viewer sees the repository */
export function getOrgRepo(context: Pick<Context, 'db'>, viewer: Viewer, team: TeamAccess, name: string): RepoAccess {
  const owner = accessStore.findUserById(context.db, team.row.org_id)
  const repo = owner && findVisibleRepo(context.db, viewer, owner.name, name)
  if (!repo) throw new NotFound()
  return repo
}

/** @throws NotFound */
export function getTeamOfOwner(context: Pick<Context, 'db'>, repo: RepoAccess, name: string): TeamRow {
  const team = accessStore.findTeamByName(context.db, repo.owner.id, name)
  if (!team) throw missingTeam(repo, name)
  return team
}

export function missingTeam({ owner }: RepoAccess, name: string): NotFound {
  return new NotFound(`team does not exist [org_id ${owner.id}, name: ${name}]`)
}

function take(context: Pick<Context, 'db'>, team: TeamRow, repo: RepoAccess): void {
  if (team.includes_all_repositories === 1) throw new Unprocessable(`team '${team.name}' includes all repositories`)
  context.db.tx((tx) => removeRepo(tx, team.id, repo.row.id))
}

function getChangeableTeam(context: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, name: string): TeamRow {
  requireTeamAssigner(context.db, viewer, repo)
  return getTeamOfOwner(context, repo, name)
}
