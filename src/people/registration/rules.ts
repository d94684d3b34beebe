import type { UserRow } from '#access/index.ts'
import type { Config } from '#config.ts'
import type { Context } from '#context.ts'
import { Forbidden, Unprocessable } from '#kernel/errors.ts'
import { globMatcher } from '#kernel/glob.ts'

/** What becomes active how: at once, by a mail to its address, or by an administrator. */
export type Activation = 'none' | 'mail' | 'administrator'

export function activationOf({ service }: Config): Activation {
  if (service.REGISTER_EMAIL_CONFIRM) return 'mail'
  return service.REGISTER_MANUAL_CONFIRM ? 'administrator' : 'none'
}

/** Why nobody can make an account for themselves at present; undefined when they can. */
export function whyClosed({ config, mail }: Pick<Context, 'config' | 'mail'>): string | undefined {
  const { DISABLE_REGISTRATION, ALLOW_ONLY_EXTERNAL_REGISTRATION } = config.service
  if (DISABLE_REGISTRATION) return 'Registration is disabled. Ask a site administrator for an account.'
  if (ALLOW_ONLY_EXTERNAL_REGISTRATION) return 'You can register only through an external account. Sign in with one of the external providers.'
  if (activationOf(config) === 'mail' && !mail.isOn)
    return 'Registration requires email confirmation, but this server cannot send email. Ask a site administrator for an account.'
  return undefined
}

/** @throws Forbidden */
export function requireOpen(context: Pick<Context, 'config' | 'mail'>): void {
  const reason = whyClosed(context)
  if (reason !== undefined) throw new Forbidden(reason)
}

/** @throws Unprocessable for an address of a domain from which nobody can register */
export function checkDomain({ service }: Config, email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const isIn = (globs: readonly string[]) => globs.some((glob) => globMatcher(glob.toLowerCase())(domain))
  const { EMAIL_DOMAIN_ALLOWLIST: allowed, EMAIL_DOMAIN_BLOCKLIST: blocked } = service
  const isAllowed = allowed.length > 0 ? isIn(allowed) : !isIn(blocked)
  if (!isAllowed) throw new Unprocessable(`Email addresses at "${domain}" cannot be registered. Use a different address.`)
}

/** Whether a password that is kept here signs the person in. */
export function hasOwnPassword(user: UserRow): boolean {
  return user.login_source === 0
}
