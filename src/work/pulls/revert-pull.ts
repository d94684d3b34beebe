import { atLeast, type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import { replay } from '#code/replays/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef } from '#repositories/refs/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { getPullRow } from './find-pull.ts'
import type { PullRow } from './store.ts'

/** Branches of one name that are tried, with numbers behind them. */
const MAX_NAMES = 100

/** Whether there is something to take back, and somebody who may make the branch for it, as far as that is known before they try. */
export function mayRevert({ user }: Viewer, { row, permission }: RepoAccess, issue: IssueRow): boolean {
  return user !== undefined && issue.merged_at !== null && row.archived_at === null && row.is_mirror === 0 && atLeast(permission.of('code'), 'write')
}

/**
 * Makes a branch on top of what a pull request was merged into, with one commit that takes all back that it brought.
 * @returns its name, and the branch that it is to be merged into
 * @throws Unprocessable for one that is not merged; Conflict when what it changed has changed since, or it is not known what it brought; else as `replay`
 */
export async function revertPull(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow): Promise<{ branch: string; base: string }> {
  const member = requireUser(viewer)
  const pull = getPullRow(context.db, issue)
  if (issue.merged_at === null || pull.merge_oid === null) throw new Unprocessable('Cannot revert the pull request: it is not merged.')
  const [from, to] = [await broughtOnto(context, pull), pull.merge_oid]
  const who = gitIdentity(context, member.user)
  const text = { message: `Revert "${issue.title}"\n\nThis reverts pull request #${issue.number}.`, author: who, committer: who }
  const branch = freeName(context.db, pull, issue)
  const target = { branch: pull.base_branch, newBranch: branch, message: `revert of pull request ${issue.number}` }
  await replay(context, member, repo, target, (writing, onto) => writing.make('revertRange', { request: { from, to, onto }, text }))
  return { branch, base: pull.base_branch }
}

/** What was there before it was merged. Of older ones only the commit itself can tell. @throws Conflict when it cannot */
async function broughtOnto({ git }: Pick<Context, 'git'>, pull: PullRow): Promise<Oid> {
  if (pull.merge_onto !== null) return pull.merge_onto
  const merge = git.storeOf(pull.repo_id).findHeader(pull.merge_oid as Oid)
  const parents = merge ? (await git.look('links', pull.repo_id, { oid: pull.merge_oid as Oid })).parents : []
  const before = parents.length > 1 ? parents[0] : pull.merge_oid === pull.head_oid ? pull.merge_base : undefined
  if (!before) throw new Conflict('Cannot revert the pull request: its commits can no longer be determined. Revert the commits one by one.')
  return before
}

/** @throws Conflict when all are taken */
function freeName(db: Db, pull: PullRow, issue: IssueRow): string {
  const topic = pull.head_branch
    .replace(/[^\w-]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  const first = topic === '' ? `revert-${issue.number}` : `revert-${issue.number}-${topic}`
  for (let i = 1; i <= MAX_NAMES; i++) {
    const name = i === 1 ? first : `${first}-${i}`
    if (!findRef(db, pull.repo_id, branchRef(name))) return name
  }
  throw new Conflict(`Cannot create a revert branch: too many branches start with "${first}". Delete some of them first.`)
}
