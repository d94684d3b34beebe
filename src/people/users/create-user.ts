import { accessStore, hashPassword, type UserRow, type Visibility } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { checkEmail, checkName, nameReserved } from './names.ts'
import { insertUser, isEmailReserved, isNameReserved, releaseDeletedName, setClaimedEmail, setPrimaryEmail } from './store.ts'

/** What operations on accounts need of the context; the command line has no more. */
export type UserContext = Pick<Context, 'db' | 'config' | 'clock'>

export interface NewUser {
  username: string
  email: string
  /** Absent: the account cannot sign in with a password until it is given one. */
  password?: string
  fullName?: string
  isAdmin?: boolean
  isRestricted?: boolean
  mustChangePassword?: boolean
  loginName?: string
  /** Where the account signs in; absent: here. */
  loginSource?: number
  /** Default: the setting `service.DEFAULT_USER_VISIBILITY`. */
  visibility?: Visibility
  /** Default: it can sign in at once. */
  isActive?: boolean
  /** Unix seconds; default now. */
  createdAt?: number
  /** Whether the name of a deleted account may be used again. Set when a site administrator creates the account. */
  releasesName?: boolean
}

/**
 * Creates a person's account, its address taken as verified.
 * @param also done in the same transaction, with the account as it was made
 * @throws Unprocessable on a short password, and on a name or address that is malformed, reserved or taken
 */
export async function createUser(context: UserContext, input: NewUser, also?: (tx: Tx, user: UserRow) => void): Promise<UserRow> {
  checkName(input.username, context.config)
  checkEmail(input.email)
  if (!input.releasesName) refuseTakenAccount(context.db, input)
  const password_hash = input.password === undefined ? '' : await hashNewPassword(context, input.password)
  return context.db.tx((tx) => {
    const user = insertAccount(context, tx, input, password_hash)
    also?.(tx, user)
    return user
  })
}

/** An account without a password, as part of a transaction. @throws Unprocessable as `createUser` does */
export function createUserWithoutPassword(context: UserContext, tx: Tx, input: Omit<NewUser, 'password'>): UserRow {
  checkName(input.username, context.config)
  checkEmail(input.email)
  return insertAccount(context, tx, input, '')
}

/** An account that is not active, and shows its address to nobody until it is shown to be its own. @throws Unprocessable for a name that is taken */
export function claimAccount(context: UserContext, tx: Tx, input: NewUser, passwordHash: string): UserRow {
  refuseTakenName(tx, input.username)
  const id = insertUser(tx, { ...newRow(context, { ...input, isActive: false }), password_hash: passwordHash, hide_email: 1 })
  setClaimedEmail(tx, id, input.email)
  return accessStore.findUserById(tx, id) as UserRow
}

/** Such an account, with another address. */
export function moveClaim(tx: Tx, { id }: UserRow, email: string): UserRow {
  setClaimedEmail(tx, id, email)
  return accessStore.findUserById(tx, id) as UserRow
}

function insertAccount(context: UserContext, tx: Tx, input: NewUser, passwordHash: string): UserRow {
  if (input.releasesName) releaseDeletedName(tx, input.username)
  refuseTakenAccount(tx, input)
  const id = insertUser(tx, { ...newRow(context, input), password_hash: passwordHash })
  setPrimaryEmail(tx, id, input.email)
  return accessStore.findUserById(tx, id) as UserRow
}

/** @throws Unprocessable when a name, of a person or organization, is in use or was */
export function refuseTakenName(db: Db, name: string): void {
  if (accessStore.findUserByName(db, name)) throw new Unprocessable(`user already exists [name: ${name}]`)
  if (isNameReserved(db, name)) throw nameReserved(name)
}

/** Outside of any transaction: hashing takes some 20 ms, on a thread of its own. @throws Unprocessable on a short password */
export function hashNewPassword({ config }: Pick<UserContext, 'config'>, password: string): Promise<string> {
  const least = config.security.MIN_PASSWORD_LENGTH
  if ([...password].length < least) throw new Unprocessable(`password must be at least ${least} characters`)
  return hashPassword(password)
}

function refuseTakenAccount(db: Db, { username, email }: NewUser): void {
  refuseTakenName(db, username)
  if (accessStore.findUserByEmail(db, email)) throw new Unprocessable(`e-mail already in use [email: ${email}]`)
  if (isEmailReserved(db, email)) throw new Unprocessable(`e-mail is reserved [email: ${email}]`)
}

function newRow({ config, clock }: UserContext, input: NewUser) {
  const created = input.createdAt ?? clock.seconds()
  return {
    kind: 'person',
    name: input.username,
    lower_name: input.username.toLowerCase(),
    full_name: input.fullName ?? '',
    email: input.email,
    login_name: input.loginName ?? '',
    login_source: input.loginSource ?? 0,
    must_change_password: Number(input.mustChangePassword === true),
    is_admin: Number(input.isAdmin === true),
    is_active: Number(input.isActive !== false),
    is_restricted: Number(input.isRestricted === true),
    visibility: input.visibility ?? config.service.DEFAULT_USER_VISIBILITY,
    allow_create_organization: Number(config.service.DEFAULT_ALLOW_CREATE_ORGANIZATION),
    created_at: created,
    updated_at: created,
  }
}
