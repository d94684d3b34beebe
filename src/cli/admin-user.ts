import { accessStore, anonymous, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { takeAwayFactors } from '#people/second-factors/index.ts'
import { changePassword, createToken, createUser, listEverybody, presentUser } from '#people/users/index.ts'
import { removeDirectories } from '#repositories/repos/index.ts'
import { deleteUser } from '#site/admin/index.ts'
import type { Session } from './environment.ts'
import { generatePassword } from './generate-password.ts'
import type { StoreOptions } from './load.ts'
import { openOrMakeStore, openStore } from './open-store.ts'
import { painter, printable, table } from './terminal.ts'

export interface CreateUserOptions extends StoreOptions {
  username: string
  email: string
  password?: string
  admin?: boolean
  mustChangePassword?: boolean
  accessToken?: boolean
  accessTokenName?: string
  scopes: string
  quiet?: boolean
}

/** Creates a user, and a token if asked; prints what was made up, which is shown nowhere else. */
export async function createUserCommand(options: CreateUserOptions, session: Session): Promise<void> {
  await using context = openOrMakeStore(options, session)
  const password = options.password ?? generatePassword(context.config.security.MIN_PASSWORD_LENGTH)
  const { username, email, admin: isAdmin, mustChangePassword } = options
  let token: string | undefined
  const user = await createUser(context, { username, email, password, isAdmin, mustChangePassword, releasesName: true }, (_, made) => {
    if (options.accessToken) token = createToken(context, made, options.accessTokenName ?? 'command line', options.scopes.split(',')).token
  })
  if (options.quiet) {
    if (token !== undefined) session.out.print(token)
    return
  }
  const made = [
    ['user', printable(user.name)],
    ...(options.password === undefined ? [['password', password]] : []),
    ...(token === undefined ? [] : [['token', token]]),
  ]
  session.out.print(`Created ${isAdmin ? 'a site administrator' : 'a user'}.${made.length > 1 ? ' These credentials are shown only once:' : ''}`)
  session.out.print(table(made))
}

export interface ListUsersOptions extends StoreOptions {
  json?: boolean
}

/** All people, by name. */
export async function listUsersCommand(options: ListUsersOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const rows = listEverybody(context.db)
  if (options.json)
    return session.out.print(
      JSON.stringify(
        rows.map((row) => presentUser(context, { ...anonymous, user: row }, row)),
        null,
        2,
      ),
    )
  const paint = painter(session.out)
  const cells = rows.map((row) => [String(row.id), printable(row.name), printable(row.email), stateOf(row), rfc3339(row.created_at).slice(0, 10)])
  session.out.print(table([['ID', 'USERNAME', 'EMAIL', 'STATUS', 'CREATED'], ...cells], (text, row) => (row === 0 ? paint('bold', text) : text)))
}

export interface ChangePasswordOptions extends StoreOptions {
  username: string
  password?: string
  mustChangePassword?: boolean
}

export async function changePasswordCommand(options: ChangePasswordOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const user = getPerson(context, options.username)
  const password = options.password ?? generatePassword(context.config.security.MIN_PASSWORD_LENGTH)
  await changePassword(context, user, password, { mustChange: options.mustChangePassword })
  session.out.print(options.password === undefined ? `New password of ${user.name} (shown only once): ${password}` : `Changed the password of ${user.name}.`)
}

export interface ResetFactorsOptions extends StoreOptions {
  username: string
}

export async function resetFactorsCommand(options: ResetFactorsOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const user = getPerson(context, options.username)
  const had = takeAwayFactors(context, user)
  session.out.print(had ? `Disabled two-factor authentication for ${user.name}.` : `Nothing to do: ${user.name} does not use two-factor authentication.`)
}

export interface DeleteUserOptions extends StoreOptions {
  username: string
  purge?: boolean
}

export async function deleteUserCommand(options: DeleteUserOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const user = getPerson(context, options.username)
  await deleteUser(context, user, { purge: options.purge })
  await removeDirectories(context)
  session.out.print(`Deleted user ${user.name}.`)
}

function getPerson(context: Pick<Context, 'config' | 'db'>, name: string): UserRow {
  const user = accessStore.findUserByName(context.db, name)
  if (user?.kind !== 'person')
    throw new Error(`Cannot find user "${printable(name)}" in ${context.config.dataPath}. List the users with "pocketforge admin user list".`)
  return user
}

function stateOf(user: UserRow): string {
  const words = [
    user.is_admin === 1 && 'administrator',
    user.is_active === 0 && 'inactive',
    user.prohibit_login === 1 && 'suspended',
    user.is_restricted === 1 && 'restricted',
  ]
  return words.filter((word) => word !== false).join(', ') || 'member'
}
