import { actingAlone, atLeast, type RepoAccess, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid, type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { joinActing, readActing } from '#kernel/acting.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Conflict, Problem } from '#kernel/errors.ts'
import { findRef, type MoveRefs, type ObjectWriting, updateRefs, writeObjects } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { accessTo, actElsewhere, actOn, addEntry, announce, change, type Deed, type IssueRow, referencesIn } from '#work/issues/index.ts'
import { settleReviews } from '#work/reviews/index.ts'
import { baseOid, mergeBaseOf } from './facts.ts'
import { amendmentOf, textOf } from './merge-message.ts'
import { type Candidate, findMergeFacts, requireMergeable, requireNoConflict, requireRules } from './merge-rules.ts'
import type { MergeTerms } from './merge-schema.ts'
import { findPush } from './push-store.ts'
import { deleteScheduled } from './scheduled-store.ts'
import { listOpenFrom, updatePull } from './store.ts'
import { takePushes } from './take-pushes.ts'

/**
 * Merges a pull request. Whatever forbids it is asked before the work, and again on the rows of the one transaction in which the base moves, the
 * pull request and the issues that it closes are closed, and its branch goes: of all that at once, or nothing.
 * @param requireStill throws what else has come to forbid it; asked in that transaction
 * @throws as `requireMergeable`; Problem 405 while it is in conflict; Conflict when the base moved meanwhile, or a commit in between is in conflict
 */
export async function mergePull(context: Context, viewer: Viewer, seen: IssueRow, terms: MergeTerms, requireStill?: (tx: Tx) => void): Promise<void> {
  const { user: doer } = requireUser(viewer)
  // Whoever pushes and then merges merges what was pushed.
  await takePushes(context, seen.id)
  const candidate = requireMergeable(context.db, viewer, seen, terms)
  if (terms.style === 'manually-merged') return acceptMerged(context, viewer, candidate, terms)
  const { pull, repo } = candidate
  const { base, status } = await requireNoConflict(context, candidate)
  await settleReviews(context, seen.id)
  const mergeBase = await mergeBaseOf(context, pull)
  const facts = await findMergeFacts(context, candidate, { isOutdated: status !== 'fast-forward', mergeBase })
  requireRules(context.db, viewer, candidate, terms, facts)
  await writeObjects(context, repo.row.id, async (writing) => {
    const tip = await make(context, doer, writing, { ...candidate, base, status }, terms)
    const coming = {
      actorId: doer.id,
      // The merge message can quote the pull request's text, and the token of its last edit is not known.
      acting: candidate.issue.content_version === 0 ? joinActing(actingAlone(viewer), readActing(pull.acting)) : undefined,
      merges: [HEADS + pull.base_branch],
      updates: [{ name: HEADS + pull.base_branch, old: base, new: tip, fastForward: true }],
    }
    await writing.landPrepared(coming, (tx, move) => {
      requireStill?.(tx)
      const now = requireMergeable(tx, viewer, seen, terms)
      if (now.pull.head_oid !== pull.head_oid || findPush(tx, seen.id)) throw new Conflict('head out of date')
      if (now.pull.base_branch !== pull.base_branch || baseOid(tx, now.pull) !== base) throw new Conflict('merge push out of date')
      const isOverride = requireRules(tx, viewer, now, terms, facts)
      const deed: Deed = { context, doer, repo: now.repo, at: context.clock.seconds() }
      settle(tx, deed, now, { merge_base: mergeBase ?? null, merge_oid: tip, merge_onto: base }, terms.isScheduled)
      const [moved] = move({ ...coming, isOverride, message: messageOf(now.issue) })
      if (!moved?.ok) throw new Conflict(`PushRejected with remote message: ${moved?.reason ?? ''}`)
      deleteHead(tx, viewer, deed, now, terms, move)
      closeReferenced(tx, deed, now, tip)
    })
  })
}

/** Makes what the base is to point to. @throws Conflict */
async function make(
  context: Context,
  doer: UserRow,
  writing: ObjectWriting,
  candidate: Candidate & { base: Oid; status: string },
  terms: MergeTerms,
): Promise<Oid> {
  const { base, pull } = candidate
  const head = pull.head_oid
  const text = await textOf(context, doer, candidate, terms)
  if (terms.style === 'merge' || terms.style === 'squash') {
    const merged = await writing.make('mergeBranch', { base, head, style: terms.style, text })
    if (merged.status !== 'done') throw conflictIn(terms)
    return merged.commit
  }
  if (terms.style === 'fast-forward-only') {
    if (candidate.status !== 'fast-forward')
      throw new Problem(409, `Cannot fast-forward ${pull.base_branch}: it has new commits. Update the branch of the pull request first.`)
    await writing.make('nothing', { tips: [head] })
    return head
  }
  const request = { head, onto: base, committer: text.committer }
  const wording = terms.style === 'rebase' ? { amendment: await amendmentOf(context, doer, candidate) } : { text }
  const rebased = await writing.make('rebaseBranch', { request, ...wording })
  if (rebased.status === 'conflict') throw conflictIn(terms, rebased.commit)
  return rebased.merge ?? rebased.tip
}

/** Gitea's answer, without a message. */
function conflictIn({ style }: MergeTerms, commit?: Oid): Problem {
  const extra = { Style: style, StdOut: '', StdErr: '', Err: 'merge conflict', ...(commit === undefined ? {} : { CommitSHA: commit }) }
  return new Problem(409, '', { extra })
}

function settle(tx: Tx, deed: Deed, { issue }: Candidate, merge: { merge_base: Oid | null; merge_oid: Oid; merge_onto?: Oid }, isAutoMerge = false): void {
  const merged = change(tx, deed, issue, { is_closed: 1, closed_at: deed.at, closed_by: deed.doer.id, merged_at: deed.at })
  updatePull(tx, issue.id, { ...merge, merged_by: deed.doer.id })
  deleteScheduled(tx, issue.id)
  addEntry(tx, deed, merged, 'merge_pull', { commit_oid: merge.merge_oid })
  announce(tx, deed, merged, 'merged', { commitOid: merge.merge_oid, isAutoMerge })
}

const messageOf = (issue: IssueRow) => `merge of pull request ${issue.number}`

/** Takes the branch away, when that is asked for and nothing is against it; one that a rule keeps is kept, and the merge stands. */
function deleteHead(tx: Tx, viewer: Viewer, deed: Deed, { pull, repo, issue }: Candidate, { deletesBranch }: MergeTerms, move: MoveRefs): void {
  if (pull.flow === 1 || !(deletesBranch ?? settingsOf(repo.row).default_delete_branch_after_merge)) return
  const isElsewhere = pull.head_repo_id !== repo.row.id
  const home = !isElsewhere ? repo : pull.head_repo_id === null ? undefined : accessTo(tx, viewer, pull.head_repo_id)
  if (!home || !mayDelete(tx, home, pull)) return
  const request = { actorId: deed.doer.id, message: messageOf(issue), updates: [{ name: HEADS + pull.head_branch, old: pull.head_oid, new: SHA1.zero }] }
  const [deleted] = isElsewhere ? updateRefs(deed.context, tx, { ...request, repoId: home.row.id }) : move({ ...request, mergedInto: pull.base_branch })
  if (deleted?.ok) addEntry(tx, deed, issue, 'delete_branch', { old_text: pull.head_branch })
}

/** Other open pull requests, the default branch, and who may not delete it keep a branch. */
export function mayDelete(db: Db, { row, permission }: RepoAccess, { head_branch: branch }: Candidate['pull']): boolean {
  if (branch === row.default_branch || row.archived_at !== null || !atLeast(permission.of('code'), 'write')) return false
  return findRef(db, row.id, HEADS + branch) !== undefined && listOpenFrom(db, row.id, branch).length === 0
}

/**
 * Closes and reopens what the text of the pull request refers to, once the default branch has its changes. In the same repository that needs the
 * rights of the person who merges, as in Gitea; in other repositories those of the last writer of the text.
 */
function closeReferenced(tx: Tx, deed: Deed, { issue, pull, repo }: Candidate, oid: Oid): void {
  if (pull.base_branch !== repo.row.default_branch) return
  for (const reference of referencesIn(tx, deed, issue.repo_id, `${issue.title}\n${issue.body}`)) actOn(tx, deed, issue.repo_id, reference, oid)
  actElsewhere(tx, deed, issue, oid)
}

/** Somebody merged it without us: the commit is in the base already. @throws Problem 409 when it is not */
async function acceptMerged(context: Context, viewer: Viewer, { pull, issue, repo }: Candidate, terms: MergeTerms): Promise<void> {
  const { user: doer } = requireUser(viewer)
  const base = baseOid(context.db, pull)
  const commit = terms.mergeOid
  if (base === undefined || commit === undefined || !isOid(commit) || !(await isIn(context, repo.row.id, commit, base))) throw new Problem(409, '')
  const mergeBase = (await mergeBaseOf(context, pull)) ?? null
  context.db.tx((tx) => {
    const now = requireMergeable(tx, viewer, issue, terms)
    if (baseOid(tx, now.pull) !== base) throw new Conflict('merge push out of date')
    const deed: Deed = { context, doer, repo: now.repo, at: context.clock.seconds() }
    settle(tx, deed, now, { merge_base: mergeBase, merge_oid: commit })
    closeReferenced(tx, deed, now, commit)
  })
}

async function isIn(context: Pick<Context, 'git'>, repoId: number, ancestor: Oid, commit: Oid): Promise<boolean> {
  if (context.git.storeOf(repoId).findHeader(ancestor)?.type !== 'commit') return false
  return context.git.run('isAncestor', repoId, { ancestor, commit })
}
