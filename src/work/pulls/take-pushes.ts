import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { readActing } from '#kernel/acting.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { waitAtMost } from '#kernel/wait-at-most.ts'
import { type MoveRefs, writeObjects } from '#repositories/refs/index.ts'
import { moveHead } from './follow-refs.ts'
import { hidingOf } from './hiding.ts'
import { deletePush, deletePushes, findPush, type PushRow } from './push-store.ts'
import { findOpenById, type OpenPull, type PullRow } from './store.ts'

/** What is being taken over, by pull request. */
class Takings {
  readonly running = new Map<number, Promise<void>>()
}

/**
 * Takes over what was pushed to a pull request's branch in another repository: brings the objects and moves the head, a push after the
 * other. Resolves when no push waits any more; whoever asks meanwhile waits for the same run.
 */
export function takePushes(context: Context, issueId: number): Promise<void> {
  const { running } = context.services.get(Takings)
  const known = running.get(issueId)
  if (known || !findPush(context.db, issueId)) return known ?? Promise.resolve()
  const run = takeAll(context, issueId).finally(() => running.delete(issueId))
  running.set(issueId, run)
  return run
}

/** A moment, in which a small push is taken over. */
const MOMENT_MS = 2000

/** Whoever has just pushed and looks sees it; what takes longer, or fails, is done in the background. */
export async function awaitPushes(context: Context, issueId: number): Promise<void> {
  if (findPush(context.db, issueId))
    await waitAtMost(
      takePushes(context, issueId).catch(() => {}),
      MOMENT_MS,
    )
}

async function takeAll(context: Context, issueId: number): Promise<void> {
  for (let push = findPush(context.db, issueId); push; push = findPush(context.db, issueId)) {
    const pull = findFollowing(context.db, push)
    if (!pull) {
      context.db.tx((tx) => deletePushes(tx, issueId))
      return
    }
    await take(context, pull, push)
  }
}

/** The pull request of a push, when what was pushed may be shown where it is to be merged. */
function findFollowing(db: Db, { issue_id: issueId }: Pick<PushRow, 'issue_id'>): (OpenPull & { head_repo_id: number }) | undefined {
  const pull = findOpenById(db, issueId)
  return pull && mayShow(db, pull) ? { ...pull, head_repo_id: pull.head_repo_id as number } : undefined
}

/** Not what has become more hidden since the pull request was opened, unless the base is as hidden. */
function mayShow(db: Db, pull: PullRow): boolean {
  const [head, base] = [pull.head_repo_id, pull.repo_id].map((id) => (id === null ? undefined : accessStore.findRepoById(db, id)))
  return head !== undefined && base !== undefined && hidingOf(db, head) <= Math.max(hidingOf(db, base), pull.head_hiding)
}

async function take(context: Context, pull: OpenPull & { head_repo_id: number }, push: PushRow): Promise<void> {
  try {
    const forced = !(await isAncestor(context, pull.head_repo_id, pull.head_oid, push.head_oid))
    await writeObjects(context, pull.repo_id, async (writing) => {
      await writing.bring(pull.head_repo_id, [push.head_oid])
      writing.land((tx, move) => land(context, tx, move, { push, forced, from: pull.head_oid }))
    })
  } catch (error) {
    if (!(error instanceof GitError || error instanceof NotFound)) throw error
    context.log.warn('cannot fetch a push to the head branch of a pull request', { repo: pull.repo_id, pull: pull.number, reason: error.message })
    context.db.tx((tx) => deletePush(tx, push.id))
  }
}

function land(context: Context, tx: Tx, move: MoveRefs, { push, forced, from }: { push: PushRow; forced: boolean; from: Oid }): void {
  const pull = findFollowing(tx, push)
  deletePush(tx, push.id)
  // Closed or merged meanwhile, or moved by somebody who was asked to.
  if (!pull || pull.head_oid !== from || pull.head_oid === push.head_oid) return
  const by = { context, actorId: push.actor_id, acting: readActing(push.acting), at: context.clock.seconds() }
  const updates = moveHead(tx, by, pull, { before: from, after: push.head_oid, forced })
  move({ actorId: push.actor_id, message: 'push to a pull request', updates, isOwn: true })
}

/** @returns false, too, when either is gone: nothing is known of what lies between */
async function isAncestor(context: Pick<Context, 'git'>, repoId: number, ancestor: Oid, commit: Oid): Promise<boolean> {
  try {
    return await context.git.run('isAncestor', repoId, { ancestor, commit })
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}
