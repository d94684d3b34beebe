import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { checkRepoName } from '#repositories/repos/index.ts'
import { findPlace } from './places.ts'

/** A repository that lies in the data directory and waits to be adopted. */
export interface Unadopted {
  owner: UserRow
  /** What it is to be called. */
  name: string
  /** `owner/name`. */
  fullName: string
  path: string
}

/** @throws NotFound when there is no such account, or nothing waits under the name; Unprocessable when it is no name for a repository */
export function getUnadopted(context: Pick<Context, 'db' | 'git'>, ownerName: string, name: string): Unadopted {
  const owner = accessStore.findUserByName(context.db, ownerName)
  if (!owner) throw new NotFound()
  checkRepoName(name)
  const path = findPlace(context, ownerName, name)
  if (path === undefined)
    throw new NotFound(`Cannot find the unadopted repository ${owner.name}/${name}: the data directory has no repositories/${owner.name}/${name}.git.`)
  return { owner, name, fullName: `${owner.name}/${name}`, path }
}
