import { Interests } from '#access/hooks.ts'
import { accessStore, refuseBlocked, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { forgetLeaver } from '#people/leaving/index.ts'
import { refuseLastOwner } from '#people/orgs/index.ts'
import { addMember, listFirstMembers, listReposReached, removeMember } from './store.ts'

/** Who joins watches what the team reaches, where that is the custom. */
export function joinTeam({ config, services, clock }: Pick<Context, 'config' | 'services' | 'clock'>, tx: Tx, team: TeamRow, userId: number): void {
  const isNew = !accessStore.isTeamMember(tx, team.id, userId)
  addMember(tx, team, userId)
  if (!isNew || !config.service.AUTO_WATCH_NEW_REPOS) return
  for (const repoId of listReposReached(tx, team.id, MAX_WATCHED)) services.get(Interests).watching.begin(tx, userId, repoId, clock.seconds())
}

/** Nobody reads the news of more. */
const MAX_WATCHED = 1000

/** Puts somebody into a team. @throws Forbidden for whom the organization keeps away */
export function addTeamMember(context: Context, team: TeamRow, user: UserRow): void {
  context.db.tx((tx) => {
    refuseBlocked(tx, team.org_id, user.id)
    joinTeam(context, tx, team, user.id)
  })
}

/** Who is not in it stays out. @throws Unprocessable for the last owner */
export function leaveTeam(context: Pick<Context, 'jobs'>, tx: Tx, team: TeamRow, userId: number): void {
  if (!accessStore.isTeamMember(tx, team.id, userId)) return
  if (team.permission === 'owner') refuseLastOwner(tx, team.org_id)
  removeMember(tx, team.id, userId)
  forgetLeaver(context, tx, userId, team.org_id)
}

/** Of a team larger than that, the others end themselves what they watch. */
const MAX_FORGOTTEN = 1000

/** Who is in a team watches nothing that they see no more, once the team has lost some of it. */
export function forgetMembers(context: Pick<Context, 'jobs'>, tx: Tx, team: TeamRow): void {
  for (const userId of listFirstMembers(tx, team.id, MAX_FORGOTTEN)) forgetLeaver(context, tx, userId, team.org_id)
}
