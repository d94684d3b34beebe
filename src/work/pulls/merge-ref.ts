import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import type { Tx } from '#kernel/db.ts'
import { waitAtMost } from '#kernel/wait-at-most.ts'
import { type MoveRefs, writeObjects } from '#repositories/refs/index.ts'
import { findIssue } from '#work/issues/index.ts'
import { baseOid, mergeStatus } from './facts.ts'
import { mergeRef } from './refs.ts'
import { findOpenById, listMergeRefs, listWithoutMergeRef, type OpenPull, updatePull } from './store.ts'

/** So many merges of a repository are kept to be fetched: as many at most go when a branch moves. */
const MOST_KEPT = 100

/**
 * Makes `refs/pull/N/merge`, what merging an open pull request would come to now, unless it is there; nothing where it cannot be merged.
 * It goes when either end moves, in the same transaction, so what can be fetched is never out of date.
 */
async function makeMergeRef(context: Context, repoId: number, number: number): Promise<void> {
  const issue = findIssue(context.db, repoId, number)
  const pull = issue?.is_pull === 1 ? findOpenById(context.db, issue.id) : undefined
  const base = pull && baseOid(context.db, pull)
  if (!pull || base === undefined || pull.has_merge_ref === 1) return
  const status = await mergeStatus(context, { id: repoId }, base, pull.head_oid)
  if (status !== 'clean' && status !== 'fast-forward') return
  await writeObjects(context, repoId, async (writing) => {
    const made = await writing.make('mergeBranch', { base, head: pull.head_oid, style: 'merge', text: await textOf(context, pull, base) })
    if (made.status === 'done') writing.land((tx, move) => land(tx, move, pull, base, made.commit))
  })
}

function land(tx: Tx, move: MoveRefs, { issue_id: id, head_oid: head, number, repo_id: repoId }: OpenPull, base: Oid, merge: Oid): void {
  const now = findOpenById(tx, id)
  const repo = accessStore.findRepoById(tx, repoId)
  if (!now || now.has_merge_ref === 1 || now.head_oid !== head || baseOid(tx, now) !== base || repo?.archived_at !== null) return
  const oldest = listMergeRefs(tx, repoId).slice(0, -MOST_KEPT + 1)
  for (const one of oldest) updatePull(tx, one.issue_id, { has_merge_ref: 0 })
  updatePull(tx, id, { has_merge_ref: 1 })
  const gone = oldest.map((one) => ({ name: mergeRef(one.number), new: SHA1.zero }))
  move({ actorId: 0, message: 'merge of a pull request', updates: [{ name: mergeRef(number), new: merge, fastForward: true }, ...gone], isOwn: true })
}

/** The same for the same ends, so that the same commit is made again. */
async function textOf({ git, rootUrl }: Pick<Context, 'git' | 'rootUrl'>, { repo_id: repoId, head_oid: head }: OpenPull, base: Oid) {
  const { committerTime: seconds } = await git.look('links', repoId, { oid: head })
  const who = { name: 'Pocketforge', email: `noreply@${new URL(rootUrl).hostname}`, seconds, zone: '+0000' }
  return { author: who, committer: who, message: `Merge ${head} into ${base}\n` }
}

/** Long enough for most merges; a fetch does without what takes longer. */
const MAX_MS = 10_000

/** Makes those that a fetch asks for by name. What fails is not there. */
export async function makeMergeRefs(context: Context, repoId: number, numbers: readonly number[], ms = MAX_MS): Promise<void> {
  const all = Promise.all(numbers.map((number) => makeMergeRef(context, repoId, number).catch((error) => report(context, repoId, number, error))))
  await waitAtMost(all, ms)
}

/** A client that lists all refs before it asks for one waits for them, whatever it is about to ask for. */
const LISTING = { count: 16, ms: 2000 }

/** Makes those of the newest open pull requests, for a client that does not say which refs it wants before it has seen them. */
export async function makeNewestMergeRefs(context: Context, repoId: number): Promise<void> {
  const numbers = listWithoutMergeRef(context.db, repoId, LISTING.count)
  if (numbers.length > 0) await makeMergeRefs(context, repoId, numbers, LISTING.ms)
}

function report({ log }: Pick<Context, 'log'>, repo: number, pull: number, error: unknown): void {
  if (error instanceof GitError) log.warn('cannot create the merge commit of a pull request', { repo, pull, reason: error.message })
  else log.error('cannot create the merge commit of a pull request', error, { repo, pull })
}
