import { accessStore, atLeast, canSeeAccount, permissionIn, type RepoAccess, type RepoRow, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { findRelative, findRoot } from './store.ts'

/** A revision, and the repository that it is meant in. */
export interface NamedHead {
  repo: RepoAccess
  ref: string
}

/** One side of a comparison or a pull request as people write it: a revision, and whose, where that is said. */
export interface HeadText {
  ref: string
  owner?: string
  repo?: string
}

/** `branch`, `owner:branch` or `owner/repo:branch`. */
export function parseHead(text: string): HeadText {
  const [, owner, repo, ref = text] = /^([^/:]+)(?:\/([^/:]+))?:(.*)$/s.exec(text) ?? []
  return { ref, ...(owner === undefined ? {} : { owner }), ...(repo === undefined ? {} : { repo }) }
}

/**
 * The repository that a head stands for beside `base`: itself, or one of its family, which is whatever was forked from one another.
 * What the viewer may not read the code of is as if it were not there.
 * @throws NotFound for an owner who is nobody; BadRequest for who has no repository of the family
 */
export function getHead(db: Db, viewer: Viewer, base: RepoAccess, { owner: ownerName, repo: name, ref }: HeadText): NamedHead {
  if (ownerName === undefined) return { repo: base, ref }
  const owner = accessStore.findUserByName(db, ownerName)
  if (!owner || !canSeeAccount(db, viewer, owner)) throw new NotFound(`user does not exist [name: ${ownerName.slice(0, 100)}]`)
  const row = findInFamily(db, base.row, owner, name)
  if (row?.id === base.row.id) return { repo: base, ref }
  const permission = row && permissionIn(db, viewer, row, owner)
  if (!row || !permission || !atLeast(permission.of('code'), 'read')) {
    throw new BadRequest(`Invalid: ${ownerName.slice(0, 100)} has no fork of ${base.owner.name}/${base.row.name}`)
  }
  return { repo: { row, owner, permission }, ref }
}

function findInFamily(db: Db, base: RepoRow, owner: UserRow, name: string | undefined): RepoRow | undefined {
  if (name === undefined) return owner.id === base.owner_id ? base : findRelative(db, base, owner.id)
  const row = accessStore.findRepo(db, owner.id, name)
  return row && findRoot(db, row.id) === findRoot(db, base.id) ? row : undefined
}
