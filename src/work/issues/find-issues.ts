import { accessStore, canSeeAccount, findKnownTeam, lineOf, type Member, type RepoAccess, reachedByTeam, readableBy, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { allOf, type Condition, condition } from '#kernel/database/condition.ts'
import type { LongDb } from '#kernel/db.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { Page } from '#kernel/page.ts'
import { timeIn } from '#kernel/schema.ts'
import { findNamedMilestone } from '#work/milestones/index.ts'
import type { Criterion, Role } from './criteria-store.ts'
import { listLabelsNamed } from './label-store.ts'
import { aside, type EverywhereFilter, type IssueFilter, type IssueSort, isIssueSort, listIssues, listWaiting, type WaitingRow } from './list-store.ts'
import { type IssueSearch, readStrictSearch } from './read-search.ts'
import { mayRead } from './rules.ts'
import type { IssuesQuery, SearchQuery } from './schema.ts'
import { searchIssues } from './search-store.ts'
import type { IssueRow } from './store.ts'

export interface Found {
  rows: IssueRow[]
  total: number
}

/**
 * One repository's issues and pull requests.
 * @param search what the query's `q` asks for
 * @throws NotFound for a kind that the viewer may not read, and for people who are not there; Unprocessable for a search with an error
 */
export async function findInRepo(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  repo: RepoAccess,
  query: IssuesQuery,
  page: Page,
  search = readStrictSearch(db, viewer, repo, query.q),
): Promise<Found> {
  return find(db, viewer, filterIn(db, viewer, repo, query, search), sortOf(query, search), page)
}

/** How many of them there are. @throws as `findInRepo` */
export async function countInRepo({ db }: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, query: IssuesQuery, search: IssueSearch): Promise<number> {
  // Nothing stands so far down in a list that its rows would be read.
  return (await find(db, viewer, filterIn(db, viewer, repo, query, search), 'latest', { page: 1, limit: 1, offset: Number.MAX_SAFE_INTEGER })).total
}

function filterIn(db: Context['db'], viewer: Viewer, repo: RepoAccess, query: IssuesQuery, search: IssueSearch): IssueFilter {
  const labels = labelSets(db, repo, split(query.labels))
  const milestones = milestoneIds(db, repo, split(query.milestones))
  return hoisted({
    where: { repoId: repo.row.id },
    kind: kindIn(repo, query.type),
    ...filterOf(query, search),
    criteria: [
      ...labels.map((ids) => ({ kind: 'label', ids }) as const),
      ...(milestones.length > 0 ? [{ kind: 'milestone', ids: milestones } as const] : []),
      ...personIn(db, viewer, 'author', query.created_by),
      ...personIn(db, viewer, 'assignee', query.assigned_by),
      ...personIn(db, viewer, 'mentioned', query.mentioned_by),
      ...times(query),
      ...search.criteria,
    ],
  })
}

/** @throws NotFound for a kind that is asked for and may not be read */
function kindIn(repo: RepoAccess, type: string | undefined): 'issues' | 'pulls' | undefined {
  const asked = type === 'issues' || type === 'pulls' ? type : undefined
  const [issues, pulls] = [mayRead(repo, { is_pull: 0 }), mayRead(repo, { is_pull: 1 })]
  if ((asked === 'issues' && !issues) || (asked === 'pulls' && !pulls)) throw new NotFound()
  return asked ?? (issues && pulls ? undefined : issues ? 'issues' : 'pulls')
}

/**
 * Everything that the viewer may read, in all repositories.
 * @param search what the query's `q` asks for
 * @throws BadRequest for an owner or team that is not there, Unprocessable for a search with an error
 */
export async function findEverywhere(
  context: Pick<Context, 'db'>,
  viewer: Viewer,
  query: SearchQuery,
  page: Page,
  search = readStrictSearch(context.db, viewer, undefined, query.q),
): Promise<Found> {
  const { db } = context
  const isAsked = (flag: string | undefined) => viewer.user !== undefined && flagIn(flag) === true
  const own = (kind: Role, flag: string | undefined): Criterion[] => (isAsked(flag) ? [{ kind, ids: [viewer.user?.id ?? 0] }] : [])
  const limits = ownerLimits(context, viewer, query)
  const [labels, milestones] = [split(query.labels), split(query.milestones)]
  const repos = (unit: 'issues' | 'pulls') => (query.type === other(unit) ? undefined : allOf([readableBy(viewer, unit), ...limits]))
  const filter = hoisted({
    where: { issues: repos('issues'), pulls: repos('pulls') },
    ...filterOf(query, search),
    criteria: [
      ...(labels.length > 0 ? [{ kind: 'label name', names: labels } as const] : []),
      ...(milestones.length > 0 ? [{ kind: 'milestone title', titles: milestones.map((title) => title.toLowerCase()) } as const] : []),
      ...(isAsked(query.created) ? own('author', query.created) : personIn(db, viewer, 'author', query.created_by)),
      ...own('assignee', query.assigned),
      ...own('mentioned', query.mentioned),
      ...own('requested reviewer', query.review_requested),
      ...own('reviewer', query.reviewed),
      ...times(query),
      ...search.criteria,
    ],
  })
  const first = rowIdIn(query.priority_repo_id)
  const sort = sortOf(query, search)
  return first ? findFirstIn(db, viewer, first, filter, sort, page) : find(db, viewer, filter, sort, page)
}

/** What is open and waits for a member. @param most of those that ask for their review, and of those assigned to them */
export function findWaiting({ db }: Pick<Context, 'db'>, viewer: Member, most: number): Promise<WaitingRow[]> {
  return listWaiting(aside(db, lineOf(viewer)), viewer.user.id, { issues: readableBy(viewer, 'issues'), pulls: readableBy(viewer, 'pulls') }, most)
}

function find(db: LongDb, viewer: Viewer, filter: IssueFilter, sort: IssueSort, page: Page): Promise<Found> {
  return (filter.text === undefined ? listIssues : searchIssues)(db, lineOf(viewer), filter, sort, page)
}

/** What is in one repository before all else: two lists, each in its order, read as one. */
async function findFirstIn(db: LongDb, viewer: Viewer, repoId: number, filter: EverywhereFilter, sort: IssueSort, page: Page): Promise<Found> {
  const first = await find(db, viewer, within(filter, condition('r.id = ?', repoId)), sort, page)
  const rest = { ...page, limit: page.limit - first.rows.length, offset: Math.max(0, page.offset - first.total) }
  const others = await find(db, viewer, within(filter, condition('r.id <> ?', repoId)), sort, rest)
  return { rows: [...first.rows, ...others.rows], total: first.total + others.total }
}

function within(filter: EverywhereFilter, more: Condition): EverywhereFilter {
  const { issues, pulls } = filter.where
  return { ...filter, where: { issues: issues && allOf([issues, more]), pulls: pulls && allOf([pulls, more]) } }
}

function other(unit: 'issues' | 'pulls'): 'issues' | 'pulls' {
  return unit === 'issues' ? 'pulls' : 'issues'
}

function ownerLimits(context: Pick<Context, 'db'>, viewer: Viewer, { owner: ownerName, team: teamName }: SearchQuery): Condition[] {
  if (!ownerName) {
    if (teamName) throw new BadRequest('Owner organisation is required for filtering on team')
    return []
  }
  const owner = accessStore.findUserByName(context.db, ownerName)
  if (!owner || !canSeeAccount(context.db, viewer, owner)) throw new BadRequest('Owner not found')
  const owned = condition('r.owner_id = ?', owner.id)
  if (!teamName) return [owned]
  const team = accessStore.findTeamByName(context.db, owner.id, teamName)
  if (!team || !findKnownTeam(context.db, viewer, team.id)) throw new BadRequest('Team not found')
  return [owned, reachedByTeam(team.id)]
}

/** The default state, open, applies to searches that do not ask for a state. */
function filterOf({ state }: IssuesQuery | SearchQuery, { text, isEmpty, hasState }: IssueSearch): Pick<IssueFilter, 'isClosed' | 'text' | 'isEmpty'> {
  const isAny = state === 'all' || (state === undefined && hasState)
  return { isClosed: isAny ? undefined : state === 'closed', text, isEmpty }
}

function times(query: IssuesQuery | SearchQuery): Criterion[] {
  const [from, to] = [timeIn(query.since, 'since'), timeIn(query.before, 'before')]
  return from === undefined && to === undefined ? [] : [{ kind: 'range', column: 'updated_at', from, to }]
}

/** Moves the state and the type that a search asks for into the filter, because indexes cover them. */
function hoisted<T extends IssueFilter>(filter: T): T {
  let { kind, isClosed, isEmpty, where } = filter as IssueFilter
  const rest = filter.criteria.filter((criterion) => {
    if (criterion.kind === 'state' && isClosed === undefined) isClosed = criterion.isClosed
    else if (criterion.kind === 'type') {
      const asked = criterion.isPull ? 'pulls' : 'issues'
      if ('repoId' in where) {
        isEmpty ||= kind !== undefined && kind !== asked
        kind = asked
      } else where = { [asked]: where[asked] }
    } else return true
    return false
  })
  return { ...filter, where, kind, isClosed, isEmpty, criteria: rest }
}

function sortOf({ sort }: Pick<IssuesQuery, 'sort'>, search: IssueSearch): IssueSort {
  return search.sort ?? (isIssueSort(sort) ? sort : search.text || search.isEmpty ? 'relevance' : 'latest')
}

/** @throws NotFound for whom the viewer may not see, and for nobody */
function personIn(db: Context['db'], viewer: Viewer, role: Role, name: string | undefined): Criterion[] {
  if (!name) return []
  const person = accessStore.findUserByName(db, name)
  if (!person || !canSeeAccount(db, viewer, person)) throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  return [{ kind: role, ids: [person.id] }]
}

function labelSets(db: Context['db'], repo: RepoAccess, names: readonly string[]): number[][] {
  if (names.length === 0) return []
  const known = listLabelsNamed(db, repo.row.id, repo.owner.id, names)
  const sets = [...new Set(names)].map((name) => known.filter((label) => label.name === name).map(({ id }) => id))
  return sets.filter((set) => set.length > 0)
}

function milestoneIds(db: Context['db'], repo: RepoAccess, names: readonly string[]): number[] {
  return names.flatMap((name) => findNamedMilestone(db, repo.row.id, name)?.id ?? [])
}

/** As many names of one filter are looked at. */
const MAX_NAMES = 50

function split(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, MAX_NAMES)
}
