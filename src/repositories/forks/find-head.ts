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
 */
export function findHead(db: Db, viewer: Viewer, base: RepoAccess, { owner: ownerName, repo: name, ref }: HeadText): NamedHead | undefined {
  if (ownerName === undefined) return { repo: base, ref }
  const owner = findOwner(db, viewer, ownerName)
  const row = owner && findInFamily(db, base.row, owner, name)
  if (row?.id === base.row.id) return { repo: base, ref }
  const permission = row && permissionIn(db, viewer, row, owner)
  return permission && atLeast(permission.of('code'), 'read') ? { repo: { row, owner, permission }, ref } : undefined
}

/** The same. @throws NotFound for an owner who is nobody; BadRequest for who has no repository of the family */
export function getHead(db: Db, viewer: Viewer, base: RepoAccess, text: HeadText): NamedHead {
  const head = findHead(db, viewer, base, text)
  if (head) return head
  const ownerName = (text.owner ?? '').slice(0, 100)
  if (!findOwner(db, viewer, text.owner ?? '')) throw new NotFound(`user does not exist [name: ${ownerName}]`)
  throw new BadRequest(`Invalid: ${ownerName} has no fork of ${base.owner.name}/${base.row.name}`)
}

function findOwner(db: Db, viewer: Viewer, name: string): UserRow | undefined {
  const owner = accessStore.findUserByName(db, name)
  return owner && canSeeAccount(db, viewer, owner) ? owner : undefined
}

function findInFamily(db: Db, base: RepoRow, owner: UserRow, name: string | undefined): RepoRow | undefined {
  if (name === undefined) return owner.id === base.owner_id ? base : findRelative(db, base, owner.id)
  const row = accessStore.findRepo(db, owner.id, name)
  return row && findRoot(db, row.id) === findRoot(db, base.id) ? row : undefined
}
