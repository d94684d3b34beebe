import type { RepoAccess } from '#access/index.ts'
import { CommitList, readDiff, renderDiff } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { answerPage, Pager, RepoFrame, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { findScheduled, getPullRow, listPullCommits, type MergeStyle, type PullRow, requireMergeable, requireNoConflict, serveText } from '#work/pulls/index.ts'
import { showThread } from '#work/threads/index.ts'
import { MergeBox, type Outlook, styleNames } from './merge-box.tsx'
import { PullHead, type PullTab } from './pull-head.tsx'

const PAGE_SIZE = 50

/** A pull request as the conversation that it is, with the box that merges it. */
export async function showPull(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, page?: string, error?: string): Promise<Response> {
  const pull = getPullRow(context.db, issue)
  const outlook = await outlookOf(context, visit, repo, issue)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const head = <PullHead address={address} pull={pull} tab="conversation" />
  const foot = <MergeBox address={address} issue={issue} pull={pull} outlook={outlook} error={error} />
  return showThread(context, visit, repo, issue, { page, head, foot })
}

/** Whether the viewer could merge it, how, and what is in the way. */
async function outlookOf(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow): Promise<Outlook> {
  const settings = settingsOf(repo.row)
  const names = Object.keys(styleNames) as MergeStyle[]
  const isScheduled = findScheduled(context.db, issue.id) !== undefined
  const styles: MergeStyle[] = []
  let obstacle: string | undefined
  for (const style of names) {
    try {
      requireMergeable(context.db, visit.viewer, issue, { style, headOid: undefined })
      styles.push(style)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (style === settings.default_merge_style || obstacle === undefined) obstacle = error.message
    }
  }
  const sorted = styles.toSorted((a, b) => Number(b === settings.default_merge_style) - Number(a === settings.default_merge_style))
  const deletesBranch = settings.default_delete_branch_after_merge
  if (styles.length === 0) return { styles: [], obstacle, isScheduled, deletesBranch }
  const conflict = await conflictIn(context, visit, issue, sorted[0] as MergeStyle)
  return { styles: conflict === undefined ? sorted : [], obstacle: conflict, isScheduled, deletesBranch }
}

async function conflictIn(context: Context, visit: Visit, issue: IssueRow, style: MergeStyle): Promise<string | undefined> {
  try {
    await requireNoConflict(context, requireMergeable(context.db, visit.viewer, issue, { style, headOid: undefined }))
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return 'Its changes are in conflict with the branch, or the branch has them already.'
  }
}

/** Its commits, newest first. */
export async function showPullCommits(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, asked: string | undefined): Promise<Response> {
  const page = parsePage({ page: asked }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const pull = getPullRow(context.db, issue)
  const { commits, total } = await listPullCommits(context, pull, page, { stat: 'false', files: 'false' })
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="commits">
      <CommitList visit={visit} repo={repo} commits={commits} />
      <Pager visit={visit} page={page satisfies Page} total={total} />
    </PullFrame>,
  )
}

/** What it changes, file by file. */
export async function showPullFiles(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow): Promise<Response> {
  const pull = getPullRow(context.db, issue)
  const { text, isCut } = await readDiff(await serveText(context, pull, 'diff', false))
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="files">
      {renderDiff(text)}
      {isCut && <p class="error">This diff is too large to be shown whole.</p>}
    </PullFrame>,
  )
}

interface FrameProps {
  visit: Visit
  repo: RepoAccess
  issue: IssueRow
  pull: PullRow
  tab: PullTab
  children: Parameters<typeof RepoFrame>[0]['children']
}

function PullFrame({ visit, repo, issue, pull, tab, children }: FrameProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="pulls" title={`${issue.title} · #${issue.number}`}>
      <h2>
        {issue.title} <span class="faint">{`#${issue.number}`}</span>
      </h2>
      <PullHead address={visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`} pull={pull} tab={tab} />
      {children}
    </RepoFrame>
  )
}
