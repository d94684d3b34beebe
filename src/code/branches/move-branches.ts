import { accessStore, atLeast, type RepoAccess, recheckRepo, type UserRow } from '#access/index.ts'
import { getCommitRevision } from '#code/commits/index.ts'
import { findRuleByName } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { branchRef, HEADS } from '#git/refs/names.ts'
import { Conflict, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import {
  adoptDefaultBranch,
  findRef,
  findReflogEntry,
  moveHead,
  noteRenamedBranch,
  type RefResult,
  updateRefs,
  writeObjects,
} from '#repositories/refs/index.ts'
import { refuseUnchangeable } from './rules.ts'
import type { UpdateBranchRepoOption } from './schema.ts'

/**
 * Gives a branch another name; the default branch stays the default one, and readers of the old name are led to the new one.
 * @throws NotFound when there is no such branch; Unprocessable when the new name is the same or taken, or cannot be used; Forbidden for the default
 *   branch and those with rules of their own unless the viewer administers the repository, and when a policy refuses; Conflict when the new name is in the way of another
 */
export function renameBranch(context: Context, actor: UserRow, access: RepoAccess, from: string, to: string): void {
  const target = branchRef(to)
  context.db.tx((tx) => {
    const repo = accessStore.findRepoById(tx, access.row.id)
    if (!repo) throw new NotFound()
    refuseUnchangeable(repo)
    const ref = findRef(tx, repo.id, HEADS + from)
    if (!ref) throw new NotFound("Branch doesn't exist.")
    if (findRef(tx, repo.id, target)) throw new Unprocessable('Cannot rename a branch using the same name or rename to a branch that already exists.')
    const isDefault = repo.default_branch === from
    if ((isDefault || findRuleByName(tx, repo.id, from)) && !atLeast(access.permission.level, 'admin'))
      throw new Forbidden('User must be a repo or site admin to rename default or protected branches.')
    if (isDefault) adoptDefaultBranch(tx, repo, to)
    const updates = [
      { name: ref.name, old: ref.oid, new: SHA1.zero },
      { name: target, old: SHA1.zero, new: ref.oid, time: ref.time ?? undefined, fastForward: true },
    ]
    const rename = { from: ref.name, to: target }
    const results = updateRefs(context, tx, { repoId: repo.id, actorId: actor.id, message: `branch: renamed ${from} to ${to}`, updates, atomic: true, rename })
    const refused = results.find((result) => !result.ok && result.isForbidden) ?? results.find((result) => !result.ok)
    if (refused) throw refusal(refused, `Cannot rename branch "${from}" to "${to}"`, 'Failed to rename branch due to branch protection rules.')
    noteRenamedBranch(tx, repo.id, from, to)
    if (isDefault) moveHead(context, tx, repo.id)
  })
}

/**
 * Points a branch at another commit.
 * @throws NotFound when there is no such branch or commit; Unprocessable when the branch is not where the body says, or the commit does not
 *   contain it and `force` is not set; Forbidden when a policy refuses; Conflict when somebody was faster
 * @param message for the reflog
 */
export async function moveBranch(
  context: Context,
  actor: UserRow,
  { row: repo }: RepoAccess,
  name: string,
  body: UpdateBranchRepoOption,
  message = 'branch: updated through the API',
): Promise<void> {
  refuseUnchangeable(repo)
  await writeObjects(context, repo.id, async (writing) => {
    const ref = findRef(context.db, repo.id, HEADS + name)
    if (!ref) throw new NotFound(`branch does not exist [repo_id: ${repo.id} name: ${name.slice(0, 200)}]`)
    if (body.old_commit_id && body.old_commit_id !== ref.oid) throw new Unprocessable(`Branch "${name}" was updated: it now points to ${ref.oid}`)
    const { oid } = await getCommitRevision(context, repo, body.new_commit_id)
    if (oid === ref.oid) return
    const fastForward = (await context.git.run('mergeBase', repo.id, { a: ref.oid, b: oid })) === ref.oid
    if (!fastForward && !body.force) throw new Unprocessable(`Force push ${name} need a confirm force parameter`)
    await writing.make('nothing', { tips: [oid] })
    const coming = { actorId: actor.id, updates: [{ name: ref.name, old: ref.oid, new: oid, fastForward }] }
    await writing.landPrepared(coming, (tx, move) => {
      recheckRepo(tx, actor, repo.id, 'code')
      const [result] = move({ ...coming, message })
      if (!result?.ok) throw refusal(result, `Cannot update branch "${name}"`)
    })
  })
}

/**
 * Points a branch where it has pointed before.
 * @param id of the entry in its reflog by which it came there
 * @param from where it is now, as whoever asks has seen it
 * @throws as `moveBranch`; Conflict when that is not remembered any more, or its commit is gone
 */
export async function putBack(context: Context, actor: UserRow, repo: RepoAccess, name: string, { id, from }: { id: number; from: string }): Promise<void> {
  const entry = findReflogEntry(context.db, repo.row.id, HEADS + name, id)
  if (!entry || entry.new_oid === SHA1.zero) throw new Conflict('Cannot reset the branch: the reflog entry no longer exists.')
  if (!context.git.storeOf(repo.row.id).has(entry.new_oid)) throw new Conflict(`Cannot reset the branch: commit ${entry.new_oid} no longer exists.`)
  const body = { new_commit_id: entry.new_oid, old_commit_id: from, force: true }
  await moveBranch(context, actor, repo, name, body, `branch: reset to ${entry.new_oid.slice(0, 10)}`)
}

function refusal(result: RefResult | undefined, what: string, whenForbidden?: string): Error {
  const reason = result && !result.ok ? result.reason : 'the branch was not updated'
  const isForbidden = result && !result.ok && result.isForbidden
  return isForbidden ? new Forbidden(whenForbidden ?? reason) : new Conflict(`${what}: ${reason}`)
}
