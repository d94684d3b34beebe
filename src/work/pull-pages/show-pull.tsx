import type { RepoAccess } from '#access/index.ts'
import { showCommits } from '#code/commits/index.ts'
import { missingChecks } from '#code/protection/index.ts'
import { Checks, totalOf } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Pager, RepoFrame, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { listPullCommits, type PullRow, type StackedPull } from '#work/pulls/index.ts'
import { showThread } from '#work/threads/index.ts'
import { BaseForm } from './base-form.tsx'
import { MaintainerEdits } from './maintainer-edits.tsx'
import { DraftButton, MergeBox } from './merge-box.tsx'
import { outlookOf } from './outlook.ts'
import { findPullFacts } from './pull-facts.ts'
import { PullHead, type PullTab } from './pull-head.tsx'
import { panelOf, ReviewPanel } from './review-panel.tsx'
import { remarksOf } from './review-remarks.tsx'
import { type SuggestionDraft, Suggestions } from './suggestions.tsx'
import { countTabs, readTabs, type TabCounts } from './tab-counts.ts'

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
  const facts = await findPullFacts(context, visit, repo, issue)
  const { pull, rule, stack, checks, checkCounts, known } = facts
  const [outlook, counts] = await Promise.all([
    outlookOf(context, visit, { issue, pull, repo, rule }, facts),
    countTabs(context, issue, pull, { base: facts.baseTip, pushes: facts.pushes, checks: totalOf(checkCounts) }),
  ])
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const mayChange = outlook.mayEdit && issue.is_closed === 0
  const base = mayChange ? <BaseForm address={address} pull={pull} /> : undefined
  const aside = mayChange ? [<MaintainerEdits visit={visit} address={address} pull={pull} />, !outlook.isDraft && <DraftButton address={address} />] : undefined
  const head = <PullHead visit={visit} address={address} pull={pull} tab="conversation" counts={counts} stack={stack} base={base} />
  const panel = panelOf(context, visit, repo, issue, facts)
  const missing = rule && known.checks && issue.is_closed === 0 ? missingChecks(rule, known.checks) : []
  const more = checks.length < totalOf(checkCounts) && (
    <a href={`${visit.to`/${repo.owner.name}/${repo.row.name}/commit/${pull.head_oid}`}#checks`}>{`Show all ${totalOf(checkCounts)} checks`}</a>
  )
  const suggestions = new Suggestions(address, true, shown.suggestions)
  const foot = () => [
    suggestions.gathered(),
    <ReviewPanel visit={visit} address={address} panel={panel} error={shown.reviewing} />,
    <Checks visit={visit} counts={checkCounts} statuses={checks} missing={missing} more={more} />,
    <MergeBox visit={visit} address={address} issue={issue} pull={pull} outlook={outlook} error={shown.error} />,
  ]
  const remarks = (reviewIds: readonly number[]) => remarksOf(context, visit, repo, issue, { reviewIds, suggestions, rule })
  return showThread(context, visit, repo, issue, { page: shown.page, head, aside, foot, remarks, verdicts: panel.verdicts })
}

/** Its commits, newest first. */
export async function showPullCommits(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'rootUrl' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  asked: string | undefined,
): Promise<Response> {
  const page = parsePage({ page: asked }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { pull, stack, counts } = await readTabs(context, repo, issue)
  const { commits, total } = await listPullCommits(context, pull, page, { stat: 'false', files: 'false' })
  const list = await showCommits(context, visit, repo, commits)
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="commits" counts={counts} stack={stack}>
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
  counts: TabCounts
  stack?: readonly StackedPull[]
  children: Parameters<typeof RepoFrame>[0]['children']
}

export function PullFrame({ visit, repo, issue, pull, tab, counts, stack = [], children }: FrameProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="pulls" title={`${issue.title} · #${issue.number}`}>
      <h2 class="pull-title">
        <span dir="auto">{issue.title}</span> <span class="faint">{`#${issue.number}`}</span>
      </h2>
      <PullHead
        visit={visit}
        address={visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`}
        pull={pull}
        tab={tab}
        counts={counts}
        stack={stack}
      />
      {children}
    </RepoFrame>
  )
}
