import { accessStore, atLeast, permissionIn, type RepoAccess, recheckAccount, refuseArchived, type Viewer } from '#access/index.ts'
import { type BranchRule, checksPass, findProtectedFile, mayBypass, mayMerge, ruleFor } from '#code/protection/index.ts'
import type { StatusRow } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { Mergeability } from '#git/merge/branch-merge.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, NotFound, Problem } from '#kernel/errors.ts'
import { type RepoSettings, settingsOf } from '#repositories/repos/index.ts'
import { findIssueById, type IssueRow, isDraft } from '#work/issues/index.ts'
import { findObjections, type ReviewStanding } from '#work/reviews/index.ts'
import { baseOid, mergeStatus } from './facts.ts'
import { getPullRow } from './find-pull.ts'
import type { MergeStyle, MergeTerms } from './merge-schema.ts'
import type { PullRow } from './store.ts'

/** A pull request as it is, in a repository as it is. */
export interface Candidate {
  issue: IssueRow
  pull: PullRow
  repo: RepoAccess
  /** The one for its base. */
  rule: BranchRule | undefined
}

/** What Gitea answers to a merge that cannot be. */
function notAllowed(message: string): Problem {
  return new Problem(405, message)
}

const switches = {
  merge: 'allow_merge_commits',
  rebase: 'allow_rebase',
  'rebase-merge': 'allow_rebase_explicit',
  squash: 'allow_squash_merge',
  'fast-forward-only': 'allow_fast_forward_only_merge',
  'manually-merged': 'allow_manual_merge',
} as const satisfies Record<MergeStyle, keyof RepoSettings>

/**
 * The pull request as the rows have it now, when it may be merged: asked before the work, and again in the transaction that lands it.
 * @throws NotFound when it is closed or gone; Locked in an archived repository; Conflict when its head is not what was asked for;
 * Problem 405 otherwise
 */
export function requireMergeable(db: Db, viewer: Viewer, seen: IssueRow, terms: Pick<MergeTerms, 'style' | 'headOid'>): Candidate {
  if (viewer.user) recheckAccount(db, viewer.user)
  const candidate = candidateOf(db, viewer, seen.id)
  requireMerger(db, viewer, candidate)
  requireStyle(candidate, terms)
  return candidate
}

/** Whether it could be merged by anybody, and by the viewer, in whatever style. @throws as `requireMergeable` */
export function requireMerger(db: Db, viewer: Viewer, candidate: Candidate): void {
  const { issue, repo, rule } = candidate
  refuseArchived(repo)
  if (issue.merged_at !== null) throw notAllowed('The PR is already merged')
  if (issue.is_closed === 1) throw new NotFound()
  if (!mayMerge(db, rule, actorOf(viewer, candidate))) throw notAllowed('User not allowed to merge PR')
}

/** Whether it could be merged in a style; no row is read. @throws Problem 405; Conflict when its head is not what was asked for */
export function requireStyle({ issue, pull, repo }: Candidate, { style, headOid }: Pick<MergeTerms, 'style' | 'headOid'>): void {
  if (!settingsOf(repo.row)[switches[style]]) throw notAllowed(`${style} is not allowed an allowed merge style for this repository`)
  if (style === 'manually-merged') return
  if (isDraft(issue.title)) throw notAllowed('Work in progress PRs cannot be merged')
  if (headOid !== undefined && headOid !== pull.head_oid) throw new Conflict('head out of date')
}

/** What the rule for its branch asks of a merge and rows do not tell. */
export interface MergeFacts {
  /** The base has commits that the head lacks. */
  isOutdated: boolean
  /** The patterns that its files were held against, and one that they protect. */
  patterns: string
  protectedFile: string | undefined
  /** What is known already of rows: to show it, not in the transaction that merges. */
  known?: KnownRows
}

interface KnownRows {
  reviews: ReviewStanding | undefined
  /** The newest of each context of the head. */
  checks: readonly StatusRow[] | undefined
}

