import type { RepoRow } from '#access/index.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { RefPolicy, RefUpdate } from '#repositories/refs/index.ts'

/** Without its default branch a repository could not be cloned. */
const keepDefaultBranch: RefPolicy = Object.assign(
  (_tx: unknown, repo: RepoRow, update: RefUpdate) =>
    update.new === SHA1.zero && update.name === HEADS + repo.default_branch
      ? `branch ${repo.default_branch} is the default branch and cannot be deleted. Change the default branch first.`
      : undefined,
  { basis: (_tx: unknown, repo: RepoRow) => repo.default_branch },
)

/** What every push must pass. */
export const policies: readonly RefPolicy[] = [keepDefaultBranch]
