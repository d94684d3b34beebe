import type { Static } from 'elysia'
import { accessStore, recheckAccount, type UserRow } from '#access/index.ts'
import type { Db, Row, Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { refuseLeaving } from '#people/leaving/index.ts'
import { findSourceRow, findUserOfSource } from '#people/sources/index.ts'
import { checkEmail, checkWebsite, hashNewPassword, type UserContext, userStore } from '#people/users/index.ts'
import { refuseLastAdmin } from './rules.ts'
import type { EditUserOption } from './schema.ts'

type Change = Static<typeof EditUserOption>

/**
 * Changes what is given of an account; returns it as it is then. As in Gitea a token of scope `write:admin` suffices, also for a
 * password, with which more can be done than with that token: whoever is given one can become any account.
 * @param actor the administrator who asks
 * @throws Unprocessable on a short password, on an address that is malformed or taken, and when no administrator could sign in any more;
 * NotFound when the account is gone meanwhile, Conflict while it is being deleted, Unauthorized when the actor's rights are
 */
export async function editUser(context: UserContext, actor: UserRow, user: UserRow, change: Change): Promise<UserRow> {
  if (change.email !== undefined) checkEmail(change.email)
  if (change.website !== undefined) checkWebsite(change.website)
  const passwordHash = change.password ? await hashNewPassword(context, change.password) : undefined
  return context.db.tx((tx) => {
    recheckAccount(tx, actor)
    const present = accessStore.findUserById(tx, user.id)
    if (!present) throw new NotFound()
    refuseLeaving(tx, user)
    const place = placeAfter(present, change)
    refusePlace(tx, place, user.id)
    if (place.sourceId !== 0 && passwordHash !== undefined)
      throw new Unprocessable('[password]: the account signs in through an external authentication source. Change the password there.')
    if (change.admin === false || change.active === false || change.prohibit_login === true) refuseLastAdmin(tx, user)
    if (change.email !== undefined) changeEmail(tx, user, change.email)
    const columns: Row = { ...columnsOf(change), ...columnsOfPlace(place), updated_at: context.clock.seconds() }
    if (passwordHash !== undefined) columns.password_hash = passwordHash
    userStore.updateUser(tx, user.id, columns)
    return accessStore.findUserById(tx, user.id) as UserRow
  })
}

/** Where an account signs in, and what it is called there. */
export interface SignInPlace {
  /** 0: here. */
  sourceId: number
  loginName: string
}

/** @throws Unprocessable when there is no such source, or somebody else is called so there */
export function refusePlace(db: Db, { sourceId, loginName }: SignInPlace, userId?: number): void {
  if (sourceId === 0) return
  if (!findSourceRow(db, sourceId)) throw new Unprocessable(`login source does not exist [id: ${sourceId}]`)
  const holder = findUserOfSource(db, sourceId, loginName)
  if (holder && holder.id !== userId) throw new Unprocessable(`login name is in use already [source: ${sourceId}, name: ${loginName}]`)
}

/** Gitea's clients send 0 and an empty name for what they leave alone. Whoever comes to a source without a name is called there as here. */
function placeAfter(user: UserRow, { source_id = 0, login_name }: Change): SignInPlace {
  const sourceId = source_id === 0 ? user.login_source : Math.max(source_id, 0)
  if (sourceId === 0) return { sourceId, loginName: login_name ?? user.login_name }
  return { sourceId, loginName: login_name || (sourceId === user.login_source && user.login_name) || user.name }
}

function changeEmail(tx: Tx, user: UserRow, email: string): void {
  const holder = accessStore.findUserByEmail(tx, email)
  if (holder && holder.id !== user.id) throw new Unprocessable(`e-mail already in use [email: ${email}]`)
  if (userStore.isEmailReserved(tx, email)) throw new Unprocessable(`e-mail is reserved [email: ${email}]`)
  userStore.setPrimaryEmail(tx, user.id, email)
}

/** Whoever signs in elsewhere has no password here to change, and none to come back to. */
function columnsOfPlace({ sourceId, loginName }: SignInPlace): Row {
  const place = { login_source: sourceId, login_name: loginName }
  return sourceId === 0 ? place : { ...place, must_change_password: 0, password_hash: '' }
}

function columnsOf(change: Change): Row {
  const columns: Record<string, string | number | boolean | undefined> = {
    full_name: change.full_name,
    must_change_password: change.must_change_password,
    website: change.website,
    location: change.location,
    description: change.description,
    pronouns: change.pronouns,
    hide_email: change.hide_email,
    is_active: change.active,
    is_admin: change.admin,
    max_repo_creation: change.max_repo_creation,
    prohibit_login: change.prohibit_login,
    allow_create_organization: change.allow_create_organization,
    is_restricted: change.restricted,
    visibility: change.visibility || undefined,
  }
  const given = Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, typeof value === 'boolean' ? Number(value) : value]]))
  return Object.fromEntries(given) as Row
}
