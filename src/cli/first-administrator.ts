import { findFirstAdministrator } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Environment } from './environment.ts'
import { generatePassword } from './generate-password.ts'

/** Who runs this forge. */
export interface Administrator {
  name: string
  /** Only when it was made up just now. */
  password?: string
  /** Signs a browser in, once; made up with it. */
  signInSecret?: string
}

export interface AdministratorOptions {
  adminUsername?: string
  adminPassword?: string
  adminEmail?: string
}

/** The first site administrator; on the first start, when there is none, one is created. */
export async function ensureAdministrator(context: Context, options: AdministratorOptions, environment: Environment): Promise<Administrator> {
  const known = findFirstAdministrator(context.db)
  if (known) return { name: known.name }
  const given = options.adminPassword ?? environment.POCKETFORGE_ADMIN_PASSWORD
  const password = given ?? generatePassword(context.config.security.MIN_PASSWORD_LENGTH)
  const username = options.adminUsername ?? environment.POCKETFORGE_ADMIN_USERNAME ?? 'admin'
  const email = options.adminEmail ?? environment.POCKETFORGE_ADMIN_EMAIL ?? `${username}@localhost.local`
  const { createUser } = await import('#people/users/index.ts')
  const user = await createUser(context, { username, email, password, isAdmin: true })
  if (given !== undefined) return { name: user.name }
  return { name: user.name, password, signInSecret: context.authenticator.sessions.makeLink(user) }
}
