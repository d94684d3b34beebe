import type { RepoRow } from '#access/index.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import type { RefUpdate } from '#repositories/refs/index.ts'

/** Judges one ref of a push, in the push's transaction; answers why not, or undefined. Each ref is judged by itself. */
export type PushPolicy = (db: Db, repo: RepoRow, update: RefUpdate) => string | undefined

/** Without its default branch a repository could not be cloned. */
const keepDefaultBranch: PushPolicy = (_db, repo, update) =>
  update.new === SHA1.zero && update.name === HEADS + repo.default_branch
    ? 'refusing to delete the default branch; make another one the default first'
    : undefined

/** What every push must pass. */
export const policies: readonly PushPolicy[] = [keepDefaultBranch]
