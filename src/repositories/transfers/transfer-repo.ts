import { accessStore, type Member, mayCreateRepoIn, type RepoAccess, type RepoRow, recheckAccount, refuseBlocked, refuseHiding } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { deleteTransfer, findTransfer, insertTransfer, listTransferTeams } from '#repositories/repos/index.ts'
import { handOver, refuseRecipient } from './hand-over.ts'
import { getRecipient, getStill, getTeams } from './rules.ts'
import type { TransferRepoOption } from './schema.ts'

/**
 * Gives a repository to a new owner: at once where the viewer may make repositories there; anywhere else it is offered.
 * @throws NotFound for an owner whom the viewer may not see; Conflict while it is offered to somebody; Forbidden for whom the new owner
 * keeps away; and as `refuseRecipient` and `getTeams`
 */
export function transferRepo(context: Context, viewer: Member, seen: RepoAccess, body: TransferRepoOption): { repo: RepoRow; isPending: boolean } {
  const { user } = viewer
  return context.db.tx((tx) => {
    recheckAccount(tx, user)
    const repo = getStill(tx, viewer, seen, 'owner')
    const to = getRecipient(tx, viewer, body.new_owner)
    refuseHiding(viewer, to.visibility !== 'public')
    const teams = getTeams(tx, to, body.team_ids ?? [])
    if (findTransfer(tx, repo.row.id)) throw new Conflict('A transfer of this repository is already pending')
    refuseBlocked(tx, to.id, user.id)
    if (mayCreateRepoIn(tx, user, to)) return { repo: handOver(context, tx, repo, { actor: user, to, teams }), isPending: false }
    refuseRecipient(context, tx, repo.row, { actor: user, to })
    const offer = { repo_id: repo.row.id, doer_id: user.id, recipient_id: to.id, created_at: context.clock.seconds() }
    insertTransfer(
      tx,
      offer,
      teams.map(({ id }) => id),
    )
    context.events.record(tx, {
      type: 'repository',
      action: 'offered',
      actorId: user.id,
      repoId: repo.row.id,
      fullName: `${repo.owner.name}/${repo.row.name}`,
      recipientId: to.id,
    })
    return { repo: accessStore.findRepoById(tx, repo.row.id) as RepoRow, isPending: true }
  })
}

/** Takes what the viewer is offered. @throws NotFound when nothing is; Forbidden for others than the recipient; and as `refuseRecipient` */
export function acceptTransfer(context: Context, viewer: Member, seen: RepoAccess): RepoRow {
  return context.db.tx((tx) => {
    const { repo, recipientId } = getOffer(tx, viewer, seen)
    const to = accessStore.findUserById(tx, recipientId)
    if (!to) throw new NotFound()
    refuseHiding(viewer, to.visibility !== 'public')
    const teams = listTransferTeams(tx, repo.row.id)
    return handOver(context, tx, repo, { actor: viewer.user, to, teams })
  })
}

/** @throws NotFound when nothing is offered; Forbidden for others than the recipient */
export function rejectTransfer(context: Pick<Context, 'db'>, viewer: Member, seen: RepoAccess): RepoRow {
  return context.db.tx((tx) => {
    const { repo } = getOffer(tx, viewer, seen)
    deleteTransfer(tx, repo.row.id)
    return accessStore.findRepoById(tx, repo.row.id) as RepoRow
  })
}

/** Takes back what is offered to somebody. @throws NotFound when nothing is; Forbidden for who does not own the repository */
export function cancelTransfer(context: Pick<Context, 'db'>, viewer: Member, seen: RepoAccess): void {
  context.db.tx((tx) => {
    recheckAccount(tx, viewer.user)
    const repo = getStill(tx, viewer, seen, 'owner')
    if (!findTransfer(tx, repo.row.id)) throw noTransfer(repo.row.id)
    deleteTransfer(tx, repo.row.id)
  })
}

function noTransfer(repoId: number): NotFound {
  return new NotFound(`repository doesn't have a pending transfer [repo_id: ${repoId}]`)
}

function getOffer(tx: Tx, viewer: Member, seen: RepoAccess): { repo: RepoAccess; recipientId: number } {
  recheckAccount(tx, viewer.user)
  const offer = findTransfer(tx, seen.row.id)
  if (!offer) throw noTransfer(seen.row.id)
  if (!accessStore.isOffered(tx, viewer.user.id, seen.row.id)) throw new Forbidden('user does not have permission to do this')
  return { repo: getStill(tx, viewer, seen, 'read'), recipientId: offer.recipient_id }
}
