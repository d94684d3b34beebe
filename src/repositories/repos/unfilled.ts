import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { hasRefs } from '#repositories/refs/index.ts'
import { type RepoDeletion, undoCreation } from './delete-repo.ts'
import { deleteUnfilled, findUnfilled, insertUnfilled, listUnfilled } from './unfilled-store.ts'

/** How long after it failed it is tried again at first, and at most, in milliseconds: as long as they are there, people see repositories that are none. */
const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 1000

/** Repositories that this process is making together with their first content. */
class Filling {
  readonly ids = new Set<number>()
  isToBeSwept = false
}

/** Notes, with the repository's row, that it is only to stay when its content comes. To be followed by `noteFilled`, or `undoCreation`. */
export function noteUnfilled(context: Pick<Context, 'services'>, tx: Tx, repoId: number, actorId: number): void {
  insertUnfilled(tx, repoId, actorId)
  context.services.get(Filling).ids.add(repoId)
}

/** To be called in the transaction in which the content lands. */
export function noteFilled(context: Pick<Context, 'services'>, tx: Tx, repoId: number): void {
  deleteUnfilled(tx, repoId)
  tx.onCommit(() => context.services.get(Filling).ids.delete(repoId))
}

/** `undoCreation` for who has a failure to tell already. What cannot be taken back now is tried again, and gives way to a new one of its name. */
export function undoUnfilled(context: Context, deletion: RepoDeletion): void {
  context.services.get(Filling).ids.delete(deletion.repo.id)
  try {
    undoCreation(context, deletion)
  } catch (error) {
    context.disk.report(error)
    context.log.error('cannot delete a repository whose creation failed', error, { repo: deletion.repo.id })
  }
  const filling = context.services.get(Filling)
  if (!filling.isToBeSwept) sweepUntilGone(context, FIRST_WAIT_MS)
}

/**
 * A full disk keeps a repository from being filled, and from being taken back; so does another push into it, until that has ended. It is tried at
 * once, since the disk may have refused one write alone, and again until none is left.
 */
function sweepUntilGone(context: Context, wait: number): void {
  const filling = context.services.get(Filling)
  filling.isToBeSwept = isLeft(context, filling)
  if (!filling.isToBeSwept) return
  context.tasks.later(wait, 'delete unfinished repositories', () => sweepUntilGone(context, Math.min(2 * wait, LONGEST_WAIT_MS)))
}

/** Whether something is left that is to be taken back, after that was tried. */
function isLeft(context: Context, { ids }: Filling): boolean {
  const isAny = () => listUnfilled(context.db).some(({ id }) => !ids.has(id))
  if (!isAny()) return false
  try {
    sweepUnfilled(context)
    return isAny()
  } catch (error) {
    context.disk.report(error)
    return true
  }
}

/** Takes back what has this name and should have been before: whoever was refused may ask again at once. */
export function giveWay(context: Context, tx: Tx, owner: UserRow, name: string): void {
  const repo = accessStore.findRepo(tx, owner.id, name)
  const note = repo && !context.services.get(Filling).ids.has(repo.id) && findUnfilled(tx, repo.id)
  if (repo && note) undoCreation(context, { actor: { id: note.actor_id }, owner, repo })
}

/** Takes back the repositories whose content did not come, because an earlier process died or the disk refused; those that others filled stay. */
export function sweepUnfilled(context: Context): void {
  const { ids } = context.services.get(Filling)
  for (const { id, actor_id: actorId } of listUnfilled(context.db)) {
    const repo = ids.has(id) ? undefined : accessStore.findRepoById(context.db, id)
    const owner = repo && accessStore.findUserById(context.db, repo.owner_id)
    if (!repo || !owner) continue
    if (hasRefs(context.db, id)) context.db.tx((tx) => deleteUnfilled(tx, id))
    else undoCreation(context, { actor: { id: actorId }, owner, repo })
  }
}
