import { accessStore, type RepoAccess, type RepoRow, type TeamRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Forbidden, Unprocessable } from '#kernel/errors.ts'
import { refuseLeaving } from '#people/leaving/index.ts'
import { endForOwners } from '#repositories/collaborators/index.ts'
import { findReachedLimit, forgetOutsiders, giveTo } from '#repositories/repos/index.ts'
import { addTeamRepo } from '#repositories/team-repos/index.ts'
import { HandOverHooks } from './hooks.ts'

export interface HandOver {
  actor: UserRow
  to: UserRow
  /** The recipient's teams that are to reach it. */
  teams: readonly TeamRow[]
}

/**
 * Gives a repository to another owner, with all that it has; its old address leads there. Teams of the old owner no longer reach it, and
 * rights that people of the new one were given one by one end: they have those of their teams.
 * @throws as `refuseRecipient`
 */
export function handOver(
  context: Pick<Context, 'config' | 'db' | 'events' | 'jobs' | 'services'>,
  tx: Tx,
  { row, owner }: RepoAccess,
  { actor, to, teams }: HandOver,
): RepoRow {
  refuseRecipient(context, tx, row, { actor, to })
  giveTo(tx, row, to.id)
  endForOwners(context, tx, row.id, to.id)
  for (const team of teams) addTeamRepo(tx, team.id, row.id)
  forgetOutsiders(context, tx, row.id)
  context.services.get(HandOverHooks).run(tx, row.id)
  context.events.record(tx, {
    type: 'repository',
    action: 'transferred',
    actorId: actor.id,
    repoId: row.id,
    fullName: `${to.name}/${row.name}`,
    formerFullName: `${owner.name}/${row.name}`,
  })
  return accessStore.findRepoById(tx, row.id) as RepoRow
}

/** @throws Unprocessable for who has a repository of this name; Forbidden for who has as many as allowed; Conflict for who is being deleted */
export function refuseRecipient(context: Pick<Context, 'config'>, db: Db, repo: RepoRow, { actor, to }: Pick<HandOver, 'actor' | 'to'>): void {
  refuseLeaving(db, to)
  if (accessStore.findRepo(db, to.id, repo.name)) throw new Unprocessable(`The new owner already has a repository named ${repo.name}`)
  if (findReachedLimit(context, db, { owner: to, actor }) !== undefined) throw new Forbidden('Repository limit has been reached')
}
