import type { Oauth2Config } from '#people/sources/index.ts'
import type { Claims } from './claims.ts'

export interface PlainAddresses {
  authorize: string
  token: string
  profile: string
  /** Where the addresses of a person are listed with whether they are verified; empty: nowhere. */
  emails: string
}

/** How a kind of site is asked, and what it calls what it tells of people. */
export interface PlainShape {
  addresses: PlainAddresses
  scopes: readonly string[]
  names: { nickname: string; fullName: string }
  /** Whether the address of a profile is verified; undefined: it does not tell. */
  isVerified: (profile: Claims) => boolean | undefined
}

export const shapes = {
  github: {
    addresses: {
      authorize: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      profile: 'https://api.github.com/user',
      emails: 'https://api.github.com/user/emails',
    },
    scopes: ['read:user', 'user:email'],
    names: { nickname: 'login', fullName: 'name' },
    isVerified: () => undefined,
  },
  gitlab: {
    addresses: {
      authorize: 'https://gitlab.com/oauth/authorize',
      token: 'https://gitlab.com/oauth/token',
      profile: 'https://gitlab.com/api/v4/user',
      emails: '',
    },
    scopes: ['read_user'],
    names: { nickname: 'username', fullName: 'name' },
    isVerified: (profile) => (Object.hasOwn(profile, 'confirmed_at') ? typeof profile.confirmed_at === 'string' : undefined),
  },
  gitea: {
    addresses: {
      authorize: 'https://gitea.com/login/oauth/authorize',
      token: 'https://gitea.com/login/oauth/access_token',
      profile: 'https://gitea.com/api/v1/user',
      emails: 'https://gitea.com/api/v1/user/emails',
    },
    scopes: ['read:user'],
    names: { nickname: 'login', fullName: 'full_name' },
    isVerified: () => undefined,
  },
} as const satisfies Record<string, PlainShape>

/** With a site of one's own, its addresses alone: nobody's token goes to the public one because one of them was left out. */
export function addressesOf({ addresses }: PlainShape, config: Oauth2Config): PlainAddresses {
  if (!config.use_custom_urls) return addresses
  return { authorize: config.auth_url, token: config.token_url, profile: config.profile_url, emails: config.email_url }
}
