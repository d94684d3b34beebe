import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import type { EndedBranch } from './ended-store.ts'
import { deleteOrphan, insertOrphans, listOrphans } from './orphan-store.ts'
import { finishRenames } from './rename-branch.ts'
import {
  closePull,
  findLastPull,
  findMergedInto,
  findOpen,
  findOpenById,
  hasBranch,
  insertMoveEntry,
  listOpenFrom,
  listOpenFromOutside,
  listOpenInto,
  type OpenPull,
  updatePull,
} from './store.ts'

/** Pull requests that one step changes. */
const SLICE = 20

/** Who makes pull requests follow, and when. */
export interface By {
  context: Pick<Context, 'config' | 'events'>
  actorId: number
  at: number
}

/** The last pull requests that were processed, by issue id: `from` has the branch as head, `into` as base. */
type Followed = { from: number; into: number }

/** Closes or retargets the open pull requests of a deleted branch. */
export const followDeletedBranch = defineJob({
  kind: 'pulls.followDeletedBranch',
  title: 'Close or retarget pull requests of deleted branches',
  step(tx, ended: EndedBranch, followed: Followed | undefined, { context }: { context: By['context'] }) {
    finishRenames(tx, ended.repoId)
    const target = hasBranch(tx, ended.repoId, ended.target) ? ended.target : ended.branch
    return followSome(tx, context, { ...ended, target }, followed)
  },
})

/** Processes the table `orphaned_pull`. It exists because the references of pull requests to the deleted repository are cleared meanwhile. */
export const closeOrphanedPulls = defineJob({
  kind: 'pulls.closeOrphaned',
  title: 'Close pull requests from deleted repositories',
  step(tx, _: Record<string, never>, closed: number | undefined, { context }: { context: By['context'] }) {
    const orphans = listOrphans(tx, SLICE)
    for (const { issue_id: id, actor_id: actorId, orphaned_at: at } of orphans) {
      const pull = findOpenById(tx, id)
      if (pull) close(tx, { context, actorId, at }, pull, pull.head_branch)
      deleteOrphan(tx, id)
    }
    return orphans.length < SLICE ? done : (closed ?? 0) + SLICE
  },
})

/**
 * Closes or retargets the pull requests of a branch that is deleted: the first ones in this transaction, the rest in a job.
 * @param mergedInto the branch that it was merged into; default: the base of its merged pull request, or the default branch
 */
export function followDeletion(tx: Tx, by: By & { context: Context }, repo: { id: number; default_branch: string }, branch: string, mergedInto?: string): void {
  const target = mergedInto ?? findMergedInto(tx, repo.id, branch) ?? repo.default_branch
  const ended = { repoId: repo.id, branch, target, actorId: by.actorId, at: by.at, until: findLastPull(tx) }
  const cursor = followSome(tx, by.context, ended)
  if (cursor !== done) by.context.jobs.enqueue(tx, followDeletedBranch, ended, { cursor })
}

/** Closes the pull requests from a repository that is deleted: the first ones in this transaction, the rest in a job. */
export function closeFromOutside(tx: Tx, by: By & { context: Context }, repoId: number): void {
  const first = listOpenFromOutside(tx, repoId, SLICE)
  for (const pull of first) close(tx, by, pull, pull.head_branch)
  if (first.length === SLICE && insertOrphans(tx, repoId, by) > 0) by.context.jobs.enqueue(tx, closeOrphanedPulls, {}, { key: 'all' })
}

/** Processes the next pull requests after `followed`. */
function followSome(tx: Tx, context: By['context'], ended: EndedBranch, followed: Followed = { from: 0, into: 0 }): Followed | typeof done {
  const { repoId, branch, target, until } = ended
  const by = { context, actorId: ended.actorId, at: ended.at }
  const from = listOpenFrom(tx, repoId, branch, { after: followed.from, until, limit: SLICE })
  for (const pull of from) close(tx, by, pull, branch)
  const into = listOpenInto(tx, repoId, branch, { after: followed.into, until, limit: SLICE - from.length })
  for (const pull of into) if (!retarget(tx, by, pull, target)) close(tx, by, pull, branch)
  if (from.length + into.length < SLICE) return done
  return { from: from.at(-1)?.issue_id ?? followed.from, into: into.at(-1)?.issue_id ?? followed.into }
}

/** @param branch the one that is gone */
export function close(tx: Tx, by: By, pull: OpenPull, branch: string): void {
  closePull(tx, pull.issue_id, by.actorId, by.at)
  insertMoveEntry(tx, pull, { type: 'delete_branch', poster_id: by.actorId, at: by.at, old_text: branch })
  announce(tx, by, pull, 'closed')
}

/**
 * Gives a pull request another base branch of the same repository, because its own is deleted. The head can be in a fork.
 * @returns false when the setting is off, the new base is the head or the deleted branch, or another pull request between the two is open
 */
function retarget(tx: Tx, by: By, pull: OpenPull, base: string): boolean {
  const isOn = by.context.config['repository.pull-request'].RETARGET_CHILDREN_ON_MERGE
  const isHead = pull.head_repo_id === pull.repo_id && pull.head_branch === base
  if (!isOn || isHead || pull.base_branch === base) return false
  if (findOpen(tx, { ...pull, base_branch: base })) return false
  updatePull(tx, pull.issue_id, { base_branch: base })
  insertMoveEntry(tx, pull, { type: 'change_target_branch', poster_id: by.actorId, at: by.at, old_text: pull.base_branch, new_text: base })
  announce(tx, by, pull, 'retargeted')
  return true
}

export function announce(tx: Tx, { context, actorId }: By, pull: OpenPull, action: 'synchronized' | 'closed' | 'retargeted'): void {
  const { issue_id: issueId, repo_id: repoId, number, title } = pull
  context.events.record(tx, { type: 'issue', action, actorId, repoId, issueId, number, isPull: true, title })
}
