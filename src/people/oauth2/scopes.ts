import { type Category, categories, covers, type Grant, normalizeScopes, parseGrant } from '#access/index.ts'

/** What an application learns about who signs in. Source: OpenID Connect Core 1.0, section 5.4; `groups` is Gitea's. */
export const identityScopes = ['openid', 'profile', 'email', 'groups'] as const
export type IdentityScope = (typeof identityScopes)[number]

/** What an application may do with a token. */
export interface GrantedScopes {
  identity: readonly IdentityScope[]
  /** Scopes of the API as access tokens have them, with commas between. */
  api: string
}

/**
 * What a list of scopes stands for, in a request or a row, with spaces or commas between. None at all is everything, as in Gitea, and
 * the page that asks for consent says so. An application that asks only who signs in may read the account. The bare name of a category,
 * as tea sends it, means to write. Words that are not known are ignored, as OpenID Connect Core, section 3.1.2.1, wants.
 */
export function parseScopes(text: string): GrantedScopes {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) return { identity: [], api: 'all' }
  const asked = new Set(words.map((word) => (isCategory(word) ? `write:${word}` : word)))
  const api = normalized([...asked].filter(isApiScope))
  const isWithout = api === '' || api === 'public-only'
  return { identity: identityScopes.filter((one) => asked.has(one)), api: isWithout ? normalized(['read:user', api]) : api }
}

/** As rows and answers have it; `parseScopes` reads it. */
export function formatScopes({ identity, api }: GrantedScopes): string {
  return [...identity, ...api.split(',')].join(' ')
}

/** What a row's scopes, as `formatScopes` has written them, let a token do: asked for at each request, so nothing is looked at twice. */
export function apiGrantOf(scope: string): Grant {
  return parseGrant(scope.replaceAll(' ', ','))
}

/** Whether all of `asked` is in `granted`. */
export function isWithin(asked: GrantedScopes, granted: GrantedScopes): boolean {
  return asked.identity.every((one) => granted.identity.includes(one)) && covers(parseGrant(granted.api), asked.api)
}

/** What somebody has agreed to who agrees to `asked` after `granted`. A limit to public things is not lifted from what had it. */
export function unionOf(asked: GrantedScopes, granted: GrantedScopes): GrantedScopes {
  const identity = identityScopes.filter((one) => asked.identity.includes(one) || granted.identity.includes(one))
  const isAlike = parseGrant(asked.api).publicOnly === parseGrant(granted.api).publicOnly
  return { identity, api: isAlike ? normalized([...asked.api.split(','), ...granted.api.split(',')]) : asked.api }
}

function isCategory(word: string): word is Category {
  return categories.some((one) => one === word)
}

function isApiScope(word: string): boolean {
  return !('unknown' in normalizeScopes([word]))
}

function normalized(words: readonly string[]): string {
  const result = normalizeScopes(words)
  return 'scopes' in result ? result.scopes : ''
}
