import { accessStore, anonymous, type Viewer } from '#access/index.ts'
import { checksPass, ruleFor } from '#code/protection/index.ts'
import { combineStates, countNewest, hasStatuses } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { Busy, Conflict, Problem } from '#kernel/errors.ts'
import { accessTo, findIssueById, type IssueRow, mayRead } from '#work/issues/index.ts'
import { mergePull } from './merge-pull.ts'
import type { MergeTerms } from './merge-schema.ts'
import { findScheduled, listScheduled, type ScheduledMerge } from './scheduled-store.ts'
import { findPull, type PullRow } from './store.ts'

/** So often it is begun anew when the base moves while the merge is made: nothing else would try it again. */
const MAX_TRIES = 3

interface Ready {
  scheduled: ScheduledMerge
  issue: IssueRow
  /** The head whose checks have succeeded. */
  head: string
}

/**
 * Merges a pull request whose merge is scheduled, when the checks of its head have succeeded, with the rights that who asked for it has now.
 * What forbids it is logged, and it stays scheduled until something else about it changes; what the disk refuses is tried again soon.
 */
export async function tryScheduledMerge(context: Context, issueId: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const ready = findReady(context.db, issueId)
    if (!ready) return
    try {
      return await merge(context, ready)
    } catch (error) {
      if (error instanceof Busy) throw error
      if (error instanceof Conflict && tries < MAX_TRIES) continue
      report(context, ready, error)
      if (diskTroubleOf(error)) tryAgain(context)
      return
    }
  }
}

function findReady(db: Db, issueId: number): Ready | undefined {
  const scheduled = findScheduled(db, issueId)
  const issue = scheduled && findIssueById(db, issueId)
  const pull = findPull(db, issueId)
  if (!scheduled || !issue || !pull) return undefined
  return haveSucceeded(db, pull) ? { scheduled, issue, head: pull.head_oid } : undefined
}

/**
 * The checks that the rule of its branch wants, or, where it wants none, all that there are. A head that no check was reported of yet waits for the
 * first one in a repository that has checks; where nobody ever reported any there is nothing to wait for, as in Gitea, which does not wait elsewhere either.
 */
function haveSucceeded(db: Db, { repo_id: repoId, base_branch: branch, head_oid: head }: PullRow): boolean {
  const rule = ruleFor(db, repoId, branch)
  if (rule?.enable_status_check === 1) return checksPass(db, rule, head)
  const states = countNewest(db, repoId, head).map((one) => one.state)
  return states.length === 0 ? !hasStatuses(db, repoId) : combineStates(states) === 'success'
}

async function merge(context: Context, ready: Ready): Promise<void> {
  const viewer: Viewer = { ...anonymous, user: accessStore.findUserById(context.db, ready.scheduled.doer_id) }
  requireStill(context.db, viewer, ready)
  await mergePull(context, viewer, ready.issue, termsOf(ready), (tx) => requireStill(tx, viewer, ready))
}

/** A merge takes its time: it may have been taken back meanwhile, a check may have failed, and who asked may no longer see it. */
function requireStill(db: Db, viewer: Viewer, ready: Ready): void {
  const now = findReady(db, ready.issue.id)
  if (!now || now.head !== ready.head || !Bun.deepEquals(now.scheduled, ready.scheduled))
    throw new Conflict('the auto-merge was changed or disabled in the meantime')
  const repo = accessTo(db, viewer, ready.issue.repo_id)
  if (!repo || !mayRead(repo, ready.issue)) throw new Problem(403, 'the user who enabled auto-merge can no longer see the pull request')
}

function termsOf({ scheduled, head }: Ready): MergeTerms {
  return {
    isScheduled: true,
    style: scheduled.style,
    title: scheduled.title ?? undefined,
    message: scheduled.message ?? undefined,
    mergeOid: undefined,
    headOid: scheduled.head_oid ?? head,
    deletesBranch: scheduled.deletes_branch === null ? undefined : scheduled.deletes_branch === 1,
  }
}

function report(context: Pick<Context, 'db' | 'log'>, { scheduled, issue }: Ready, error: unknown): void {
  // Somebody else merged it, or took it back, in the middle of it.
  if (!findScheduled(context.db, issue.id)) return
  const fields = { repo: scheduled.repo_id, pull: issue.number }
  if (error instanceof Problem) context.log.warn('auto-merge refused', { ...fields, reason: error.message })
  else context.log.error('auto-merge failed', error, fields)
}

/** In milliseconds: how long the disk is left alone at first, and at most. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

class Again {
  wait = FIRST_WAIT_MS
  isWaiting = false
}

/** Nothing about a pull request changes when the disk takes writes again. */
function tryAgain(context: Context): void {
  const again = context.services.get(Again)
  if (again.isWaiting) return
  again.isWaiting = true
  context.tasks.later(again.wait, 'scheduled merges', async () => {
    again.isWaiting = false
    again.wait = Math.min(2 * again.wait, LONGEST_WAIT_MS)
    for (const issueId of listScheduled(context.db)) await tryScheduledMerge(context, issueId)
    if (!again.isWaiting) again.wait = FIRST_WAIT_MS
  })
}
