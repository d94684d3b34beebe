import type { Db } from '#kernel/db.ts'
import { NotFound, Unauthorized } from '#kernel/errors.ts'
import type { Level, Unit } from './levels.ts'
import { requireLevel } from './requirements.ts'
import type { UserRow } from './rows.ts'
import { findUserById } from './store.ts'
import { accessTo, type RepoAccess } from './targets.ts'
import { anonymous, maySignIn } from './viewer.ts'

/**
 * Asks again, in the transaction that makes the change, about an account whose rights were found before a wait.
 * @throws Unauthorized when it went meanwhile, may no longer sign in or is no longer the administrator it was
 */
export function recheckAccount(db: Db, seen: UserRow): void {
  const now = findUserById(db, seen.id)
  if (!now || !maySignIn(now) || now.is_admin < seen.is_admin) {
    throw new Unauthorized('Your account was changed while the server handled this request. Sign in and try again.')
  }
}

/**
 * The same about what an account may do in a repository, which may have changed hands, been archived or closed to it meanwhile.
 * @throws as `recheckAccount` does, and as the gate would for a request that came now
 */
export function recheckRepo(db: Db, seen: UserRow, repoId: number, unit: Unit, level: Level = 'write'): RepoAccess {
  recheckAccount(db, seen)
  const viewer = { ...anonymous, user: seen }
  const repo = accessTo(db, viewer, repoId)
  if (!repo) throw new NotFound()
  requireLevel(viewer, repo, [unit], level)
  return repo
}
