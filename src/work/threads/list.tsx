import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, LabelMark, Pager, RepoFrame, Time, type Visit } from '#web/index.ts'
import { findInRepo, type Issue, isDraft, listPinned, presentIssues } from '#work/issues/index.ts'
import { type ListQuery, parseListQuery } from './list-query.ts'
import { StateMark } from './marks.tsx'

export type Kind = 'issues' | 'pulls'

const PAGE_SIZE = 25
const words = { issues: { title: 'Issues', one: 'issue' }, pulls: { title: 'Pull requests', one: 'pull request' } }

/** A repository's issues, or its pull requests, as the search line wants them. */
export function showList(context: Context, visit: Visit, repo: RepoAccess, kind: Kind, asked: ListQuery): Response {
  const page = parsePage({ page: asked.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const query = { ...parseListQuery(asked, visit.viewer.user?.name), type: kind }
  const present = (rows: Parameters<typeof presentIssues>[2]) => presentIssues(context, visit.viewer, rows, () => repo)
  const { rows, total } = find(context, visit, repo, query, page)
  const isPlain = !asked.q && page.page === 1 && query.state !== 'closed'
  const pinned = isPlain ? present(listPinned(context.db, repo.row.id, kind === 'pulls' ? 1 : 0)) : []
  const props = { visit, repo, kind, q: asked.q ?? '', state: query.state ?? 'open', page, total, pinned, issues: present(rows) }
  return answerPage(<ListPage {...props} />)
}

/** People who are not there have written nothing. */
function find(context: Context, visit: Visit, repo: RepoAccess, query: Parameters<typeof findInRepo>[3], page: Page) {
  try {
    return findInRepo(context, visit.viewer, repo, query, page)
  } catch (error) {
    if (error instanceof NotFound) return { rows: [], total: 0 }
    throw error
  }
}

interface ListProps {
  visit: Visit
  repo: RepoAccess
  kind: Kind
  q: string
  state: string
  page: Page
  total: number
  pinned: readonly Issue[]
  issues: readonly Issue[]
}

function ListPage({ visit, repo, kind, q, state, page, total, pinned, issues }: ListProps) {
  const { owner, row } = repo
  const base = visit.to`/${owner.name}/${row.name}`
  const counts = kind === 'issues' ? [row.open_issue_count, row.closed_issue_count] : [row.open_pull_count, row.closed_pull_count]
  return (
    <RepoFrame visit={visit} repo={repo} tab={kind} title={words[kind].title}>
      <div class="bar">
        <h2>{words[kind].title}</h2>
        <p>
          <a href={`${base}/labels`}>Labels</a> · <a href={`${base}/milestones`}>Milestones</a>
          {row.archived_at === null && (
            <a class="button primary" href={kind === 'issues' ? `${base}/issues/new` : `${base}/compare`}>
              {`New ${words[kind].one}`}
            </a>
          )}
        </p>
      </div>
      <form class="search" method="get">
        <input
          type="search"
          name="q"
          value={q}
          aria-label={`Search ${words[kind].title.toLowerCase()}`}
          placeholder="words, is:closed, label:bug, author:@me"
        />
        <input type="hidden" name="state" value={state} />
        <button type="submit">Search</button>
      </form>
      {pinned.length > 0 && <Rows visit={visit} base={base} issues={pinned} label="Pinned" />}
      <nav class="tabs" aria-label="State">
        {(['open', 'closed', 'all'] as const).map((one, i) => (
          <a href={`?state=${one}${q === '' ? '' : `&q=${encodeURIComponent(q)}`}`} aria-current={one === state ? 'page' : undefined}>
            {i === 2 ? 'All' : `${counts[i]} ${one}`}
          </a>
        ))}
      </nav>
      {issues.length === 0 ? <p class="faint">{`No ${words[kind].one} fits.`}</p> : <Rows visit={visit} base={base} issues={issues} />}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}

function Rows({ visit, base, issues, label }: { visit: Visit; base: string; issues: readonly Issue[]; label?: string }) {
  return (
    <ul class="list" aria-label={label}>
      {issues.map((issue) => (
        <li>
          <StateMark issue={issue} /> <a href={`${base}/${issue.pull_request ? 'pulls' : 'issues'}/${issue.number}`}>{issue.title}</a>
          {issue.labels.map((one) => (
            <LabelMark label={one} href={`?q=${encodeURIComponent(`label:"${one.name}"`)}`} />
          ))}
          {label !== undefined && <span class="mark">{label}</span>}
          {issue.pull_request && isDraft(issue.title) && <span class="mark">Draft</span>}
          <p class="faint">
            {`#${issue.number} by `}
            <a href={visit.to`/${issue.user.login}`}>{issue.user.login}</a>, opened <Time at={Date.parse(issue.created_at) / 1000} />
            {issue.milestone && ` · ${issue.milestone.title}`}
            {issue.comments > 0 && ` · ${issue.comments} ${issue.comments === 1 ? 'comment' : 'comments'}`}
            {issue.assignees && ` · ${issue.assignees.map(({ login }) => login).join(', ')}`}
          </p>
        </li>
      ))}
    </ul>
  )
}
