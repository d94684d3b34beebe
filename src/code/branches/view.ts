import { atLeast, type RepoAccess } from '#access/index.ts'
import { type PayloadCommitVerification, type People, presentPayloadCommit } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Branch } from './schema.ts'

/** A branch with its latest commit, as the viewer that `repo` was found for may use it. */
export function presentBranch(
  context: Context,
  repo: RepoAccess,
  name: string,
  tip: CommitDetails,
  people: People,
  verification: PayloadCommitVerification,
): Branch {
  const canWrite = atLeast(repo.permission.of('code'), 'write') && repo.row.archived_at === null && repo.row.is_mirror === 0
  return {
    name,
    commit: presentPayloadCommit(context, repo, tip, people, verification),
    protected: false,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: canWrite,
    user_can_merge: canWrite,
    effective_branch_protection_name: '',
  }
}
