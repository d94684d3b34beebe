import { atLeast, type RepoAccess, refuseBlocked, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { BadRequest, Conflict, Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { findRef, type RefRow, updateRefs } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { findIssueById, type IssueRow, open, plan, refuseArchived } from '#work/issues/index.ts'
import { findMilestone } from '#work/milestones/index.ts'
import { headRef } from './refs.ts'
import type { CreatePullRequestOption } from './schema.ts'
import { type Between, findOpen, insertPull } from './store.ts'

/**
 * Asks for a branch to be merged into another one.
 * @throws Locked in an archived repository; Forbidden when the owner blocked the author, or who cannot read the code; NotFound for a branch or
 * milestone that is not there; Conflict when one between the same branches is open; Unprocessable when both are the same, and for an assignee
 * who cannot be one
 */
export function createPull(context: Context, viewer: Viewer, repo: RepoAccess, asked: CreatePullRequestOption): IssueRow {
  const { user: doer } = requireUser(viewer)
  refuseArchived(repo)
  if (!atLeast(repo.permission.of('code'), 'read')) throw new Forbidden('You may not read the code of this repository.')
  return context.db.tx((tx) => {
    refuseBlocked(tx, repo.owner.id, doer.id)
    const base = getBranch(tx, repo, asked.base)
    const head = getBranch(tx, repo, branchOf(repo, asked.head))
    const between = branchesOf(repo, base, head)
    refuseSame(between)
    refuseDuplicate(tx, between)
    if (asked.milestone && !findMilestone(tx, repo.row.id, asked.milestone)) throw new NotFound('milestone does not exist')
    const deed = { context, doer, repo, at: context.clock.seconds() }
    const issue = open(tx, deed, { title: asked.title, body: asked.body ?? '', ref: '', is_pull: 1 })
    const mayEdit = asked.allow_maintainer_edit ?? settingsOf(repo.row).default_allow_maintainer_edit
    insertPull(tx, { issue_id: issue.id, ...between, allow_maintainer_edit: Number(mayEdit) })
    keepHead(context, tx, doer.id, issue, head)
    plan(tx, deed, issue, asked)
    return findIssueById(tx, issue.id) as IssueRow
  })
}

function branchesOf({ row }: RepoAccess, base: RefRow, head: RefRow) {
  const [base_branch, head_branch] = [base.name.slice(HEADS.length), head.name.slice(HEADS.length)]
  return { repo_id: row.id, base_branch, head_repo_id: row.id, head_branch, head_oid: head.oid }
}

export function refuseSame(pull: Between): void {
  if (pull.repo_id !== pull.head_repo_id || pull.base_branch !== pull.head_branch) return
  throw new Unprocessable('Invalid PullRequest: There are no changes between the head and the base')
}

/** @throws Conflict when one between these branches is open */
export function refuseDuplicate(db: Db, between: Between): void {
  const other = findOpen(db, between)
  if (!other) return
  const { issue_id, head_repo_id, repo_id, head_branch, base_branch } = other
  throw new Conflict(
    `pull request already exists for these targets [id: ${issue_id}, issue_id: ${issue_id}, head_repo_id: ${head_repo_id}, base_repo_id: ${repo_id}, head_branch: ${head_branch}, base_branch: ${base_branch}]`,
  )
}

/** From now on stock git can fetch the changes, whatever becomes of their branch. */
export function keepHead(context: Context, tx: Tx, actorId: number, issue: IssueRow, head: Pick<RefRow, 'oid'>): void {
  const update = { name: headRef(issue.number), new: head.oid, fastForward: true }
  const [result] = updateRefs(context, tx, { repoId: issue.repo_id, actorId, message: 'pull request', updates: [update], isOwn: true })
  if (!result?.ok) throw new Problem(500, `Cannot keep the head of pull request ${issue.number}: ${result?.reason ?? 'no result'}`)
}

/** The branch that `owner:branch`, `owner/repo:branch` or just its name stands for. @throws BadRequest for one of another repository */
export function branchOf({ owner, row }: RepoAccess, head: string): string {
  const colon = head.indexOf(':')
  if (colon < 0) return head
  const place = head.slice(0, colon).toLowerCase()
  if (place === owner.lower_name || place === `${owner.lower_name}/${row.lower_name}`) return head.slice(colon + 1)
  throw new BadRequest(`Invalid: ${head.slice(0, colon)} has no fork of ${owner.name}/${row.name}`)
}

/** @throws Unprocessable for a tag or commit; NotFound */
function getBranch(db: Db, { row }: RepoAccess, name: string): RefRow {
  const ref = findRef(db, row.id, HEADS + name)
  if (ref && ref.oid !== SHA1.zero) return ref
  if (/^[0-9a-f]{40}$/.test(name) || findRef(db, row.id, `refs/tags/${name}`)) throw new Unprocessable(`"${name.slice(0, 200)}" is not a branch`)
  throw new NotFound(`branch does not exist [repo_id: ${row.id} name: ${name.slice(0, 200)}]`)
}
