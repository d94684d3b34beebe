import { isSiteAdmin, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'
import { secondsOf } from '#kernel/schema.ts'
import { isRepoAdmin } from './rules.ts'

/**
 * When a change is dated: now, or as the body's `updated_at` says. Asked before anything is changed.
 * @throws Forbidden for others than the repository's owner and administrators, and for a date before the issue was or in the future
 */
export function dateOf(context: Pick<Context, 'clock'>, viewer: Viewer, repo: RepoAccess, issue: { created_at: number }, updatedAt?: string): number {
  const now = context.clock.seconds()
  if (updatedAt === undefined) return now
  if (!isRepoAdmin(repo) && !isSiteAdmin(viewer)) throw new Forbidden('user needs to have admin or owner right to set updated_at')
  const at = secondsOf(updatedAt) ?? 0
  if (at < issue.created_at || at > now) throw new Forbidden('updated_at must be between the creation of the issue and now')
  return at
}
