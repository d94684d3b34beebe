import { accessStore, contributedBy, isPublic, lineOf, type RepoRow, reachedByTeam, type Viewer, visibleTo } from '#access/index.ts'
import { allOf, anyOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { hasTopic } from '#repositories/topics/index.ts'

/** What to look for among the repositories a viewer can see; every member narrows it down. */
export interface RepoSearch {
  keyword?: string
  /** The keyword is a topic, whole. */
  topicOnly?: boolean
  includeDescription?: boolean
  ownerId?: number
  /** With `ownerId`: 'also' adds what the owner contributes to, 'only' leaves out what the owner owns. Default: owned alone. */
  contributed?: 'also' | 'only'
  priorityOwnerId?: number
  teamId?: number
  /** Further conditions on `repository AS r`, of rooms that know more: who starred it, say. */
  further?: readonly Condition[]
  publicOnly?: boolean
  isPrivate?: boolean
  isTemplate?: boolean
  isArchived?: boolean
  isFork?: boolean
  isMirror?: boolean
  sort?: RepoSort
  descending?: boolean
}

/** By sort key: what is compared, with `DIR` for the direction; `o` is the owner. Source: Gitea's `models/repo/search.go`. */
const orders = {
  alpha: 'o.lower_name DIR, r.lower_name DIR',
  name: 'r.lower_name DIR, r.id DIR',
  created: 'r.created_at DIR, r.id DIR',
  updated: 'r.updated_at DIR, r.id DIR',
  size: 'r.size_bytes DIR, r.id DIR',
  git_size: 'r.size_bytes DIR, r.id DIR',
  lfs_size: 'r.id DIR',
  id: 'r.id DIR',
  stars: 'r.star_count DIR, r.id DIR',
  forks: 'r.fork_count DIR, r.id DIR',
} as const
export type RepoSort = keyof typeof orders

export function isRepoSort(text: string): text is RepoSort {
  return Object.hasOwn(orders, text)
}

/** The repositories of one page, and how many there are on all pages. */
export async function searchRepos(db: LongDb, viewer: Viewer, search: RepoSearch, page: Page): Promise<{ rows: RepoRow[]; total: number }> {
  const { sql, values } = allOf([visibleTo(viewer), ...conditionsOf(search)])
  const counted = question<{ n: number }>(`SELECT count(*) AS n FROM repository AS r WHERE ${sql}`, ...values)
  const found = await db.askAside({ counted, ids: foundIds(viewer, search, page) }, lineOf(viewer))
  return { rows: rowsOf(db, found.ids), total: found.counted[0]?.n ?? 0 }
}

/** The same for who does not ask how many there are. Ids come first: whole rows would be costly to sort. */
export async function listFoundRepos(db: LongDb, viewer: Viewer, search: RepoSearch, page: Page): Promise<RepoRow[]> {
  return rowsOf(db, (await db.askAside({ ids: foundIds(viewer, search, page) }, lineOf(viewer))).ids)
}

function foundIds(viewer: Viewer, search: RepoSearch, page: Page): Question<{ id: number }> {
  const { sql, values } = allOf([visibleTo(viewer), ...conditionsOf(search)])
  const sort = search.sort ?? 'name'
  const order = orders[sort].replaceAll('DIR', search.descending ? 'DESC' : 'ASC')
  // Owners in the outer loop, each with its repositories in order: nothing is left to sort.
  const from = sort === 'alpha' ? 'user AS o CROSS JOIN repository AS r ON o.id = r.owner_id' : 'repository AS r'
  const first = search.priorityOwnerId === undefined ? '' : 'r.owner_id <> ?, '
  const ordered = search.priorityOwnerId === undefined ? values : [...values, search.priorityOwnerId]
  return question(`SELECT r.id FROM ${from} WHERE ${sql} ORDER BY ${first}${order} LIMIT ? OFFSET ?`, ...ordered, page.limit, page.offset)
}

function rowsOf(db: Db, ids: readonly { id: number }[]): RepoRow[] {
  return accessStore.listReposById(
    db,
    ids.map(({ id }) => id),
  )
}

function conditionsOf(search: RepoSearch): Condition[] {
  const flags: [boolean | undefined, string][] = [
    [search.isPrivate, 'r.is_private = 1'],
    [search.isTemplate, 'r.is_template = 1'],
    [search.isArchived, 'r.archived_at IS NOT NULL'],
    [search.isFork, 'r.fork_of IS NOT NULL'],
    [search.isMirror, 'r.is_mirror = 1'],
  ]
  const conditions = flags.flatMap(([wanted, sql]) => (wanted === undefined ? [] : [condition(wanted ? sql : `NOT (${sql})`)]))
  if (search.publicOnly) conditions.push(isPublic)
  if (search.keyword) conditions.push(matching(search.keyword, search))
  if (search.ownerId !== undefined) conditions.push(of(search.ownerId, search.contributed))
  if (search.teamId !== undefined) conditions.push(reachedByTeam(search.teamId))
  return [...conditions, ...(search.further ?? [])]
}

/** One of the keywords that commas separate occurs in the name, in `owner/name`, among the topics or in the description. */
function matching(keyword: string, { topicOnly, includeDescription }: RepoSearch): Condition {
  const words = keyword
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .slice(0, 20)
  const topics = words.map(hasTopic)
  if (topicOnly) return topics.length === 0 ? condition('FALSE') : anyOf(topics)
  const names = words.map((word) =>
    word.includes('/')
      ? condition("instr((SELECT lower_name FROM user WHERE id = r.owner_id) || '/' || r.lower_name, ?) > 0", word)
      : condition('instr(r.lower_name, ?) > 0', word),
  )
  const descriptions = includeDescription ? words.map((word) => condition('instr(lower(r.description), ?) > 0', word)) : []
  return anyOf([condition('FALSE'), ...names, ...topics, ...descriptions])
}

function of(ownerId: number, contributed: RepoSearch['contributed']): Condition {
  const owns = condition('r.owner_id = ?', ownerId)
  const contributes = allOf([condition('r.owner_id <> ?', ownerId), contributedBy(ownerId)])
  if (contributed === undefined) return owns
  return contributed === 'only' ? contributes : anyOf([owns, contributes])
}
