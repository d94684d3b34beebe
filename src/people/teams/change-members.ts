import { accessStore, refuseBlocked, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { refuseLastOwner } from '#people/orgs/index.ts'
import { addMember, listReposReached, removeMember } from './store.ts'

/** Who joins watches what the team reaches, where that is the custom. */
export function joinTeam({ config, interests, clock }: Pick<Context, 'config' | 'interests' | 'clock'>, tx: Tx, team: TeamRow, userId: number): void {
  const isNew = !accessStore.isTeamMember(tx, team.id, userId)
  addMember(tx, team, userId)
  if (!isNew || !config.service.AUTO_WATCH_NEW_REPOS) return
  for (const repoId of listReposReached(tx, team.id, MAX_WATCHED)) interests.watching.begin(tx, userId, repoId, clock.seconds())
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
export function leaveTeam(tx: Tx, team: TeamRow, userId: number): void {
  if (!accessStore.isTeamMember(tx, team.id, userId)) return
  if (team.permission === 'owner') refuseLastOwner(tx, team.org_id)
  removeMember(tx, team.id, userId)
}
