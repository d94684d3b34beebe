import { findStoreById, Losses } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { Stopping } from '#git/workers/pool.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Concerns } from '#kernel/events.ts'
import { discardAgain, sweepUnfinished } from '#repositories/refs/index.ts'
import { checkPacks, checkSoon, isCheckDue } from './check-packs.ts'
import { countPush } from './commit-graph.ts'
import { lookAfter } from './look-after.ts'
import * as postponed from './postponed.ts'
import { listStoreIds } from './store.ts'

/** After a push a repository is visited once none came for so long, or once so many came one after another. */
const QUIET_MS = 2000
const MOST_PUSHES = 32
/** Of the time between two visits, what may be spent on reading packs from end to end. */
const CHECKING_SHARE = 1 / 10

/** A forced push or a deletion leaves it in doubt whether the store is exact: see `settleLostTips`. */
const concerns: Concerns<ForgeEvent> = {
  repository: false,
  push: ({ changes }) => changes.some(({ after, forced }) => forced || after === SHA1.zero),
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: false,
  issue_comment: false,
  pull_review: false,
}

/** Looks after every repository now and then. Administrators know the task by Gitea's name. */
export function startUpkeep(context: Context): void {
  context.tasks.every(context.config.git.UPKEEP_SECONDS, 'git_gc_repos', () => visitAll(context))
  context.services.get(Losses).onLoss = (repoId) => checkSoon(context, repoId)
  context.events.onRecord(concerns, ({ repoId }) => {
    if (repoId !== undefined) expectUpkeep(context, repoId)
  })
  void context.tasks.start('remove leftovers', () => sweepAll(context))
}

/**
 * Removes what a crash left of pushes, commits and upkeep: this process has the store for itself, so whoever made it is dead. That may
 * also lie in the directory of a wiki that has not come to be.
 */
async function sweepAll(context: Pick<Context, 'disk' | 'git' | 'tasks' | 'log' | 'services'>): Promise<void> {
  for (const id of await context.git.listIds()) {
    if (context.tasks.isStopping) return
    try {
      await sweepUnfinished(context, context.git.pathOf(id))
    } catch (error) {
      context.disk.report(error)
      context.log.error('cannot remove leftovers of a crash from a repository', error, { repo: id })
    }
  }
}

/** Looks after every store: repositories and wikis. One that cannot be looked after is logged, and the others have their turn. */
export async function visitAll(context: Context): Promise<void> {
  await discardAgain(context)
  const until = performance.now() + context.config.git.UPKEEP_SECONDS * CHECKING_SHARE * 1000
  for (const id of listStoreIds(context.db)) {
    if (context.tasks.isStopping) return
    // Of those that are not due, or have nothing new, nothing is waited for.
    if (isDue()) await breathe()
    await visit(context, id)
    if (performance.now() < until && isCheckDue(context, id)) await checkPacks(context, id)
  }
}

/** Pushes to one repository that are waiting for a visit. */
interface Burst {
  pushes: number
  /** When the last one came, on the clock of `performance.now`. */
  last: number
}

class Bursts {
  readonly byRepo = new Map<number, Burst>()
}

/** Visits a repository soon, because it was pushed to, or lost a ref; a burst of pushes is one visit. */
export function expectUpkeep(context: Context, repoId: number): void {
  if (context.config.git.UPKEEP_SECONDS === 0) return
  countPush(context, repoId)
  const { byRepo: waiting } = context.services.get(Bursts)
  const burst = waiting.get(repoId) ?? { pushes: 0, last: 0 }
  burst.pushes++
  burst.last = performance.now()
  if (waiting.has(repoId)) return
  waiting.set(repoId, burst)
  const look = async (): Promise<void> => {
    const left = burst.last + QUIET_MS - performance.now()
    if (left > 1 && burst.pushes < MOST_PUSHES) return context.tasks.later(left, 'upkeep', look)
    waiting.delete(repoId)
    await visit(context, repoId)
  }
  context.tasks.later(QUIET_MS, 'upkeep', look)
}

async function visit(context: Context, repoId: number): Promise<void> {
  const repo = findStoreById(context.db, repoId)
  if (!repo || !postponed.isDue(context, 'visit', repoId)) return
  try {
    await lookAfter(context, repo)
    postponed.forget(context, 'visit', repoId)
  } catch (error) {
    if (error instanceof Stopping || !findStoreById(context.db, repoId)) return
    context.disk.report(error)
    postponed.add(context, 'visit', repoId)
    context.log.error('repository maintenance failed', error, { repo: repoId })
  }
}
