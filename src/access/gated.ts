import type { Db } from '#kernel/db.ts'
import type { UserRow } from './rows.ts'
import { findRepoById } from './store.ts'
import type { OrgAccess, RepoAccess, TeamAccess } from './targets.ts'
import type { Viewer } from './viewer.ts'

/** What the gate found for a request. */
export interface Gated {
  viewer: Viewer
  /** Of the store when the gate was asked; undefined where it changed meanwhile. */
  version?: number | undefined
  repo?: RepoAccess
  person?: UserRow
  org?: OrgAccess
  team?: TeamAccess
}

/** Written before the body is validated, read when the handler's context is made. */
const gated = new WeakMap<Request, Gated>()

export function letThrough(request: Request, found: Gated): void {
  gated.set(request, found)
}

/** @throws when the request did not pass the gate */
export function passed(request: Request): Gated {
  const found = gated.get(request)
  if (!found) throw new Error('Cannot handle a request that did not pass the gate')
  return found
}

/** The repository that a request was let through to. */
export function passedRepo(request: Request): RepoAccess | undefined {
  return gated.get(request)?.repo
}

/** Whether that has been deleted since. */
export function isRepoGone(db: Db, request: Request): boolean {
  const repo = passedRepo(request)
  return repo !== undefined && findRepoById(db, repo.row.id) === undefined
}
