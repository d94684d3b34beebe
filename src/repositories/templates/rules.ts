import { accessStore, atLeast, canSeeAccount, type Member, permissionIn, type RepoAccess, recheckAccount, refuseBlocked, type UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { requireRepoCreator } from '#repositories/repos/index.ts'
import type { GenerateRepoOption } from './schema.ts'

const items = ['git_content', 'topics', 'labels', 'avatar', 'webhooks', 'git_hooks', 'protected_branch'] as const satisfies (keyof GenerateRepoOption)[]

/** @throws Unprocessable when there is nothing to take over */
export function requireItem(body: GenerateRepoOption): void {
  if (!items.some((item) => body[item])) throw new Unprocessable('must select at least one template item')
}

/** @throws NotFound for an owner whom the viewer may not see; Forbidden where they may make no repositories */
export function getOwner(db: Db, viewer: Member, name: string): UserRow {
  const owner = accessStore.findUserByName(db, name)
  if (!owner || !canSeeAccount(db, viewer, owner)) throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  if (owner.kind === 'organization') requireRepoCreator(db, viewer, owner)
  else if (owner.id !== viewer.user.id && viewer.user.is_admin === 0) throw new Forbidden('Only admin can generate repository for other user.')
  return owner
}

/**
 * The template as it is now, for what the viewer takes over of it. @throws NotFound when they may not read it; Unprocessable when it is none;
 * Forbidden when its owner keeps them away, and for hooks, whose addresses are secrets, when they do not administer it
 */
export function getTemplate(db: Db, viewer: Member, seen: RepoAccess, body: GenerateRepoOption): RepoAccess {
  recheckAccount(db, viewer.user)
  const row = accessStore.findRepoById(db, seen.row.id)
  const owner = row && accessStore.findUserById(db, row.owner_id)
  const permission = row && owner && permissionIn(db, viewer, row, owner)
  if (!row || !owner || !permission || !atLeast(permission.of('code'), 'read')) throw new NotFound()
  if (row.is_template === 0) throw new Unprocessable('this is not a template repo')
  refuseBlocked(db, owner.id, viewer.user.id)
  if (body.webhooks && !atLeast(permission.level, 'admin')) throw new Forbidden('Only administrators of a template can copy its webhooks.')
  return { row, owner, permission }
}
