import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { listEmails, presentUser } from '#people/users/index.ts'
import type { IdentityScope } from './scopes.ts'
import { listGroups } from './store.ts'

/** What an application is told of a person. Source: OpenID Connect Core 1.0, section 5.1. */
export interface Claims {
  sub: string
  name?: string
  preferred_username?: string
  profile?: string
  picture?: string
  website?: string
  locale?: string
  updated_at?: number
  email?: string
  email_verified?: boolean
  /** `<org>` and `<org>:<team>`. */
  groups?: string[]
}

/** @param onlyPublic of organizations, those that everybody sees */
export function claimsOf(context: Pick<Context, 'db' | 'rootUrl'>, user: UserRow, scopes: readonly IdentityScope[], onlyPublic: boolean): Claims {
  const has = (scope: IdentityScope) => scopes.includes(scope)
  return {
    sub: String(user.id),
    ...(has('profile') && profileOf(context, user)),
    ...(has('email') && emailOf(context, user)),
    ...(has('groups') && { groups: listGroups(context.db, user, onlyPublic) }),
  }
}

function profileOf(context: Pick<Context, 'rootUrl'>, user: UserRow): Partial<Claims> {
  const self = { user, grant: undefined, via: 'token', queryToken: false } as const
  return {
    name: user.full_name || user.name,
    preferred_username: user.name,
    profile: `${context.rootUrl}${user.name}`,
    picture: presentUser(context, self, user).avatar_url,
    ...(user.website && { website: user.website }),
    ...(user.language && { locale: user.language }),
    updated_at: user.updated_at,
  }
}

function emailOf(context: Pick<Context, 'db'>, user: UserRow): Partial<Claims> {
  const primary = listEmails(context.db, user.id).find(({ is_primary }) => is_primary === 1)
  return primary ? { email: primary.email, email_verified: primary.is_verified === 1 } : {}
}