/** @param mergeBase what its changes are counted from */
export async function findMergeFacts(
  context: Pick<Context, 'git' | 'services'>,
  { pull, rule }: Candidate,
  { isOutdated, mergeBase }: { isOutdated: boolean; mergeBase: Oid | undefined },
): Promise<MergeFacts> {
  const patterns = rule?.protected_file_patterns ?? ''
  const protectedFile = await findProtectedFile(context, pull.repo_id, patterns, mergeBase, pull.head_oid)
  return { isOutdated, patterns, protectedFile }
}

/** What a merge makes itself is not signed: there is no key to do so. */
const unsigned = new Set<MergeStyle>(['merge', 'squash', 'rebase-merge'])

/**
 * Whatever the rule for its branch asks for, before the work, and again in the transaction that lands it; the commits and files that it brings to the
 * branch are judged as those of a push are, when it moves. Who may pass over the rule does when they say so.
 * @returns whether they do
 * @throws Problem 405
 */
export function requireRules(
  db: Db,
  viewer: Viewer,
  candidate: Candidate,
  { isForced = false, style }: Pick<MergeTerms, 'isForced' | 'style'>,
  facts: MergeFacts,
): boolean {
  const { rule } = candidate
  if (!rule) return false
  if (rule.require_signed_commits === 1 && unsigned.has(style))
    throw notAllowed('This branch requires signed commits, but the server does not sign the commits that it creates')
  if (isForced && mayBypass(db, rule, actorOf(viewer, candidate))) return true
  const broken = brokenRules(db, candidate, facts).next().value
  if (broken !== undefined) throw notAllowed(broken)
  return false
}

/** What the rule for its branch asks for and it has not, in Gitea's words and order: looked for as far as somebody asks for more. */
export function* brokenRules(db: Db, { issue, pull, rule }: Candidate, facts: MergeFacts): Generator<string, undefined> {
  if (!rule) return
  if (!checksPass(db, rule, pull.head_oid, facts.known?.checks)) yield 'Not all required status checks successful'
  yield* findObjections(db, issue.id, rule, facts.known?.reviews)
  if (rule.block_on_outdated_branch === 1 && facts.isOutdated) yield 'The head branch is behind the base branch'
  const isJudged = facts.patterns === rule.protected_file_patterns
  if (isJudged && facts.protectedFile !== undefined) yield `Changed protected files: ${facts.protectedFile.slice(0, 1000)}`
}

function actorOf({ user }: Viewer, { repo: { permission } }: Pick<Candidate, 'repo'>) {
  return { id: user?.id ?? 0, canWrite: atLeast(permission.of('code'), 'write'), isAdmin: atLeast(permission.level, 'admin') }
}

/** @throws NotFound when it is gone, or its repository */
export function candidateOf(db: Db, viewer: Viewer, issueId: number): Candidate {
  const issue = findIssueById(db, issueId)
  const row = issue && accessStore.findRepoById(db, issue.repo_id)
  const owner = row && accessStore.findUserById(db, row.owner_id)
  if (!issue || !row || !owner) throw new NotFound()
  const pull = getPullRow(db, issue)
  const rule = ruleFor(db, pull.repo_id, pull.base_branch)
  return { issue, pull, rule, repo: { row, owner, permission: permissionIn(db, viewer, row, owner) } }
}

/** Where the base is, and how a merge into it would end. @throws Problem 405 when the base is gone, or it would be in conflict or bring nothing */
export async function requireNoConflict(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  { pull, repo }: Candidate,
): Promise<{ base: Oid; status: Mergeability['status'] }> {
  const base = baseOid(context.db, pull)
  const status = base === undefined ? 'failed' : await mergeStatus(context, repo.row, base, pull.head_oid)
  if (base === undefined || status === 'conflict' || status === 'failed' || status === 'up-to-date') throw notAllowed('Please try again later')
  return { base, status }
}
