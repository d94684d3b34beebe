import { type Category, categories, parseGrant } from '#access/index.ts'
import type { GrantedScopes, IdentityScope } from './scopes.ts'

const identity: Record<IdentityScope, string> = {
  openid: 'identify your account',
  profile: 'read your profile: name, avatar, website',
  email: 'read your email address',
  groups: 'read your organization and team memberships',
}

/** What each category of the API is about, in the words of the pages. */
const things: Record<Category, string> = {
  activitypub: 'federation',
  admin: 'site administration',
  issue: 'issues, their labels and milestones',
  misc: 'miscellaneous server settings',
  notification: 'your notifications',
  organization: 'your organizations and teams',
  package: 'packages',
  repository: 'repositories: code, pull requests, releases',
  user: 'your account: profile, email addresses, keys',
}

/** What an application is let to do, in sentences. */
export function describeScopes(scopes: GrantedScopes): string[] {
  const { all, publicOnly, levels } = parseGrant(scopes.api)
  const told = scopes.identity.map((one) => identity[one])
  const rights = all
    ? ['read and write everything that you have access to: your repositories, your account, your organizations']
    : categories.flatMap((one) => (levels[one] ? [`${levels[one] === 'write' ? 'read and write' : 'read'} ${things[one]}`] : []))
  return [...told, ...rights, ...(publicOnly ? ['public resources only'] : [])]
}
