import { accessStore, isSelf, isSiteAdmin, type RepoAccess, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import { timeIn } from '#kernel/schema.ts'
import { isRepoAdmin } from '#work/issues/index.ts'
import type { TimesQuery } from './schema.ts'
import type { TimeFilter } from './store.ts'

export function spanOf({ since, before }: Pick<TimesQuery, 'since' | 'before'>): Pick<TimeFilter, 'since' | 'before'> {
  return { since: timeIn(since, 'since'), before: timeIn(before, 'before') }
}

/** Whose times a list shows: who may not see everybody's sees their own. @throws NotFound for nobody; Forbidden for somebody else's */
export function workerIn(db: Db, viewer: Viewer, seesAll: boolean, name: string | undefined): number | undefined {
  const { user } = requireUser(viewer)
  const asked = name ? getWorker(db, name) : undefined
  if (seesAll || isSiteAdmin(viewer)) return asked?.id
  if (asked && asked.id !== user.id) throw new Forbidden('query by user not allowed; not enough rights')
  return user.id
}

/** @throws NotFound; Forbidden for others than the person and administrators of the repository */
export function requireOwnTimes(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  requireUser(viewer)
  const person = getWorker(db, name)
  if (!isSelf(viewer, person) && !isRepoAdmin(repo) && !isSiteAdmin(viewer)) throw new Forbidden('query by user not allowed; not enough rights')
  return person
}

function getWorker(db: Db, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  if (found?.kind !== 'person') throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  return found
}
