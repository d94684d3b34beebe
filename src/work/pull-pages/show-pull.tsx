import type { RepoAccess } from '#access/index.ts'
import { CommitList } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { answerPage, mendable, Pager, RepoFrame, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import {
  type Candidate,
  findMergeFacts,
  findScheduled,
  getPullRow,
  listPullCommits,
  type MergeStyle,
  mergeBaseOf,
  type PullRow,
  requireMerger,
  requireNoConflict,
  requireRules,
  requireStyle,
  type StackedPull,
  stackOf,
} from '#work/pulls/index.ts'
import { settleReviews } from '#work/reviews/index.ts'
import { showThread } from '#work/threads/index.ts'
import { MergeBox, type Outlook, styleNames } from './merge-box.tsx'
import { PullHead, type PullTab } from './pull-head.tsx'
import { panelOf, ReviewPanel } from './review-panel.tsx'
import { remarksOf } from './review-remarks.tsx'

const PAGE_SIZE = 50

/** A pull request as the conversation that it is, with the box that merges it. */
export async function showPull(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, page?: string, error?: string): Promise<Response> {
  const pull = getPullRow(context.db, issue)
  const outlook = await outlookOf(context, visit, { issue, pull, repo })
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const head = <PullHead visit={visit} address={address} pull={pull} tab="conversation" stack={stackOf(context.db, repo.row, pull)} />
  const foot = [
    <ReviewPanel address={address} panel={panelOf(context, visit, repo, issue)} />,
    <MergeBox address={address} issue={issue} pull={pull} outlook={outlook} error={error} />,
  ]
  return showThread(context, visit, repo, issue, { page, head, foot, remarks: await remarksOf(context, visit, repo, issue) })
}

/** Whether the viewer could merge it, how, and what is in the way. */
async function outlookOf(context: Context, { viewer }: Visit, candidate: Candidate): Promise<Outlook> {
  const { issue, pull, repo } = candidate
  const settings = settingsOf(repo.row)
  const usual = settings.default_merge_style
  const common = { isScheduled: findScheduled(context.db, issue.id) !== undefined, deletesBranch: settings.default_delete_branch_after_merge }
  const inTheWay = reasonOf(() => requireMerger(context.db, viewer, candidate))
  if (inTheWay !== undefined) return { styles: [], obstacle: inTheWay, ...common }
  const objectionTo = (style: MergeStyle) => reasonOf(() => requireStyle(candidate, { style, headOid: undefined }))
  const styles = (Object.keys(styleNames) as MergeStyle[]).filter((style) => objectionTo(style) === undefined)
  const [first] = styles.toSorted((a, b) => Number(b === usual) - Number(a === usual))
  if (first === undefined) return { styles, obstacle: objectionTo(usual), ...common }
  const status = await statusOf(context, candidate)
  if (status === undefined)
    return { styles: [], obstacle: 'Its changes are in conflict with the branch, or the branch has them already.', isContrary: true, ...common }
  await settleReviews(context, issue.id)
  const facts = await findMergeFacts(context, candidate, { status, mergeBase: await mergeBaseOf(context, pull) })
  const judge = (isForced: boolean) => reasonOf(() => requireRules(context.db, viewer, candidate, { style: first, isForced }, facts))
  const objection = judge(false)
  if (objection !== undefined && judge(true) !== undefined) return { styles: [], obstacle: objection, ...common }
  return { styles: [first, ...styles.filter((style) => style !== first)], obstacle: objection, ...common }
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

/** How the merge would end; undefined when it cannot. */
async function statusOf(context: Context, candidate: Candidate) {
  try {
    return (await requireNoConflict(context, candidate)).status
  } catch (error) {
    mendable(error)
    return undefined
  }
}

/** Its commits, newest first. */
export async function showPullCommits(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, asked: string | undefined): Promise<Response> {
  const page = parsePage({ page: asked }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const pull = getPullRow(context.db, issue)
  const { commits, total } = await listPullCommits(context, pull, page, { stat: 'false', files: 'false' })
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="commits" stack={stackOf(context.db, repo.row, pull)}>
      <CommitList visit={visit} repo={repo} commits={commits} />
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
      <h2>
        {issue.title} <span class="faint">{`#${issue.number}`}</span>
      </h2>
      <PullHead visit={visit} address={visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`} pull={pull} tab={tab} stack={stack} />
      {children}
    </RepoFrame>
  )
}
