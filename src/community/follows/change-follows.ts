import { findAccount, getAccount, type Member, refuseBlocked } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { insertFollow, removeFollow } from './store.ts'

/**
 * Makes the viewer follow a person or an organization. Following oneself changes nothing, as in Gitea.
 * @throws NotFound; Forbidden when one of the two blocked the other
 */
export function follow({ db, clock }: Pick<Context, 'db' | 'clock'>, viewer: Member, name: string): void {
  db.tx((tx) => {
    const account = getAccount(tx, viewer, name)
    if (account.id === viewer.user.id) return
    refuseBlocked(tx, account.id, viewer.user.id)
    refuseBlocked(tx, viewer.user.id, account.id)
    insertFollow(tx, viewer.user.id, account.id, clock.seconds())
  })
}

/** Also of those whom the viewer followed and may no longer see. @throws NotFound for nobody, and for other hidden accounts */
export function unfollow({ db }: Pick<Context, 'db'>, viewer: Member, name: string): void {
  db.tx((tx) => {
    const account = findAccount(tx, name)
    if (account && removeFollow(tx, viewer.user.id, account.id)) return
    getAccount(tx, viewer, name)
  })
}

/** Ends what either of two accounts follows of the other. */
export function unfollowEachOther(tx: Tx, oneId: number, otherId: number): void {
  removeFollow(tx, oneId, otherId)
  removeFollow(tx, otherId, oneId)
}
