import type { RepoAccess } from '#access/index.ts'
import { showCommits } from '#code/commits/index.ts'
import { ruleFor } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { answerPage, mendable, Pager, RepoFrame, type Visit } from '#web/index.ts'
import { type IssueRow, isPoster, isWriter } from '#work/issues/index.ts'
import {
  type Candidate,
  commonOf,
  findMergeFacts,
  findScheduled,
  getPullRow,
  listPullCommits,
  type MergeStyle,
  mayDelete,
  mayRevert,
  type PullRow,
  proposedTitles,
  requireMerger,
  requireNoConflict,
  requireRules,
  requireStyle,
  type StackedPull,
  stackOf,
} from '#work/pulls/index.ts'
import { settleReviews } from '#work/reviews/index.ts'
import { showThread } from '#work/threads/index.ts'
import { Checks, checkMarks, checksOf } from './checks.tsx'
import { MergeBox, type Outlook, styleNames } from './merge-box.tsx'
import { PullHead, type PullTab } from './pull-head.tsx'
import { panelOf, ReviewPanel } from './review-panel.tsx'
import { remarksOf } from './review-remarks.tsx'
import { type SuggestionDraft, Suggestions } from './suggestions.tsx'

const PAGE_SIZE = 50

interface Shown {
  page?: string | undefined
  /** Why a try to merge it did not succeed. */
  error?: string
  /** Why nobody was asked for a review, or no review was dismissed. */
  reviewing?: string
  /** What was not committed. */
  suggestions?: SuggestionDraft
}

/** A pull request as the conversation that it is, with the box that merges it. */
export async function showPull(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, shown: Shown = {}): Promise<Response> {
  // Where comments stand is told as it is now.
  await settleReviews(context, issue.id)
  const pull = getPullRow(context.db, issue)
  const outlook = await outlookOf(context, visit, { issue, pull, repo, rule: ruleFor(context.db, pull.repo_id, pull.base_branch) })
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const head = <PullHead visit={visit} address={address} pull={pull} tab="conversation" stack={stackOf(context.db, repo.row, pull)} />
  const panel = panelOf(context, visit, repo, issue)
  const suggestions = new Suggestions(address, true, shown.suggestions)
  const foot = () => [
    suggestions.gathered(),
    <ReviewPanel visit={visit} address={address} panel={panel} error={shown.reviewing} />,
    <Checks visit={visit} checks={checksOf(context.db, pull)} />,
    <MergeBox address={address} issue={issue} pull={pull} outlook={outlook} error={shown.error} />,
  ]
  const remarks = (reviewIds: readonly number[]) => remarksOf(context, visit, repo, issue, { reviewIds, suggestions })
  return showThread(context, visit, repo, issue, { page: shown.page, head, foot, remarks, verdicts: panel.verdicts })
}

/** Whether the viewer could merge it, how, and what is in the way; of a closed one, whether its branch could go. */
async function outlookOf(context: Context, { viewer }: Visit, candidate: Candidate): Promise<Outlook> {
  const { issue, pull, repo } = candidate
  const settings = settingsOf(repo.row)
  const mayEdit = viewer.user !== undefined && (isPoster(viewer, issue) || isWriter(repo, issue))
  const outlook: Outlook = {
    ...{ styles: [], obstacle: undefined, titles: {}, mayEdit, mayUpdate: false, mayDelete: false, mayRevert: false, isScheduled: false },
    deletesBranch: settings.default_delete_branch_after_merge,
  }
  const { user } = viewer
  if (issue.is_closed === 1) {
    const isDeletable = user !== undefined && isOwnBranch(pull) && mayDelete(context.db, repo, pull)
    return { ...outlook, mayDelete: isDeletable, mayRevert: mayRevert(viewer, repo, issue) }
  }
  outlook.isScheduled = findScheduled(context.db, issue.id) !== undefined
  outlook.mayUpdate = user !== undefined && pull.flow === 0
  const inTheWay = reasonOf(() => requireMerger(context.db, viewer, candidate))
  if (inTheWay !== undefined) return { ...outlook, obstacle: inTheWay }
  const usual = settings.default_merge_style
  const objectionTo = (style: MergeStyle) => reasonOf(() => requireStyle(candidate, { style, headOid: undefined }))
  const styles = (Object.keys(styleNames) as MergeStyle[]).filter((style) => objectionTo(style) === undefined)
  const [first] = styles.toSorted((a, b) => Number(b === usual) - Number(a === usual))
  if (first === undefined) return { ...outlook, obstacle: objectionTo(usual) }
  const merge = await mergeOf(context, candidate)
  if (merge === undefined) return { ...outlook, obstacle: 'its changes are in conflict with the branch, or the branch has them already.', isContrary: true }
  outlook.mayUpdate &&= merge.status !== 'fast-forward'
  const facts = await findMergeFacts(context, candidate, { status: merge.status, mergeBase: await commonOf(context, pull.repo_id, merge.base, pull.head_oid) })
  const judge = (isForced: boolean) => reasonOf(() => requireRules(context.db, viewer, candidate, { style: first, isForced }, facts))
  const objection = judge(false)
  if (objection !== undefined && judge(true) !== undefined) return { ...outlook, obstacle: objection }
  const titles = user === undefined ? {} : await proposedTitles(context, user, candidate, styles)
  return { ...outlook, styles: [first, ...styles.filter((style) => style !== first)], obstacle: objection, titles }
}

/** Not a fork's, whose owner decides. */
function isOwnBranch({ repo_id, head_repo_id, flow }: PullRow): boolean {
  return repo_id === head_repo_id && flow === 0
}

/** What somebody is told who tries. */
function reasonOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}

/** Into what it would be merged, and how that would end; undefined when it cannot. */
async function mergeOf(context: Pick<Context, 'db' | 'git' | 'services'>, candidate: Candidate) {
  try {
    return await requireNoConflict(context, candidate)
  } catch (error) {
    mendable(error)
    return undefined
  }
}

/** Its commits, newest first. */
export async function showPullCommits(
  context: Pick<Context, 'db' | 'git' | 'rootUrl' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  asked: string | undefined,
): Promise<Response> {
  const page = parsePage({ page: asked }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const pull = getPullRow(context.db, issue)
  const { commits, total } = await listPullCommits(context, pull, page, { stat: 'false', files: 'false' })
  const oids = commits.map(({ oid }) => oid)
  const list = await showCommits(context, visit, repo, commits, checkMarks(context.db, visit, repo.row.id, oids))
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="commits" stack={stackOf(context.db, repo.row, pull)}>
      {list}
      <Pager visit={visit} page={page satisfies Page} total={total} />
    </PullFrame>,
  )
}

interface FrameProps {
  visit: Visit
  repo: RepoAccess
  issue: IssueRow
  pull: PullRow
  tab: PullTab
  stack?: readonly StackedPull[]
  children: Parameters<typeof RepoFrame>[0]['children']
}

export function PullFrame({ visit, repo, issue, pull, tab, stack = [], children }: FrameProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="pulls" title={`${issue.title} · #${issue.number}`}>
      <h2 class="pull-title">
        {issue.title} <span class="faint">{`#${issue.number}`}</span>
      </h2>
      <PullHead visit={visit} address={visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`} pull={pull} tab={tab} stack={stack} />
      {children}
    </RepoFrame>
  )
}
