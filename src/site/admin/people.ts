import { getNamed, PersonParams, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
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
export function getTargetAccount(context: Context, { viewer, params, request }: Asking): UserRow {
  return getNamed(context, viewer, params.username, request)
}

/** @throws NotFound, a redirect when they were renamed; Unprocessable when it is an organization */
export function getTargetPerson(context: Context, asking: Asking): UserRow {
  const found = getTargetAccount(context, asking)
  if (found.kind !== 'person') throw new Unprocessable(`${found.name} is an organization not a user`)
  return found
}
