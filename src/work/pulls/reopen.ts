import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict, Unprocessable } from '#kernel/errors.ts'
import type { Reopening } from '#work/issues/hooks.ts'
import { dropMerges } from './follow-refs.ts'
import { insertPush } from './push-store.ts'
import { headRef } from './refs.ts'
import { finishRenames } from './rename-branch.ts'
import { findOpen, findPull, updatePull } from './store.ts'

/**
 * What became of the branch meanwhile counts again. @returns the refs that move with it
 * @throws Conflict while another one between the same branches is open; Unprocessable when a branch is gone
 */
export function reopenPull(tx: Tx, { id, number }: { id: number; number: number }, { actorId, at, tipOf }: Reopening): { name: string; new: Oid }[] {
  const pull = findPull(tx, id)
  if (!pull) return []
  finishRenames(tx, pull.repo_id, pull.head_repo_id)
  if (findOpen(tx, pull)) throw new Conflict('cannot reopen the pull request: another pull request for the same branches is already open')
  const head = pull.flow === 1 ? pull.head_oid : pull.head_repo_id === null ? undefined : tipOf(pull.head_repo_id, HEADS + pull.head_branch)
  if (head === undefined) throw new Unprocessable(`cannot reopen the pull request: the head branch "${pull.head_branch}" no longer exists`)
  if (tipOf(pull.repo_id, HEADS + pull.base_branch) === undefined)
    throw new Unprocessable(`cannot reopen the pull request: the base branch "${pull.base_branch}" no longer exists`)
  if (head === pull.head_oid) return []
  if (pull.head_repo_id !== pull.repo_id) {
    insertPush(tx, { issue_id: id, head_oid: head, actor_id: actorId, created_at: at, acting: null })
    return []
  }
  updatePull(tx, id, { head_oid: head, acting: null })
  return [{ name: headRef(number), new: head }, ...(pull.has_merge_ref === 1 ? dropMerges(tx, [{ issue_id: id, number }]) : [])]
}
