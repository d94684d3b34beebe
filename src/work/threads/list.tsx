import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, Icon, Pager, Popup, RepoFrame, type Visit, Way } from '#web/index.ts'
import { findInRepo, type Issue, listPinned, presentIssues } from '#work/issues/index.ts'
import { IssueRow } from './issue-row.tsx'
import { type ListQuery, parseListQuery } from './list-query.ts'

export type Kind = 'issues' | 'pulls'

const PAGE_SIZE = 25
const words = {
  issues: { title: 'Issues', one: 'issue', about: 'Issues tell what does not work, or what is to be done.' },
  pulls: { title: 'Pull requests', one: 'pull request', about: 'Push a branch, and ask for it to be merged.' },
}

/** A repository's issues, or its pull requests, as the search line wants them. */
export function showList(context: Pick<Context, 'db' | 'rootUrl'>, visit: Visit, repo: RepoAccess, kind: Kind, asked: ListQuery): Response {
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
function find(context: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, query: Parameters<typeof findInRepo>[3], page: Page) {
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
      <h2 class="unseen">{words[kind].title}</h2>
      <div class="bar">
        <form class="search" method="get">
          <input
            type="search"
            name="q"
            value={q}
            aria-label={`Search ${words[kind].title.toLowerCase()}`}
            placeholder="words, is:closed, label:bug, author:@me"
          />
          <input type="hidden" name="state" value={state} />
          <button type="submit">
            <Icon visit={visit} name="search" />
            Search
          </button>
        </form>
        <div class="buttons">
          <a class="button" href={`${base}/labels`}>
            <Icon visit={visit} name="tag" />
            Labels
          </a>
          <a class="button" href={`${base}/milestones`}>
            <Icon visit={visit} name="milestone" />
            Milestones
          </a>
          {row.archived_at === null && (
            <a class="button primary" href={kind === 'issues' ? `${base}/issues/new` : `${base}/compare`}>
              {`New ${words[kind].one}`}
            </a>
          )}
        </div>
      </div>
      {pinned.length > 0 && <Rows visit={visit} base={base} issues={pinned} label="Pinned" />}
      <ListHead visit={visit} kind={kind} q={q} state={state} counts={counts} />
      {issues.length === 0 ? <Nothing visit={visit} kind={kind} isNarrowed={q !== ''} /> : <Rows visit={visit} base={base} issues={issues} />}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}

const stateIcons = { issues: ['issue-opened', 'issue-closed'], pulls: ['git-pull-request', 'check'] } as const
const sorts = {
  latest: 'Newest',
  oldest: 'Oldest',
  recentupdate: 'Changed last',
  leastupdate: 'Changed longest ago',
  mostcomment: 'Most comments',
  nearduedate: 'Due first',
} as const

/** How many there are, the ways to narrow them down, and their order. */
function ListHead({ visit, kind, q, state, counts }: Pick<ListProps, 'visit' | 'kind' | 'q' | 'state'> & { counts: readonly number[] }) {
  const asked = (words: string) => `?state=${state}&q=${encodeURIComponent(words)}`
  const unsorted = q.replace(/\s*\bsort:\S+/g, '').trim()
  const sorted = /\bsort:(\S+)/.exec(q)?.[1] ?? 'latest'
  return (
    <div class="list-head">
      <nav aria-label="State">
        {(['open', 'closed', 'all'] as const).map((one, i) => (
          <a href={`?state=${one}${q === '' ? '' : `&q=${encodeURIComponent(q)}`}`} aria-current={one === state ? 'page' : undefined}>
            {i < 2 && <Icon visit={visit} name={stateIcons[kind][i as 0 | 1]} />}
            {i === 2 ? 'All' : `${counts[i]} ${one}`}
          </a>
        ))}
      </nav>
      <nav class="narrow" aria-label="Narrow down and sort">
        {visit.viewer.user && <a href={asked('author:@me')}>Yours</a>}
        {visit.viewer.user && <a href={asked('assignee:@me')}>Assigned to you</a>}
        <Popup id="menu-sort" look="quiet" face="Sort">
          {Object.entries(sorts).map(([name, text]) => (
            <Way visit={visit} to={asked(`${unsorted} sort:${name}`.trim())} isNow={name === sorted}>
              {text}
            </Way>
          ))}
        </Popup>
      </nav>
    </div>
  )
}

function Nothing({ visit, kind, isNarrowed }: { visit: Visit; kind: Kind; isNarrowed: boolean }) {
  return (
    <Empty visit={visit} icon={stateIcons[kind][0]} title={`No ${words[kind].one} fits.`}>
      {isNarrowed ? 'Ask with fewer words, or look among all of them.' : words[kind].about}
    </Empty>
  )
}

function Rows({ visit, base, issues, label }: { visit: Visit; base: string; issues: readonly Issue[]; label?: string }) {
  return (
    <ul class="list" aria-label={label}>
      {issues.map((issue) => (
        <IssueRow
          visit={visit}
          issue={issue}
          href={`${base}/${issue.pull_request ? 'pulls' : 'issues'}/${issue.number}`}
          labelHref={(name) => `?q=${encodeURIComponent(`label:"${name}"`)}`}
          note={
            label !== undefined && (
              <span class="mark">
                <Icon visit={visit} name="pin" size={12} />
                {label}
              </span>
            )
          }
        />
      ))}
    </ul>
  )
}
