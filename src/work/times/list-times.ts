import { isSelf, isSiteAdmin, type RepoAccess, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import { timeIn } from '#kernel/schema.ts'
import { findKnownPerson } from '#repositories/collaborators/index.ts'
import { isRepoAdmin } from '#work/issues/index.ts'
import type { TimesQuery } from './schema.ts'
import type { TimeFilter } from './store.ts'

export function spanOf({ since, before }: Pick<TimesQuery, 'since' | 'before'>): Pick<TimeFilter, 'since' | 'before'> {
  return { since: timeIn(since, 'since'), before: timeIn(before, 'before') }
}

/** Whose times a list shows: who may not see everybody's sees their own. @throws as `getWorker`; Forbidden for somebody else's */
export function workerIn(db: Db, viewer: Viewer, repo: RepoAccess, seesAll: boolean, name: string | undefined): number | undefined {
  const { user } = requireUser(viewer)
  const asked = name ? getWorker(db, viewer, repo, name) : undefined
  if (seesAll || isSiteAdmin(viewer)) return asked?.id
  if (asked && asked.id !== user.id) throw new Forbidden('query by user not allowed; not enough rights')
  return user.id
}

/** @throws as `getWorker`; Forbidden for others than the person and administrators of the repository */
export function requireOwnTimes(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  requireUser(viewer)
  const person = getWorker(db, viewer, repo, name)
  if (!isSelf(viewer, person) && !isRepoAdmin(repo) && !isSiteAdmin(viewer)) throw new Forbidden('query by user not allowed; not enough rights')
  return person
}

/** @throws NotFound for nobody whom the viewer may know */
export function getWorker(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  const found = findKnownPerson(db, viewer, repo, name)
  if (!found) throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  return found
}
