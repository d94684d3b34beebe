import { Interests } from '#access/hooks.ts'
import { accessStore, findVisibleRepo, type RepoAccess, type TeamAccess, type TeamRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { forgetMembers, listFirstMembers } from '#people/teams/index.ts'
import { requireRepoAdmin, requireTeamAssigner } from './rules.ts'
import { addRepo, isTeamRepo, removeRepo } from './store.ts'

type Changing = Pick<Context, 'clock' | 'config' | 'db' | 'jobs' | 'services'>
/** Of a team larger than that, the others watch what they choose. */
const MAX_WATCHERS = 1000

/** Has a team reach a repository of its organization. @throws NotFound unless the viewer sees that; Forbidden unless they administer it */
export function giveRepo(context: Changing, viewer: Viewer, team: TeamAccess, name: string): void {
  const repo = getOrgRepo(context, viewer, team, name)
  requireRepoAdmin(repo)
  context.db.tx((tx) => give(context, tx, team.row, repo))
}

/** The reverse; one that it does not reach stays out. @throws as `giveRepo`, and Unprocessable for a team that reaches all */
export function takeRepo(context: Changing, viewer: Viewer, team: TeamAccess, name: string): void {
  const repo = getOrgRepo(context, viewer, team, name)
  requireRepoAdmin(repo)
  if (isTeamRepo(context.db, team.row, repo.row.id)) take(context, team.row, repo)
}

/** As `giveRepo`, from the repository's side. @throws Forbidden for who may not; NotFound; Unprocessable for a team that reaches it already */
export function addTeam(context: Changing, viewer: Viewer, repo: RepoAccess, name: string): void {
  const team = getChangeableTeam(context, viewer, repo, name)
  if (isTeamRepo(context.db, team, repo.row.id)) throw new Unprocessable(`team '${team.name}' is already added to repo`)
  context.db.tx((tx) => give(context, tx, team, repo))
}

/** The reverse. @throws as `addTeam`, and Unprocessable for a team that reaches all */
export function removeTeam(context: Changing, viewer: Viewer, repo: RepoAccess, name: string): void {
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

/** Who is in the team watches what it comes to reach, as whoever joins it does. */
function give({ clock, config, services }: Changing, tx: Tx, team: TeamRow, repo: RepoAccess): void {
  if (!addRepo(tx, team.id, repo.row.id) || !config.service.AUTO_WATCH_NEW_REPOS) return
  for (const userId of listFirstMembers(tx, team.id, MAX_WATCHERS)) services.get(Interests).watching.begin(tx, userId, repo.row.id, clock.seconds())
}

function take(context: Changing, team: TeamRow, repo: RepoAccess): void {
  if (team.includes_all_repositories === 1) throw new Unprocessable(`team '${team.name}' includes all repositories`)
  context.db.tx((tx) => {
    removeRepo(tx, team.id, repo.row.id)
    forgetMembers(context, tx, team)
  })
}

function getChangeableTeam(context: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, name: string): TeamRow {
  requireTeamAssigner(context.db, viewer, repo)
  return getTeamOfOwner(context, repo, name)
}
