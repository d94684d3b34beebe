import { atLeast, type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { Conflict, Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { mayPush, writeObjects } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { accessTo, type IssueRow } from '#work/issues/index.ts'
import { baseOid } from './facts.ts'
import { getPullRow } from './find-pull.ts'
import { takePushes } from './take-pushes.ts'

/**
 * Brings the branch of a pull request up to its base, by a merge or by a rebase; judged as a push of the result would be.
 * @throws Unprocessable for a closed one, and one that is up to date; Forbidden for who may not push to it; Conflict
 */
export async function updateBranch(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, style: 'merge' | 'rebase'): Promise<void> {
  const { user: doer } = requireUser(viewer)
  await takePushes(context, issue.id)
  const pull = getPullRow(context.db, issue)
  if (issue.is_closed === 1) throw new Unprocessable('the pull request is closed')
  if (pull.flow === 1) throw new Forbidden('There is no branch to update: changes are pushed to refs/for/.')
  const home = pull.head_repo_id === null ? undefined : accessTo(context.db, viewer, pull.head_repo_id)
  const branch = { name: HEADS + pull.head_branch }
  if (!home || !mayPush(context, context.db, viewer, home, branch) || !atLeast(repo.permission.of('code'), 'read')) {
    throw new Forbidden('You may not push to the branch of the pull request.')
  }
  const settings = settingsOf(repo.row)
  if (!(style === 'merge' ? settings.allow_merge_update : settings.allow_rebase_update)) throw new Forbidden(`update by ${style} is not allowed`)
  const base = baseOid(context.db, pull)
  if (base === undefined) throw new NotFound()
  const committer = gitIdentity(context, doer)
  const head = pull.head_oid
  if (await context.git.run('isAncestor', pull.repo_id, { ancestor: base, commit: head })) throw new Unprocessable('HeadBranchIsUpToDate')
  await writeObjects(context, home.row.id, async (writing) => {
    if (home.row.id !== pull.repo_id) await writing.bring(pull.repo_id, [base])
    const text = { author: committer, committer, message: `Merge branch '${pull.base_branch}' into ${pull.head_branch}` }
    const made =
      style === 'merge'
        ? await writing.make('mergeBranch', { base: head, head: base, style, text })
        : await writing.make('rebaseBranch', { request: { head, onto: base, committer } })
    if (made.status !== 'done') throw new Conflict(`${style} failed because of conflict`)
    const tip = 'tip' in made ? made.tip : made.commit
    const coming = { actorId: doer.id, updates: [{ ...branch, old: head, new: tip, fastForward: style === 'merge' }] }
    await writing.landPrepared(coming, (tx, move) => {
      const now = accessTo(tx, viewer, home.row.id)
      if (!now || !mayPush(context, tx, viewer, now, branch) || now.row.archived_at !== null) throw new Forbidden('You may not push to the branch.')
      const [result] = move({ ...coming, message: `update of pull request ${issue.number}` })
      if (result?.ok === false && result.isForbidden) throw new Forbidden(result.reason)
      if (!result?.ok) throw new Problem(409, result?.reason ?? '')
    })
  })
}
