import type { Level, UserRow, Viewer } from '#access/index.ts'

/** As whom a repository can be looked at: the words in addresses. */
export const roleNames = ['visitor', 'signed-in', 'read', 'write'] as const
export type Role = (typeof roleNames)[number]

export const roles: Record<Role, string> = {
  visitor: 'an anonymous visitor',
  'signed-in': 'a signed-in user who is not a collaborator',
  read: 'a collaborator with read access',
  write: 'a collaborator with write access',
}

const levels: Record<Exclude<Role, 'visitor'>, Level> = { 'signed-in': 'none', read: 'read', write: 'write' }

/** An account that nobody has, and that has no part in anything; no name of an account begins as this one's does. */
export function madeUpAccount(of: UserRow, isRestricted: boolean): UserRow {
  const nobody = { id: 0, kind: 'person', name: '-', lower_name: '-', full_name: '', email: '', avatar: '', visibility: 'public' } as const
  return { ...of, ...nobody, is_admin: 0, is_restricted: Number(isRestricted), must_change_password: 0 }
}

/**
 * Somebody who has this role in a repository, and no other part in anything; undefined for who has not signed in. What it gives is less
 * than what those have who administer the repository; who is restricted sees no more elsewhere by it, either.
 * @param of whose look of pages it has
 */
export function viewerPlaying(role: Role, of: UserRow, repoId: number): Viewer | undefined {
  if (role === 'visitor') return undefined
  return { user: madeUpAccount(of, of.is_restricted === 1), grant: undefined, via: 'played', queryToken: false, plays: { repoId, level: levels[role] } }
}
