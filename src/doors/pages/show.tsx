import { accessStore, lineOf, type RepoRow, readsPublicReposOnly } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { searchOrgs } from '#people/orgs/index.ts'
import { listUsers } from '#people/users/index.ts'
import { listFoundRepos, type RepoSearch, searchRepos } from '#repositories/repos/index.ts'
import { answerPage, PeopleList, type Visit } from '#web/index.ts'
import { ExplorePage, type ListedRepo, RepoList } from './templates.tsx'

export interface ListQuery {
  q?: string
  page?: string
  tab?: string
  /** By whose name the feed of the dashboard is narrowed down. */
  org?: string
  /** By which kind of things a feed is. */
  kind?: string
}

const PAGE_SIZE = 20

export async function showExplore(context: Pick<Context, 'db'>, visit: Visit, query: ListQuery): Promise<Response> {
  const page = pageOf(query)
  const q = query.q ?? ''
  const { repos, total } = await findRepos(context, visit, query, {}, page)
  return answerPage(
    <ExplorePage visit={visit} now="repos" q={q} page={page} total={total}>
      <RepoList
        visit={visit}
        repos={repos}
        title={q !== '' ? 'No repositories found' : visit.viewer.user ? undefined : 'No public repositories yet'}
        none={q !== '' && 'No repository name or description matches your search.'}
      />
    </ExplorePage>,
  )
}

export async function showPeople(context: Pick<Context, 'db'>, visit: Visit, query: ListQuery): Promise<Response> {
  const page = pageOf(query)
  const { rows, total } = await listUsers(context.db, lineOf(visit.viewer), { keyword: query.q?.trim() ?? '', seenBy: visit.viewer.user }, page)
  return answerPage(
    <ExplorePage visit={visit} now="users" q={query.q ?? ''} page={page} total={total}>
      <PeopleList visit={visit} people={rows} />
    </ExplorePage>,
  )
}

export async function showOrgs(context: Pick<Context, 'db'>, visit: Visit, query: ListQuery): Promise<Response> {
  const page = pageOf(query)
  const { rows, total } = await searchOrgs(context.db, visit.viewer, query.q?.trim() ?? '', page)
  return answerPage(
    <ExplorePage visit={visit} now="organizations" q={query.q ?? ''} page={page} total={total}>
      <PeopleList visit={visit} people={rows} none="No organizations found" />
    </ExplorePage>,
  )
}

export async function findRepos(
  context: Pick<Context, 'db'>,
  visit: Visit,
  { q }: ListQuery,
  search: RepoSearch,
  page: Page,
): Promise<{ repos: ListedRepo[]; total: number }> {
  const publicOnly = readsPublicReposOnly(visit.viewer)
  const asked = { ...search, keyword: q?.trim(), includeDescription: true, sort: 'updated', descending: true, publicOnly } as const
  const { rows, total } = await searchRepos(context.db, visit.viewer, asked, page)
  return { repos: withOwners(context, rows), total }
}

/** The repositories that somebody works in, changed last first. */
export async function findOwnRepos(
  context: Pick<Context, 'db'>,
  { viewer }: Visit,
  personId: number,
  q: string | undefined,
  page: Page,
): Promise<ListedRepo[]> {
  const asked = {
    keyword: q?.trim(),
    ownerId: personId,
    contributed: 'also',
    sort: 'updated',
    descending: true,
    publicOnly: readsPublicReposOnly(viewer),
  } as const
  return withOwners(context, await listFoundRepos(context.db, viewer, asked, page))
}

function withOwners({ db }: Pick<Context, 'db'>, rows: readonly RepoRow[]): ListedRepo[] {
  const owners = new Map(accessStore.listUsersById(db, [...new Set(rows.map(({ owner_id }) => owner_id))]).map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ row, owner: owners.get(row.owner_id) ?? '' }))
}

export function pageOf(query: ListQuery): Page {
  return parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
}
