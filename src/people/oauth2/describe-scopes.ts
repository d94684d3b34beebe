import { type Category, categories, parseGrant } from '#access/index.ts'
import type { GrantedScopes, IdentityScope } from './scopes.ts'

const identity: Record<IdentityScope, string> = {
  openid: 'know who you are',
  profile: 'read your profile: names, picture, website',
  email: 'read your e-mail address',
  groups: 'read which organizations and teams you are in',
}

/** What each category of the API is about, in the words of the pages. */
const things: Record<Category, string> = {
  activitypub: 'what is federated with other servers',
  admin: 'the administration of this server',
  issue: 'issues, their labels and milestones',
  misc: 'various settings',
  notification: 'your notifications',
  organization: 'your organizations and teams',
  package: 'packages',
  repository: 'repositories: code, pull requests, releases',
  user: 'your account: profile, addresses, keys',
}

/** What an application is let to do, in sentences. */
export function describeScopes(scopes: GrantedScopes): string[] {
  const { all, publicOnly, levels } = parseGrant(scopes.api)
  const told = scopes.identity.map((one) => identity[one])
  const rights = all
    ? ['read and change everything that you may: your repositories, your account, your organizations']
    : categories.flatMap((one) => (levels[one] ? [`${levels[one] === 'write' ? 'read and change' : 'read'} ${things[one]}`] : []))
  return [...told, ...rights, ...(publicOnly ? ['of all this, only what is public'] : [])]
}
