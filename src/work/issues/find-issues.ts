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
import { listLabelsNamed } from './label-store.ts'
import { aside, type EverywhereFilter, type IssueFilter, type IssueSort, isIssueSort, listIssues, listWaiting, type WaitingRow } from './list-store.ts'
import { mayRead } from './rules.ts'
import type { IssuesQuery, SearchQuery } from './schema.ts'
import { searchIssues } from './search-store.ts'
import { matching } from './search-words.ts'
import type { IssueRow } from './store.ts'

export interface Found {
  rows: IssueRow[]
  total: number
}

/** What of an issue can be missing. */
const lacks = ['label', 'milestone', 'assignee'] as const
export type Lack = (typeof lacks)[number]

export function isLack(text: string): text is Lack {
  return lacks.some((one) => one === text)
}

/** What pages ask for beyond what the API can be asked, apart from its query: what that does not declare may be anything. */
export interface FurtherQuery {
  reviewRequestedBy?: string
  reviewedBy?: string
  /** Names that are taken whole, beside those of a query, which commas part. */
  labels?: readonly string[]
  milestones?: readonly string[]
  lacks?: readonly Lack[]
  /** A label or milestone that is not there stands on nothing; the API passes over it. */
  isStrict?: boolean
}

/** One repository's issues and pull requests. @throws NotFound for a kind that the viewer may not read, and for people who are not there */
export async function findInRepo(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  repo: RepoAccess,
  query: IssuesQuery,
  page: Page,
  more: FurtherQuery = {},
): Promise<Found> {
  return find(db, viewer, filterIn(db, viewer, repo, query, more), sortOf(query), page)
}

/** How many of them there are. @throws as `findInRepo` */
export async function countInRepo({ db }: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, query: IssuesQuery, more: FurtherQuery = {}): Promise<number> {
  // Nothing stands so far down in a list that its rows would be read.
  return (await find(db, viewer, filterIn(db, viewer, repo, query, more), 'latest', { page: 1, limit: 1, offset: Number.MAX_SAFE_INTEGER })).total
}

function filterIn(db: Context['db'], viewer: Viewer, repo: RepoAccess, query: IssuesQuery, more: FurtherQuery): IssueFilter {
  const labels = [...split(query.labels), ...(more.labels ?? [])].slice(0, MAX_NAMES)
  const milestones = [...split(query.milestones), ...(more.milestones ?? [])].slice(0, MAX_NAMES)
  const filter: IssueFilter = {
    ...plainFilter(query),
    where: { repoId: repo.row.id },
    kind: kindIn(repo, query.type),
    labelSets: labelSets(db, repo, labels),
    milestoneIds: milestoneIds(db, repo, milestones),
    posterId: personIn(db, viewer, query.created_by),
    assigneeId: personIn(db, viewer, query.assigned_by),
    mentionedId: personIn(db, viewer, query.mentioned_by),
    reviewRequestedId: personIn(db, viewer, more.reviewRequestedBy),
    reviewedId: personIn(db, viewer, more.reviewedBy),
    lacks: more.lacks,
  }
  return more.isStrict && !areAllThere(labels, milestones, filter) ? { ...filter, isEmpty: true } : filter
}

function areAllThere(labels: readonly string[], milestones: readonly string[], { labelSets, milestoneIds }: IssueFilter): boolean {
  return (labelSets?.length ?? 0) === new Set(labels).size && (milestoneIds !== undefined || milestones.length === 0)
}

/** @throws NotFound for a kind that is asked for and may not be read */
function kindIn(repo: RepoAccess, type: string | undefined): 'issues' | 'pulls' | undefined {
  const asked = type === 'issues' || type === 'pulls' ? type : undefined
  const [issues, pulls] = [mayRead(repo, { is_pull: 0 }), mayRead(repo, { is_pull: 1 })]
  if ((asked === 'issues' && !issues) || (asked === 'pulls' && !pulls)) throw new NotFound()
  return asked ?? (issues && pulls ? undefined : issues ? 'issues' : 'pulls')
}

