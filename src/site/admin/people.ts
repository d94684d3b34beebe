import { getNamed, PersonParams, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'

/** The path of every route about one account. */
export const Username = PersonParams

/** What of a request says whom it is about. */
interface Asking {
  viewer: Viewer
  params: { username: string }
  request: Request
}

/** A person or an organization. @throws NotFound; a redirect when it was renamed */
export function getTargetAccount(db: Db, { viewer, params, request }: Asking): UserRow {
  return getNamed(db, viewer, params.username, request)
}

/** @throws NotFound, a redirect when they were renamed; Unprocessable when it is an organization */
export function getTargetPerson(db: Db, asking: Asking): UserRow {
  const found = getTargetAccount(db, asking)
  if (found.kind !== 'person') throw new Unprocessable(`${found.name} is an organization not a user`)
  return found
}
