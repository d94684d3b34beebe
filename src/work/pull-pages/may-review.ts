import type { RepoAccess, Viewer } from '#access/index.ts'
import { type IssueRow, refuseLocked } from '#work/issues/index.ts'

/** Whether somebody may say something of a pull request, as far as that is known before they try. */
export function mayReview({ user }: Viewer, repo: RepoAccess, issue: IssueRow): boolean {
  if (user === undefined || repo.row.archived_at !== null) return false
  try {
    refuseLocked(repo, issue)
    return true
  } catch {
    return false
  }
}
