import type { Static } from 'elysia'
import { accessStore, type UserRow } from '../access/index.ts'
import type { Row, Tx } from '../kernel/db.ts'
import { BadRequest, Problem, Unprocessable } from '../kernel/errors.ts'
import { checkEmail, checkWebsite, hashNewPassword, type UserContext, userStore } from '../users/index.ts'
import type { EditUserOption } from './schema.ts'

type Change = Static<typeof EditUserOption>

/**
 * Changes what is given of an account; returns it as it is then.
 * @throws BadRequest on a short password, an address that is malformed or taken, and when no administrator would be left
 */
export async function editUser(context: UserContext, user: UserRow, change: Change): Promise<UserRow> {
  requireLocalSource(change.source_id)
  if (change.email !== undefined) checkAddress(change.email)
  if (change.website !== undefined) checkWebsite(change.website)
  const passwordHash = change.password ? await hashNewPassword(context, change.password) : undefined
  return context.db.tx((tx) => {
    if (change.admin === false) refuseLastAdmin(tx, user)
    if (change.email !== undefined) changeEmail(tx, user, change.email)
    const columns: Row = { ...columnsOf(change), updated_at: context.clock.seconds() }
    if (passwordHash !== undefined) columns.password_hash = passwordHash
    userStore.updateUser(tx, user.id, columns)
    return accessStore.findUserById(tx, user.id) as UserRow
  })
}

/** @throws Unprocessable on any other source of sign-in than the accounts kept here */
export function requireLocalSource(sourceId: number | undefined): void {
  if (sourceId) throw new Unprocessable(`login source does not exist [id: ${sourceId}]`)
}

/** @throws BadRequest when the account is the only administrator there is */
function refuseLastAdmin(tx: Tx, user: UserRow): void {
  const now = accessStore.findUserById(tx, user.id)
  if (now?.is_admin === 1 && userStore.countAdmins(tx) === 1) throw new BadRequest(`can not delete the last admin user [uid: ${user.id}]`)
}

/** Here, unlike in creation, a bad address is 400. */
function checkAddress(email: string): void {
  try {
    checkEmail(email)
  } catch (error) {
    throw error instanceof Problem ? new BadRequest(error.message) : error
  }
}

function changeEmail(tx: Tx, user: UserRow, email: string): void {
  const holder = userStore.findEmail(tx, email)
  if (holder && holder.user_id !== user.id) throw new BadRequest(`e-mail already in use [email: ${email}]`)
  if (userStore.isEmailReserved(tx, email)) throw new BadRequest(`e-mail is reserved [email: ${email}]`)
  userStore.setPrimaryEmail(tx, user.id, email)
}

function columnsOf(change: Change): Row {
  const columns: Record<string, string | number | boolean | undefined> = {
    login_name: change.login_name,
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