/** Everything that the viewer may read, in all repositories. @throws BadRequest for an owner or team that is not there */
export async function findEverywhere(context: Pick<Context, 'db'>, viewer: Viewer, query: SearchQuery, page: Page): Promise<Found> {
  const { db } = context
  const self = viewer.user?.id ?? 0
  const isAsked = (flag: string | undefined) => viewer.user !== undefined && flagIn(flag) === true
  const limits = ownerLimits(context, viewer, query)
  const [labels, milestones] = [split(query.labels), split(query.milestones)]
  const repos = (unit: 'issues' | 'pulls') => (query.type === other(unit) ? undefined : allOf([readableBy(viewer, unit), ...limits]))
  const filter: EverywhereFilter = {
    ...plainFilter(query),
    where: { issues: repos('issues'), pulls: repos('pulls') },
    labelNames: labels.length === 0 ? undefined : labels,
    milestoneTitles: milestones.length === 0 ? undefined : milestones.map((title) => title.toLowerCase()),
    posterId: isAsked(query.created) ? self : personIn(db, viewer, query.created_by),
    assigneeId: isAsked(query.assigned) ? self : undefined,
    mentionedId: isAsked(query.mentioned) ? self : undefined,
    reviewRequestedId: isAsked(query.review_requested) ? self : undefined,
    reviewedId: isAsked(query.reviewed) ? self : undefined,
  }
  const first = rowIdIn(query.priority_repo_id)
  return first ? findFirstIn(db, viewer, first, filter, sortOf(query), page) : find(db, viewer, filter, sortOf(query), page)
}

/** What is open and waits for a member. @param most of those that ask for their review, and of those assigned to them */
export function findWaiting({ db }: Pick<Context, 'db'>, viewer: Member, most: number): Promise<WaitingRow[]> {
  return listWaiting(aside(db, lineOf(viewer)), viewer.user.id, { issues: readableBy(viewer, 'issues'), pulls: readableBy(viewer, 'pulls') }, most)
}

function find(db: LongDb, viewer: Viewer, filter: IssueFilter, sort: IssueSort, page: Page): Promise<Found> {
  return (filter.words === undefined ? listIssues : searchIssues)(db, lineOf(viewer), filter, sort, page)
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

function plainFilter(query: IssuesQuery | SearchQuery): Omit<IssueFilter, 'where'> {
  const words = query.q?.trim() ? matching(query.q) : undefined
  return {
    isClosed: query.state === 'all' ? undefined : query.state === 'closed',
    since: timeIn(query.since, 'since'),
    before: timeIn(query.before, 'before'),
    words,
    isEmpty: Boolean(query.q?.trim()) && words === undefined,
  }
}

function sortOf({ sort, q }: Pick<IssuesQuery, 'sort' | 'q'>): IssueSort {
  return isIssueSort(sort) ? sort : q?.trim() ? 'relevance' : 'latest'
}

/** @throws NotFound for whom the viewer may not see, and for nobody */
function personIn(db: Context['db'], viewer: Viewer, name: string | undefined): number | undefined {
  if (!name) return undefined
  const person = accessStore.findUserByName(db, name)
  if (!person || !canSeeAccount(db, viewer, person)) throw new NotFound(`user does not exist [name: ${name.slice(0, 100)}]`)
  return person.id
}

function labelSets(db: Context['db'], repo: RepoAccess, names: readonly string[]): number[][] | undefined {
  if (names.length === 0) return undefined
  const known = listLabelsNamed(db, repo.row.id, repo.owner.id, names)
  const sets = [...new Set(names)].map((name) => known.filter((label) => label.name === name).map(({ id }) => id))
  return sets.filter((set) => set.length > 0)
}

function milestoneIds(db: Context['db'], repo: RepoAccess, names: readonly string[]): number[] | undefined {
  const ids = names.flatMap((name) => findNamedMilestone(db, repo.row.id, name)?.id ?? [])
  return ids.length === 0 ? undefined : ids
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
