import type { RepoRow } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { type Child, Empty, Icon, Layout, Linked, numberText, Pager, RepoMarks, repoIcon, Tabs, Time, type Visit } from '#web/index.ts'

/** As many are shown; the repository's own page has all. */
const MAX_TOPICS = 8

export interface ListedRepo {
  row: RepoRow
  /** The owner's name. */
  owner: string
}

/** Among what one looks around: what a page of it is called, and its tab's icon. */
const explored = { repos: ['Repositories', 'repo'], users: ['Users', 'people'], organizations: ['Organizations', 'organization'] } as const
type Explored = keyof typeof explored

interface ExploreProps {
  visit: Visit
  now: Explored
  q: string
  page: Page
  total: number
  children: Child
}

/** What all pages have around them that list all there is of a kind. */
export function ExplorePage({ visit, now, q, page, total, children }: ExploreProps) {
  const [title] = explored[now]
  const label = `Search ${title.toLowerCase()}`
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <Tabs
        visit={visit}
        label="Explore"
        now={now}
        tabs={(Object.keys(explored) as Explored[]).map((name) => ({
          name,
          href: visit.to`/explore/${name}`,
          text: explored[name][0],
          icon: explored[name][1],
        }))}
      />
      <form class="search" method="get">
        <input type="search" name="q" value={q} aria-label={label} placeholder={label} />
        <button type="submit">
          <Icon visit={visit} name="search" />
          Search
        </button>
      </form>
      {children}
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

interface RepoListProps {
  visit: Visit
  repos: readonly ListedRepo[]
  /** Shown if there are no repositories. */
  title?: string
  none?: Child
}

export function RepoList({ visit, repos, title = 'No repositories yet', none }: RepoListProps) {
  if (repos.length === 0) {
    return (
      <Empty visit={visit} icon="repo" title={title}>
        {none}
      </Empty>
    )
  }
  return (
    <ul class="list">
      {repos.map(({ row, owner }) => (
        <li class="row">
          <Icon visit={visit} name={repoIcon(row)} />
          <div class="main">
            <a href={visit.to`/${owner}/${row.name}`}>
              {owner}/{row.name}
            </a>
            <RepoMarks visit={visit} row={row} />
            {row.description !== '' && (
              <p dir="auto">
                <Linked text={row.description} />
              </p>
            )}
            {row.topic_names !== '' && (
              <p>
                {row.topic_names
                  .split(',')
                  .slice(0, MAX_TOPICS)
                  .map((name) => [<span class="label">{name}</span>, ' '])}
              </p>
            )}
            <RepoFacts visit={visit} row={row} />
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Icons with numbers say it to who sees them, words to who listens. */
function RepoFacts({ visit, row }: { visit: Visit; row: RepoRow }) {
  const counts = [
    [row.star_count, 'star', 'star'],
    [row.fork_count, 'repo-forked', 'fork'],
    [row.open_issue_count, 'issue-opened', 'open issue'],
    [row.open_pull_count, 'git-pull-request', 'open pull request'],
  ] as const
  return (
    <div class="meta">
      {row.language !== '' && <span>{row.language}</span>}
      {counts.map(
        ([count, icon, words]) =>
          count > 0 && (
            <span title={`${words}s`}>
              <Icon visit={visit} name={icon} />
              {numberText(count)} <span class="unseen">{count === 1 ? words : `${words}s`}</span>
            </span>
          ),
      )}
      <span>
        {'Updated '}
        <Time at={row.updated_at} />
      </span>
    </div>
  )
}
