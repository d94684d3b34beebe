import { recheckAccount, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { accessTo, type Deed, findIssueById, type IssueRow, mayRead } from '#work/issues/index.ts'

/** Who does something to a pull request, by the rows as they are now: what came before took its time. @throws NotFound; Forbidden for accounts that were closed */
export function deedNow(tx: Tx, context: Context, viewer: Viewer, seen: Pick<IssueRow, 'id'>): { deed: Deed; issue: IssueRow } {
  const { user } = requireUser(viewer)
  const doer = recheckAccount(tx, user) ?? user
  const issue = findIssueById(tx, seen.id)
  const repo = issue && accessTo(tx, viewer, issue.repo_id)
  if (!issue || !repo || !mayRead(repo, issue)) throw new NotFound()
  return { issue, deed: { context, doer, repo, at: context.clock.seconds(), elsewhere: [viewer] } }
}
