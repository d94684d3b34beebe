import type { RepoAccess } from '#access/index.ts'
import { type PayloadCommitVerification, type People, presentPayloadCommit } from '#code/commits/index.ts'
import type { BranchTerms } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Branch } from './schema.ts'

/** A branch, what holds for it, and its latest commit. */
export interface ShownBranch {
  name: string
  terms: BranchTerms
  tip: CommitDetails
  verification: PayloadCommitVerification
}

export function presentBranch(
  context: Pick<Context, 'db' | 'rootUrl'>,
  repo: RepoAccess,
  people: People,
  { name, terms, tip, verification }: ShownBranch,
): Branch {
  return {
    name,
    commit: presentPayloadCommit(context, repo, tip, people, verification),
    protected: terms.protected,
    required_approvals: terms.required_approvals,
    enable_status_check: terms.enable_status_check,
    status_check_contexts: terms.status_check_contexts,
    user_can_push: terms.user_can_push,
    user_can_merge: terms.user_can_merge,
    effective_branch_protection_name: terms.effective_branch_protection_name,
  }
}
