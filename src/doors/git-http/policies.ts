import { SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { RefPolicy } from '#repositories/refs/index.ts'

/** Without its default branch a repository could not be cloned. */
const keepDefaultBranch: RefPolicy = (_tx, repo, update) =>
  update.new === SHA1.zero && update.name === HEADS + repo.default_branch
    ? `branch ${repo.default_branch} is the default branch and cannot be deleted; make another one the default first`
    : undefined

/** What every push must pass. */
export const policies: readonly RefPolicy[] = [keepDefaultBranch]
