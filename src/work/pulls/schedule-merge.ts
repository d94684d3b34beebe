import { atLeast, recheckAccount, refuseArchived, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { addEntry, change, type IssueRow } from '#work/issues/index.ts'
import { candidateOf, requireMergeable, requireNoConflict } from './merge-rules.ts'
import { tryScheduledMerge } from './merge-scheduled.ts'
import type { MergeTerms } from './merge-schema.ts'
import { deleteScheduled, findScheduled, insertScheduled } from './scheduled-store.ts'

/**
 * Has a pull request merged once the checks of its head have succeeded, which may be at once. What is pushed until then is merged along,
 * unless the terms name the head.
 * @throws as `mergePull`, when it could not be merged now whatever its checks say; Conflict when its merge is scheduled already
 */
export async function scheduleMerge(context: Context, viewer: Viewer, seen: IssueRow, terms: MergeTerms): Promise<void> {
  const { user: doer } = requireUser(viewer)
  await requireNoConflict(context, requireMergeable(context.db, viewer, seen, terms))
  context.db.tx((tx) => {
    const { issue, repo } = requireMergeable(tx, viewer, seen, terms)
    if (findScheduled(tx, issue.id)) throw new Conflict(`pull request is already scheduled to auto merge when checks succeed [pull_id: ${issue.id}]`)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    insertScheduled(tx, {
      issue_id: issue.id,
      repo_id: issue.repo_id,
      doer_id: doer.id,
      style: terms.style,
      title: terms.title ?? null,
      message: terms.message ?? null,
      head_oid: terms.headOid ?? null,
      deletes_branch: terms.deletesBranch === undefined ? null : Number(terms.deletesBranch),
      created_at: deed.at,
    })
    addEntry(tx, deed, change(tx, deed, issue), 'pull_scheduled_merge')
  })
  await context.tasks.start('scheduled merge', () => tryScheduledMerge(context, seen.id))
}

/**
 * Takes back a merge that is scheduled: for who asked for it, and for who could merge it.
 * @throws NotFound when none is; Forbidden for others; Locked in an archived repository
 */
export function cancelScheduled(context: Context, viewer: Viewer, seen: IssueRow): void {
  const { user: doer } = requireUser(viewer)
  context.db.tx((tx) => {
    recheckAccount(tx, doer)
    const { issue, repo } = candidateOf(tx, viewer, seen.id)
    refuseArchived(repo)
    const scheduled = findScheduled(tx, issue.id)
    if (!scheduled) throw new NotFound()
    if (scheduled.doer_id !== doer.id && !atLeast(repo.permission.of('code'), 'write')) {
      throw new Forbidden('user has no permission to cancel the scheduled auto merge')
    }
    deleteScheduled(tx, issue.id)
    const deed = { context, doer, repo, at: context.clock.seconds() }
    addEntry(tx, deed, change(tx, deed, issue), 'pull_cancel_scheduled_merge')
  })
}
