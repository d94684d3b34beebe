import { accessStore, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { ActionButton, type Html, type Visit } from '#web/index.ts'

/** Asks whom the repository is offered to whether they take it; undefined for everybody else. */
export function renderOffer({ db }: Pick<Context, 'db'>, visit: Visit, { row, owner }: RepoAccess): Html | undefined {
  const { user } = visit.viewer
  if (row.is_in_transfer === 0 || !user || !accessStore.isOffered(db, user.id, row.id)) return undefined
  const address = visit.to`/${owner.name}/${row.name}/action`
  return (
    <section class="written" aria-label="Transfer">
      <p>{`${owner.name} wants to transfer this repository to you or your organization.`}</p>
      <div class="buttons">
        <ActionButton action={`${address}/accept_transfer`}>Accept transfer</ActionButton>
        <ActionButton action={`${address}/reject_transfer`}>Reject transfer</ActionButton>
      </div>
    </section>
  )
}
