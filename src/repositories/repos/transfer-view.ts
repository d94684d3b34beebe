import { accessStore, atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { presentTeams } from '#people/teams/index.ts'
import { presentUser } from '#people/users/index.ts'
import type { RepoTransfer } from './schema.ts'
import { findTransfer, listTransferTeams } from './transfer-store.ts'

/** Whom a repository is offered to, for those whom that concerns: who administers it, and who may take it. */
export function presentTransfer(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Viewer, { row, permission }: RepoAccess): RepoTransfer | undefined {
  if (row.is_in_transfer === 0 || !viewer.user) return undefined
  const { db } = context
  if (!atLeast(permission.level, 'admin') && !accessStore.isOffered(db, viewer.user.id, row.id)) return undefined
  const transfer = findTransfer(db, row.id)
  const doer = transfer && accessStore.findUserById(db, transfer.doer_id)
  const recipient = transfer && accessStore.findUserById(db, transfer.recipient_id)
  if (!doer || !recipient) return undefined
  return {
    doer: presentUser(context, viewer, doer),
    recipient: presentUser(context, viewer, recipient),
    teams: presentTeams(context, listTransferTeams(db, row.id)),
  }
}
