import type { RepoRow, UserRow } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { type Child, Empty, Icon, Layout, Linked, Pager, PeopleList, RepoMarks, repoIcon, Tabs, Time, type Visit } from '#web/index.ts'

/** As many are shown; the repository's own page has all. */
const MAX_TOPICS = 8

export interface ListedRepo {
  row: RepoRow
  /** The owner's name. */
  owner: string
}

interface ListProps {
  visit: Visit
  page: Page
  total: number
}

export function ExplorePage({ visit, title, repos, q, page, total }: ListProps & { title: string; repos: readonly ListedRepo[]; q: string }) {
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <ExploreTabs visit={visit} now="repos" />
      <Search visit={visit} q={q} label="Search repositories" />
      <RepoList visit={visit} repos={repos} none={q !== '' && 'No name and no description has these words in it.'} />
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

export function PeoplePage({ visit, people, q, page, total }: ListProps & { people: readonly UserRow[]; q: string }) {
  return (
    <Layout visit={visit} title="People">
      <h1>People</h1>
      <ExploreTabs visit={visit} now="users" />
      <Search visit={visit} q={q} label="Search people" />
      <PeopleList visit={visit} people={people} />
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

export function OrgsPage({ visit, orgs, q, page, total }: ListProps & { orgs: readonly UserRow[]; q: string }) {
  return (
    <Layout visit={visit} title="Organizations">
      <h1>Organizations</h1>
      <ExploreTabs visit={visit} now="organizations" />
      <Search visit={visit} q={q} label="Search organizations" />
      <PeopleList visit={visit} people={orgs} none="There are no organizations here that you can see." />
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

function ExploreTabs({ visit, now }: { visit: Visit; now: 'repos' | 'users' | 'organizations' }) {
  return (
    <Tabs
      visit={visit}
      label="Explore"
      now={now}
      tabs={[
        { name: 'repos', href: visit.to`/explore/repos`, text: 'Repositories', icon: 'repo' },
        { name: 'users', href: visit.to`/explore/users`, text: 'People', icon: 'people' },
        { name: 'organizations', href: visit.to`/explore/organizations`, text: 'Organizations', icon: 'organization' },
      ]}
    />
  )
}

function Search({ visit, q, label }: { visit: Visit; q: string; label: string }) {
  return (
    <form class="search" method="get">
      <input type="search" name="q" value={q} aria-label={label} placeholder={label} />
      <button type="submit">
        <Icon visit={visit} name="search" />
        Search
      </button>
    </form>
  )
}

export function RepoList({ visit, repos, none }: { visit: Visit; repos: readonly ListedRepo[]; none?: Child }) {
  if (repos.length === 0) {
    return (
      <Empty visit={visit} icon="repo" title="There are no repositories here that you can see.">
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
              <p>
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
              {count} <span class="unseen">{count === 1 ? words : `${words}s`}</span>
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
