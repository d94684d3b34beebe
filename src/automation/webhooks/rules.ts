import { accessStore, anonymous, atLeast, maySignIn, permissionIn, type UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import type { HookOwner, WebhookRow } from './store.ts'

/**
 * Whether who answers for the hook could make it today: asked at each use, for nothing tells of rights that go; CVE-2026-58440.
 * Whether it is switched on is another question.
 */
export function mayFire(db: Db, hook: Pick<WebhookRow, 'repo_id' | 'owner_id' | 'creator_id'>): boolean {
  const maker = hook.creator_id === null ? undefined : accessStore.findUserById(db, hook.creator_id)
  return maker !== undefined && maySignIn(maker) && mayMake(db, hook, maker)
}

/** What the routes ask of who makes a hook. */
function mayMake(db: Db, { repo_id, owner_id }: HookOwner, person: UserRow): boolean {
  if (repo_id !== null) return administers(db, repo_id, person)
  if (person.is_admin === 1 || person.id === owner_id) return true
  return owner_id !== null && accessStore.findOrgRole(db, owner_id, person.id) === 'owner'
}

function administers(db: Db, repoId: number, person: UserRow): boolean {
  const repo = accessStore.findRepoById(db, repoId)
  const owner = repo && accessStore.findUserById(db, repo.owner_id)
  if (!repo || !owner) return false
  return atLeast(permissionIn(db, { ...anonymous, user: person }, repo, owner).level, 'admin')
}
