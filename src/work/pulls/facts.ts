import { type RepoRow, unlessLost } from '#access/index.ts'
import { diffLimits, Recent } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { LineStats } from '#git/diff/line-stats.ts'
import { GitError, isLoss } from '#git/errors.ts'
import type { Mergeability } from '#git/merge/branch-merge.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { findRef } from '#repositories/refs/index.ts'
import type { PullRow } from './store.ts'

/** How a merge would end, by both ends. Objects never change, so no answer is ever stale; what took too long may be found out another time. */
class Merges extends KeptWork<Mergeability['status'] | 'failed'> {
  constructor() {
    super(
      10_000,
      () => 1,
      (status) => status !== 'failed',
    )
  }
}

class MergeBases extends Recent<Oid | ''> {
  constructor() {
    super(10_000)
  }
}

export interface Totals extends LineStats {
  files: number
}

class DiffTotals extends Recent<Totals> {
  constructor() {
    super(10_000)
  }
}

/** Where the branch that a pull request is to be merged into is now; undefined when it is gone. */
export function baseOid(db: Db, pull: Pick<PullRow, 'repo_id' | 'base_branch'>): Oid | undefined {
  return findRef(db, pull.repo_id, HEADS + pull.base_branch)?.oid
}

/** What merging `head` into `base` would come to; `failed` when that would be too much work, or an object is missing. */
export function mergeStatus(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  repo: Pick<RepoRow, 'id'>,
  base: Oid,
  head: Oid,
): Promise<Mergeability['status'] | 'failed'> {
  const merge = async () => {
    try {
      return (await context.git.run('mergeability', repo.id, { base, head })).status
    } catch (error) {
      if (error instanceof GitError && !isLoss(error)) return 'failed'
      throw error
    }
  }
  // What is lost may be there again after a repair.
  return unlessLost(context, repo.id, () => context.services.get(Merges).answer(`${repo.id} ${base} ${head}`, merge), 'failed')
}

/** What the changes of a pull request are counted from; undefined when there is nothing in common, or the base is gone. */
export async function mergeBaseOf(context: Pick<Context, 'db' | 'git' | 'services'>, pull: PullRow): Promise<Oid | undefined> {
  if (pull.merge_base !== null) return pull.merge_base
  const base = baseOid(context.db, pull)
  return base && commonOf(context, pull.repo_id, base, pull.head_oid)
}

/** The best common ancestor of two commits; undefined when there is none. */
export async function commonOf(context: Pick<Context, 'git' | 'services'>, repoId: number, a: Oid, b: Oid): Promise<Oid | undefined> {
  const work = async () => (await context.git.run('mergeBase', repoId, { a, b })) ?? ''
  const found = await context.services.get(MergeBases).answer(`${repoId} ${a} ${b}`, work)
  return found === '' ? undefined : found
}

/** How much lies between two commits; nothing where counting it would be too much work: that keeps nobody from the rest of a record. */
export function diffTotals(context: Pick<Context, 'config' | 'git' | 'services'>, repoId: number, from: Oid | undefined, to: Oid): Promise<Totals> {
  return context.services.get(DiffTotals).answer(`${repoId} ${from} ${to}`, async () => {
    try {
      const { count, totals } = await context.git.run('diffFiles', repoId, { from, to, options: { ...diffLimits(context), limit: 0, totals: true } })
      return { files: count, additions: totals?.additions ?? 0, deletions: totals?.deletions ?? 0 }
    } catch (error) {
      if (error instanceof GitError && error.kind === 'limit') return { files: 0, additions: 0, deletions: 0 }
      throw error
    }
  })
}
