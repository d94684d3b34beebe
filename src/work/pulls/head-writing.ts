import { atLeast, type RepoAccess, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { Forbidden, Unprocessable } from '#kernel/errors.ts'
import { mayPush } from '#repositories/refs/index.ts'
import { accessTo, type IssueRow } from '#work/issues/index.ts'
import { getPullRow } from './find-pull.ts'
import type { PullRow } from './store.ts'
import { takePushes } from './take-pushes.ts'

/** Who writes to the branch of a pull request, and where that is. */
export interface HeadWriting {
  doer: UserRow
  pull: PullRow
  /** Where the branch is, which may be a fork. */
  home: RepoAccess
  branch: { name: string }
}

/** The pull request with all that was pushed to it. @throws Unprocessable for a closed one; Forbidden for who may not push to its branch */
export async function requireHeadWriting(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow): Promise<HeadWriting> {
  const { user: doer } = requireUser(viewer)
  await takePushes(context, issue.id)
  const pull = getPullRow(context.db, issue)
  if (issue.is_closed === 1) throw new Unprocessable('the pull request is closed')
  if (pull.flow === 1)
    throw new Forbidden('This pull request has no branch to update: it was created by a push to refs/for/. Push your changes to refs/for/ again.')
  const found = headHome(context, viewer, repo, pull)
  if (!found) throw new Forbidden(`You do not have permission to push to the branch "${pull.head_branch}".`)
  return { doer, pull, ...found }
}

/** Where the branch of a pull request is, for who may push to it as far as rights go. */
export function headHome(
  context: Pick<Context, 'services' | 'db'>,
  viewer: Viewer,
  repo: RepoAccess,
  pull: PullRow,
): Pick<HeadWriting, 'home' | 'branch'> | undefined {
  if (viewer.user === undefined || pull.flow === 1 || pull.head_repo_id === null || !atLeast(repo.permission.of('code'), 'read')) return undefined
  const home = pull.head_repo_id === repo.row.id ? repo : accessTo(context.db, viewer, pull.head_repo_id)
  const branch = { name: HEADS + pull.head_branch }
  return home && mayPush(context, context.db, viewer, home, branch) ? { home, branch } : undefined
}
