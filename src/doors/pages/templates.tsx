import type { RepoRow, UserRow } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { Layout, Pager, PeopleList, Tabs, Time, type Visit } from '#web/index.ts'

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
      <Search q={q} label="Search repositories" />
      <RepoList visit={visit} repos={repos} />
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

export function PeoplePage({ visit, people, q, page, total }: ListProps & { people: readonly UserRow[]; q: string }) {
  return (
    <Layout visit={visit} title="People">
      <h1>People</h1>
      <ExploreTabs visit={visit} now="users" />
      <Search q={q} label="Search people" />
      <PeopleList visit={visit} people={people} />
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}

function ExploreTabs({ visit, now }: { visit: Visit; now: 'repos' | 'users' }) {
  return (
    <Tabs
      visit={visit}
      label="Explore"
      now={now}
      tabs={[
        { name: 'repos', href: visit.to`/explore/repos`, text: 'Repositories', icon: 'repo' },
        { name: 'users', href: visit.to`/explore/users`, text: 'People', icon: 'people' },
      ]}
    />
  )
}

function Search({ q, label }: { q: string; label: string }) {
  return (
    <form class="search" method="get">
      <input type="search" name="q" value={q} aria-label={label} />
      <button type="submit">Search</button>
    </form>
  )
}

export function RepoList({ visit, repos }: { visit: Visit; repos: readonly ListedRepo[] }) {
  if (repos.length === 0) return <p class="faint">There are no repositories here that you can see.</p>
  return (
    <ul class="list">
      {repos.map(({ row, owner }) => (
        <li>
          <a href={visit.to`/${owner}/${row.name}`}>
            {owner}/{row.name}
          </a>
          {row.is_private === 1 && <span class="mark">Private</span>}
          {row.description !== '' && <p>{row.description}</p>}
          <p class="faint">
            Updated <Time at={row.updated_at} />
          </p>
        </li>
      ))}
    </ul>
  )
}
