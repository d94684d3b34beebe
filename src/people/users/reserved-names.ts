import { accessStore } from '#access/index.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import type { UserContext } from './create-user.ts'
import { checkName } from './names.ts'
import { findReservedName, isNameReserved, listReservedEmails, type ReservedNameRow, releaseEmails, releaseName, reserveName } from './store.ts'

/** Keeps a name from being taken, also by who had it before. @throws Unprocessable when somebody has it now, or nobody could */
export function blockName(context: UserContext, name: string): ReservedNameRow {
  checkName(name, context.config)
  return context.db.tx((tx) => {
    if (accessStore.findUserByName(tx, name)) throw new Unprocessable(`user already exists [name: ${name}]`)
    reserveName(tx, name, 'blocked', null, context.clock.seconds())
    return findReservedName(tx, name) as ReservedNameRow
  })
}

/**
 * Lets a name be taken again, whatever kept it, and the addresses of the deleted account that had it; a renamed account is
 * found by it no more. Returns the addresses.
 * @throws NotFound when nothing keeps it
 */
export function freeName({ db }: Pick<UserContext, 'db'>, name: string): string[] {
  return db.tx((tx) => {
    if (!isNameReserved(tx, name)) throw new NotFound(`"${name}" is not a reserved name`)
    const addresses = listReservedEmails(tx, name)
    releaseName(tx, name)
    releaseEmails(tx, name)
    return addresses
  })
}
