import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden, Problem } from '#kernel/errors.ts'
import { createUserWithoutPassword, userStore } from '#people/users/index.ts'
import { findSourceRow, findUserOfSource } from './store.ts'

/** What making accounts for others' people needs of the context. */
export type ExternalContext = Pick<Context, 'db' | 'config' | 'clock' | 'log'>

/** A person as a source tells of them. */
export interface ExternalPerson {
  sourceId: number
  /** What the source calls them: what stays the same there. Two people are told apart by it, so its case counts. */
  loginName: string
  /** What the account should be called; `accountName` makes a name of it. */
  name: string
  email: string
  fullName?: string
  isAdmin?: boolean
  isRestricted?: boolean
}

/**
 * The account of somebody who just signed in elsewhere: the one they have, else a new one without a password, to which no
 * mail goes. Two first sign-ins at once come to one account.
 * @throws Forbidden when an account here has the name or the address, when they are reserved or malformed, or the source is not in use any more
 */
export function createExternalUser(context: ExternalContext, tx: Tx, person: ExternalPerson): { user: UserRow; isNew: boolean } {
  refuseUnused(tx, person.sourceId)
  const known = findUserOfSource(tx, person.sourceId, person.loginName)
  if (known) return { user: known, isNew: false }
  return { user: create(context, tx, person), isNew: true }
}

/** Part of every transaction that follows an answer of the source's, which may have been deleted meanwhile. @throws Forbidden */
export function refuseUnused(tx: Tx, sourceId: number): void {
  if (findSourceRow(tx, sourceId)?.is_active !== 1) throw new Forbidden('This authentication source is inactive.')
}

function create(context: ExternalContext, tx: Tx, person: ExternalPerson): UserRow {
  const { sourceId: loginSource, loginName, email, fullName, isAdmin } = person
  const username = accountName(person.name)
  refuseTaken(tx, username, email)
  const isRestricted = person.isRestricted === true && !isAdmin
  try {
    return createUserWithoutPassword(context, tx, {
      username,
      email,
      fullName: fullName?.slice(0, MAX_FULL_NAME),
      loginName,
      loginSource,
      isAdmin,
      isRestricted,
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Forbidden(`Cannot create your account: ${error.message}. Contact a site administrator.`, { cause: error })
  }
}

/** As long as an administrator may make it. */
export const MAX_FULL_NAME = 100

/** Whoever has the name or address here has not shown to be the same person. */
function refuseTaken(tx: Tx, username: string, email: string): void {
  const what = accessStore.findUserByName(tx, username) ? `username ${username}` : accessStore.findUserByEmail(tx, email) ? `email address ${email}` : undefined
  if (what === undefined) return
  throw new Forbidden(`Cannot create your account: the ${what} is already used by another account. Contact a site administrator.`)
}

/**
 * The name of an account that a name elsewhere stands for: of an address what is before the `@`; without accents and
 * quotes, what accounts' names cannot have a dash, and no two marks in a row. It may come out empty, or reserved.
 */
export function accountName(name: string): string {
  const local = name.trim().replace(/(?<=.)@.*$/s, '')
  const plain = local.normalize('NFD').replace(/\p{Mn}|['’`´]/gu, '')
  const spelt = plain
    .replace(/Æ/g, 'AE')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/[Øø]/g, (o) => (o === 'ø' ? 'o' : 'O'))
  const dashed = spelt.replace(/[^0-9A-Za-z._-]+/g, '-').replace(/([-._])[-._]+/g, '$1')
  return dashed.slice(0, MAX_NAME).replace(/^[-._]+|[-._]+$/g, '')
}

/** As long as names of accounts are. */
const MAX_NAME = 40

/** What a source says of an account's rights; undefined leaves one alone. */
export interface ExternalRights {
  isAdmin?: boolean
  isRestricted?: boolean
}

/** Sets what a source decides, but never takes the last administrator away, which the log tells. Administrators are not restricted. */
export function setRights({ clock, log }: ExternalContext, tx: Tx, user: UserRow, rights: ExternalRights): void {
  const isLast = rights.isAdmin === false && user.is_admin === 1 && userStore.isLastAdmin(tx, user.id)
  if (isLast) log.warn(`user ${user.name} stays a site administrator although the authentication source says otherwise: there is no other site administrator`)
  const is_admin = isLast ? 1 : Number(rights.isAdmin ?? user.is_admin === 1)
  const is_restricted = rights.isRestricted === undefined ? user.is_restricted : Number(rights.isRestricted && is_admin === 0)
  const isSame = is_admin === user.is_admin && is_restricted === user.is_restricted
  if (!isSame) userStore.updateUser(tx, user.id, { is_admin, is_restricted, updated_at: clock.seconds() })
}
