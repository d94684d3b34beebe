import { accessStore, accessTo, anonymous, atLeast, maySignIn, type RepoAccess, unitOfStore, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import type { EditGrant } from './branch-editing.ts'
import { BranchEditors } from './hooks.ts'

type EditContext = Pick<Context, 'services'>

/**
 * Whether the viewer may move a ref, as far as rights go: rules about branches and tags are the guards' business. Whoever may write to the
 * repository may; others may move a branch that they were let edit, but neither make nor delete one.
 */
export function mayPush({ services }: EditContext, db: Db, viewer: Viewer, repo: RepoAccess, { name, new: oid }: { name: string; new?: Oid }): boolean {
  const level = repo.permission.of(unitOfStore(repo.row.id))
  if (viewer.user === undefined || !atLeast(level, 'read')) return false
  if (atLeast(level, 'write')) return true
  if (!name.startsWith(HEADS) || oid === SHA1.zero) return false
  return services
    .get(BranchEditors)
    .listGrants(db, repo.row.id, name.slice(HEADS.length))
    .some((grant) => holds(db, viewer, repo.row.id, grant))
}

/** Whether there is a ref that the viewer may move. */
export function mayPushAny({ services }: EditContext, db: Db, viewer: Viewer, { row, permission }: RepoAccess): boolean {
  const level = permission.of(unitOfStore(row.id))
  if (viewer.user === undefined || !atLeast(level, 'read')) return false
  return (
    atLeast(level, 'write') ||
    services
      .get(BranchEditors)
      .listGrants(db, row.id)
      .some((grant) => holds(db, viewer, row.id, grant))
  )
}

/** Nobody can hand on what is not theirs. */
function holds(db: Db, viewer: Viewer, repoId: number, { writersOf, grantedBy }: EditGrant): boolean {
  const granter = accessStore.findUserById(db, grantedBy)
  if (!granter || !maySignIn(granter)) return false
  return mayWrite(db, viewer, writersOf) && mayWrite(db, { ...anonymous, user: granter }, repoId)
}

function mayWrite(db: Db, viewer: Viewer, repoId: number): boolean {
  const repo = accessTo(db, viewer, repoId)
  return repo !== undefined && atLeast(repo.permission.of('code'), 'write')
}
