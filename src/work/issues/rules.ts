import { atLeast, isSelf, type RepoAccess, requireUser, type Unit, type UserRow, type Viewer } from '#access/index.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import type { IssueRow } from './store.ts'

type Kind = Pick<IssueRow, 'is_pull'>

export function unitOf({ is_pull }: Kind): Unit {
  return is_pull === 1 ? 'pulls' : 'issues'
}

export function mayRead({ permission }: Pick<RepoAccess, 'permission'>, kind: Kind): boolean {
  return atLeast(permission.of(unitOf(kind)), 'read')
}

export function isWriter({ permission }: Pick<RepoAccess, 'permission'>, kind: Kind): boolean {
  return atLeast(permission.of(unitOf(kind)), 'write')
}

/** Whether somebody, as whom `home` was found, may close an issue there by a word in a text, or open it again. */
export function mayAct(home: RepoAccess, doer: UserRow, target: IssueRow): boolean {
  return home.row.archived_at === null && target.merged_at === null && (target.poster_id === doer.id || isWriter(home, target))
}

export function isRepoAdmin({ permission }: Pick<RepoAccess, 'permission'>): boolean {
  return atLeast(permission.level, 'admin')
}

/** Who wrote it, and who may write there. @throws Unauthorized, Forbidden */
export function requirePosterOrWriter(viewer: Viewer, repo: RepoAccess, issue: IssueRow, posterId: number | null): UserRow {
  const { user } = requireUser(viewer)
  if (posterId !== user.id && !isWriter(repo, issue)) throw new Forbidden('Only the author and users with write access can change this.')
  return user
}

/** @throws Unauthorized, Forbidden */
export function requireWriter(viewer: Viewer, repo: RepoAccess, issue: Kind, message = 'write permission is required'): UserRow {
  const { user } = requireUser(viewer)
  if (!isWriter(repo, issue)) throw new Forbidden(message)
  return user
}

/** A conversation that is locked goes on among those who may write. @throws Forbidden */
export function refuseLocked(repo: RepoAccess, issue: IssueRow, message = 'The conversation is locked.'): void {
  if (issue.is_locked === 1 && !isWriter(repo, issue)) throw new Forbidden(message)
}

/** @throws NotFound */
export function requireReadable(repo: RepoAccess, kind: Kind): void {
  if (!mayRead(repo, kind)) throw new NotFound()
}

export function isPoster(viewer: Viewer, row: { poster_id: number | null }): boolean {
  return row.poster_id !== null && isSelf(viewer, { id: row.poster_id })
}
