import { accessStore, mayBePrincipal, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { findPrincipalByName, findPrincipalOf, insertPrincipal, type PrincipalRow, removePrincipal } from './principals-store.ts'

type Parts = Pick<Context, 'config' | 'db' | 'clock'>

/** What can be told apart by eye. */
const shape = /^[\x21-\x7e]+$/

/**
 * Has certificates for the name stand for the account.
 * @throws Unprocessable when it is none that the account may go by, or stands for an account already
 */
export function addPrincipal(context: Parts, owner: UserRow, text: string): PrincipalRow {
  const name = text.trim()
  if (!shape.test(name)) throw new Unprocessable('[Name]: the principal must consist of printable ASCII characters without spaces')
  return context.db.tx((tx) => {
    const allowed = context.config.server.SSH_AUTHORIZED_PRINCIPALS_ALLOW
    if (!mayBePrincipal(context.config, tx, owner, name))
      throw new Unprocessable(`[Name]: "${name}" is not allowed for your account; SSH_AUTHORIZED_PRINCIPALS_ALLOW is set to: ${allowed.join(', ')}`)
    makeRoom(context, tx, name)
    const row = { user_id: owner.id, name, created_at: context.clock.seconds() }
    return { ...row, id: insertPrincipal(tx, row), last_used_at: null }
  })
}

/** Takes the name from who may go by it no more. @throws Unprocessable when its holder still may */
function makeRoom({ config }: Parts, tx: Tx, name: string): void {
  const held = findPrincipalByName(tx, name)
  const holder = held && accessStore.findUserById(tx, held.user_id)
  if (holder && mayBePrincipal(config, tx, holder, name)) throw new Unprocessable('Principal has been used')
  if (held) removePrincipal(tx, held.id)
}

/** @throws NotFound when the account has no principal with this id */
export function deletePrincipal(context: Pick<Context, 'db'>, owner: UserRow, id: number): void {
  context.db.tx((tx) => {
    if (!findPrincipalOf(tx, owner.id, id)) throw new NotFound()
    removePrincipal(tx, id)
  })
}
