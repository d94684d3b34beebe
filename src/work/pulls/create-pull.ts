import {
  accessStore,
  actingAlone,
  atLeast,
  type RepoAccess,
  recheckAccount,
  refuseArchived,
  refuseBlocked,
  requireUser,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { joinActing, writeActing } from '#kernel/acting.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { getHead, parseHead } from '#repositories/forks/index.ts'
import { findActing, findRef, type MoveRefs, type RefRow, updateRefs, writeObjects } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { accessTo, addEntry, type Deed, findIssueById, type IssueRow, open, plan } from '#work/issues/index.ts'
import { findMilestone } from '#work/milestones/index.ts'
import { askCodeOwners, askReviewers } from '#work/reviews/index.ts'
import { hidingOf } from './hiding.ts'
import { insertPush } from './push-store.ts'
import { headRef } from './refs.ts'
import { finishRenames } from './rename-branch.ts'
import type { CreatePullRequestOption } from './schema.ts'
import { type Between, findOpen, insertPull } from './store.ts'

type Also = (tx: Tx, issue: IssueRow) => void

/**
 * Asks for a branch to be merged into another one, which may be in another repository of the family.
 * @throws Locked in an archived repository; Forbidden when the owner blocked the author, who cannot read the code, or who is a stranger to both
 * repositories; NotFound for a branch, a head's owner or a milestone that is not there; BadRequest for an owner without a fork; Conflict when one between the same branches is open;
 * Unprocessable when both are the same, and for an assignee or reviewer who cannot be one
 * @param also what is written with it
 */
export async function createPull(context: Context, viewer: Viewer, repo: RepoAccess, asked: CreatePullRequestOption, also?: Also): Promise<IssueRow> {
  const issue = await openPull(context, viewer, repo, asked, also)
  await askCodeOwners(context, issue.id)
  return findIssueById(context.db, issue.id) ?? issue
}

async function openPull(context: Context, viewer: Viewer, repo: RepoAccess, asked: CreatePullRequestOption, also?: Also): Promise<IssueRow> {
  const { db } = context
  const { home, head } = judge(db, viewer, repo, asked)
  const { id: repoId } = repo.row
  if (home.row.id === repoId) {
    return db.tx((tx) => {
      const move: MoveRefs = (request) => updateRefs(context, tx, { ...request, repoId })
      return insert(context, tx, judge(tx, viewer, repo, asked), { asked, move, also })
    })
  }
  return writeObjects(context, repoId, async (writing) => {
    await writing.bring(home.row.id, [head.oid])
    return writing.land((tx, move) => {
      const now = judge(tx, viewer, repo, asked)
      if (now.home.row.id !== home.row.id) throw new Conflict('The head repository changed while the pull request was being created. Try again.')
      return insert(context, tx, { ...now, brought: head.oid }, { asked, move, also })
    })
  })
}

interface Judged {
  viewer: Viewer
  repo: RepoAccess
  /** Where the head is. */
  home: RepoAccess
  base: RefRow
  head: RefRow
  /** The head whose objects are there; undefined for that of a branch of the repository itself. */
  brought?: Oid
}

/** All that may stand against it, on the rows of now: asked before the work, and again in the transaction that lands it. */
function judge(db: Db, viewer: Viewer, seen: RepoAccess, asked: CreatePullRequestOption): Judged {
  const { user: doer } = requireUser(viewer)
  recheckAccount(db, doer)
  const repo = accessTo(db, viewer, seen.row.id)
  if (!repo || !atLeast(repo.permission.of('pulls'), 'read')) throw new NotFound()
  refuseArchived(repo)
  if (!atLeast(repo.permission.of('code'), 'read')) throw new Forbidden('You do not have permission to read the code of this repository.')
  refuseBlocked(db, repo.owner.id, doer.id)
  const base = getBranch(db, repo, asked.base)
  const { repo: home, ref } = getHead(db, viewer, repo, parseHead(asked.head))
  const judged = { viewer, repo, home, base, head: getBranch(db, home, ref) }
  const between = betweenOf(judged)
  refuseSame(between)
  refuseDuplicate(db, between)
  if (asked.milestone && !findMilestone(db, repo.row.id, asked.milestone)) throw new NotFound('milestone does not exist')
  if (!mayOpenBetween(db, doer, repo, home)) throw new Forbidden('user must be a collaborator')
  return judged
}

/** Returns true for collaborators and team members of the base's repository, and for people who can write to the head's repository, as in Gitea. */
export function mayOpenBetween(db: Db, user: UserRow, base: RepoAccess, home: RepoAccess): boolean {
  if (base.permission.level === 'owner' || atLeast(home.permission.of('code'), 'write')) return true
  if (accessStore.findCollaboration(db, base.row.id, user.id) !== undefined) return true
  return accessStore.listTeamGrants(db, user.id, [base.row.id]).some(({ administers, unit }) => administers === 1 || unit === 'code')
}

function betweenOf({ repo, home, base, head }: Judged): Between & { head_repo_id: number } {
  const [base_branch, head_branch] = [base.name.slice(HEADS.length), head.name.slice(HEADS.length)]
  return { repo_id: repo.row.id, base_branch, head_repo_id: home.row.id, head_branch, flow: 0 }
}

interface Insertion {
  asked: CreatePullRequestOption
  move: MoveRefs
  also: Also | undefined
}

function insert(context: Context, tx: Tx, judged: Judged, { asked, move, also }: Insertion): IssueRow {
  const { viewer, repo, home, base, head, brought = head.oid } = judged
  const { user: doer } = requireUser(viewer)
  finishRenames(tx, repo.row.id, home.row.id)
  refuseDuplicate(tx, betweenOf(judged))
  const deed = { context, doer, repo, at: context.clock.seconds(), elsewhere: [viewer] }
  const issue = open(tx, deed, { title: asked.title, body: asked.body ?? '', ref: '', is_pull: 1 })
  const acting = writeActing(joinActing(actingAlone(viewer), findActing(tx, home.row.id, head)))
  insertPull(tx, {
    issue_id: issue.id,
    ...betweenOf(judged),
    head_oid: brought,
    head_hiding: hidingOf(tx, home.row),
    acting,
    ...editsOf(judged, doer.id, asked),
  })
  keepHead(move, doer.id, issue, brought)
  if (brought !== base.oid) addFirstPush(tx, deed, issue, brought)
  // What was pushed while the objects were brought follows.
  if (brought !== head.oid) insertPush(tx, { issue_id: issue.id, head_oid: head.oid, actor_id: doer.id, created_at: deed.at, acting: null })
  plan(tx, deed, issue, asked)
  askReviewers(tx, viewer, deed, issue, asked)
  also?.(tx, issue)
  return findIssueById(tx, issue.id) as IssueRow
}

/** Only who may push to the head can let others do so. */
function editsOf({ repo, home }: Judged, doerId: number, asked: CreatePullRequestOption) {
  const isAllowed = (asked.allow_maintainer_edit ?? settingsOf(repo.row).default_allow_maintainer_edit) && mayLetEdit(home, repo.row.id)
  return { allow_maintainer_edit: Number(isAllowed), edits_allowed_by: isAllowed ? doerId : null }
}

/** Within one repository it is nothing that anybody would not have anyway. */
function mayLetEdit(home: RepoAccess, repoId: number): boolean {
  return home.row.id === repoId || atLeast(home.permission.of('code'), 'write')
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
export function keepHead(move: MoveRefs, actorId: number, issue: IssueRow, oid: Oid): void {
  const update = { name: headRef(issue.number), new: oid, fastForward: true }
  const [result] = move({ actorId, message: 'pull request', updates: [update], isOwn: true })
  if (!result?.ok) throw new Problem(500, `Cannot store the head ref of pull request ${issue.number}: ${result?.reason ?? 'no result'}`)
}

export function addFirstPush(tx: Tx, deed: Deed, issue: IssueRow, oid: Oid): void {
  addEntry(tx, deed, issue, 'first_push', { body: JSON.stringify({ is_force_push: false, commit_ids: [oid] }) })
}

/** @throws Unprocessable for a tag or commit; NotFound */
function getBranch(db: Db, { row }: RepoAccess, name: string): RefRow {
  const ref = findRef(db, row.id, HEADS + name)
  if (ref && ref.oid !== SHA1.zero) return ref
  if (/^[0-9a-f]{40}$/.test(name) || findRef(db, row.id, `refs/tags/${name}`)) throw new Unprocessable(`"${name.slice(0, 200)}" is not a branch`)
  throw new NotFound(`branch does not exist [repo_id: ${row.id} name: ${name.slice(0, 200)}]`)
}
