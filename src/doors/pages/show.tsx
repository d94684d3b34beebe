import { accessStore, getAccount, readsPublicReposOnly } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { listUsers } from '#people/users/index.ts'
import { type RepoSearch, searchRepos } from '#repositories/repos/index.ts'
import { answerPage, seeOther, type Visit } from '#web/index.ts'
import { ExplorePage, type ListedRepo, PeoplePage, ProfilePage } from './templates.tsx'

export interface ListQuery {
  q?: string
  page?: string
}

const PAGE_SIZE = 20

/** For visitors what there is to see; for members what they own and work on, changed last first. */
export function showHome(context: Context, visit: Visit, query: ListQuery): Response {
  const { user } = visit.viewer
  if (!user) return showExplore(context, visit, query)
  return listRepos(context, visit, query, 'Your repositories', { ownerId: user.id, contributed: 'also' })
}

export function showExplore(context: Context, visit: Visit, query: ListQuery): Response {
  return listRepos(context, visit, query, 'Repositories', {})
}

export function showPeople(context: Context, visit: Visit, query: ListQuery): Response {
  const page = pageOf(query)
  const { rows, total } = listUsers(context.db, { keyword: query.q, seenBy: visit.viewer.user }, page)
  return answerPage(<PeoplePage visit={visit} people={rows} q={query.q ?? ''} page={page} total={total} />)
}

/** A person or an organization, with what the viewer may see of theirs. @throws NotFound */
export function showProfile(context: Context, visit: Visit, name: string, query: ListQuery): Response {
  const account = getAccount(context.db, visit.viewer, name)
  if (account.lower_name !== name.toLowerCase()) return seeOther(visit.to`/${account.name}`)
  const page = pageOf(query)
  const { repos, total } = findRepos(context, visit, query, { ownerId: account.id }, page)
  return answerPage(<ProfilePage visit={visit} account={account} repos={repos} page={page} total={total} />)
}

function listRepos(context: Context, visit: Visit, query: ListQuery, title: string, search: RepoSearch): Response {
  const page = pageOf(query)
  const { repos, total } = findRepos(context, visit, query, search, page)
  return answerPage(<ExplorePage visit={visit} title={title} repos={repos} q={query.q ?? ''} page={page} total={total} />)
}

function findRepos(context: Context, visit: Visit, { q }: ListQuery, search: RepoSearch, page: Page): { repos: ListedRepo[]; total: number } {
  const publicOnly = readsPublicReposOnly(visit.viewer)
  const asked = { ...search, keyword: q?.trim(), includeDescription: true, sort: 'updated', descending: true, publicOnly } as const
  const { rows, total } = searchRepos(context.db, visit.viewer, asked, page)
  const owners = new Map(rows.map((row) => [row.owner_id, accessStore.findUserById(context.db, row.owner_id)?.name ?? '']))
  return { repos: rows.map((row) => ({ row, owner: owners.get(row.owner_id) ?? '' })), total }
}

function pageOf(query: ListQuery): Page {
  return parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
}
