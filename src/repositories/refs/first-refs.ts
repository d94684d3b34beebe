import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { faultOfName, HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { showRefs } from './copy-refs.ts'
import type { RefUpdate } from './ref-update.ts'
import { reservedReason } from './reserved-names.ts'
import { StagedNames } from './staged-names.ts'
import { adoptDefaultBranch, findRef, insertReflog, putRef } from './store.ts'
import { firstBranchOf } from './update-refs.ts'

/** Refs that were written ahead for a repository that is not there yet. */
export interface FirstRefs {
  branches: number
  /** What is best read from where the branch that was to be is not among them. */
  branch: string | undefined
}

/** Rows written in one transaction. */
const SLICE = 200

/**
 * Writes the refs that a repository is to begin with ahead, a few at a time: nobody sees them before `createRepo` is given its number.
 * @param updates all of them new, the branches among them commits
 * @throws Unprocessable with the first that no push could make beside the others
 */
export async function putFirstRefs(
  context: Pick<Context, 'db' | 'clock'>,
  repoId: number,
  updates: readonly RefUpdate[],
  by: { actorId: number; message: string },
): Promise<FirstRefs> {
  const names = await StagedNames.of(updates)
  for (let at = 0; at < updates.length; at += SLICE) {
    const slice = updates.slice(at, at + SLICE)
    for (const update of slice) {
      const reason = reasonAgainst(names, update)
      if (reason !== undefined) throw new Unprocessable(`${update.name}: ${reason}`)
    }
    context.db.provisional((tx) => putSlice(tx, repoId, slice, { actor_id: by.actorId, message: by.message, created_at: context.clock.seconds() }))
    await context.db.rest()
  }
  const branches = updates.reduce((count, { name }) => count + Number(name.startsWith(HEADS)), 0)
  return { branches, branch: firstBranchOf(updates) }
}

/** As `updateRefs` judges. Of two names in each other's way it is the shorter one that is. */
function reasonAgainst(names: StagedNames, update: RefUpdate): string | undefined {
  const { name } = update
  const reason = reservedReason(update) ?? faultOfName(name)
  if (reason !== undefined) return reason
  if (names.isRepeated(name)) return 'multiple updates for one ref are not allowed'
  return names.isDirectory(name) ? `directory/file conflict with ${name}/…` : undefined
}

function putSlice(tx: Tx, repoId: number, slice: readonly RefUpdate[], entry: { actor_id: number; message: string; created_at: number }): void {
  for (const { name, new: oid, peeled, time } of slice) {
    putRef(tx, { repo_id: repoId, name, oid, peeled: peeled ?? null, time: time ?? null })
    insertReflog(tx, { repo_id: repoId, name, old_oid: SHA1.zero, new_oid: oid, ...entry })
  }
}

/** Gives a repository that is being made the refs that were written ahead for it. No event: it begins with them. */
export function beginWithRefs(context: Context, tx: Tx, repo: RepoRow, { branches, branch }: FirstRefs): void {
  if (branch !== undefined && !findRef(tx, repo.id, HEADS + repo.default_branch)) adoptDefaultBranch(tx, repo, branch)
  showRefs(context, tx, repo.id, branches)
}
