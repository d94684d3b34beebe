import { type Static, t } from 'elysia'
import { accessStore, canSeeAccount, PageQuery, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type FurtherQuery, type IssuesQuery, isLack, listUsableLabels } from '#work/issues/index.ts'
import { findNamedMilestone } from '#work/milestones/index.ts'
import { SearchLine, type Term } from './search-line.ts'

const text = t.Optional(t.String({ maxLength: 1000 }))

/** What the address of a list can say beside its words: Gitea's parameters, of its pages and of its API, so that its links go on working. */
export const ListQuery = t.Object({
  q: text,
  state: text,
  labels: text,
  milestone: text,
  milestones: text,
  assignee: text,
  assigned_by: text,
  poster: text,
  created_by: text,
  type: text,
  sort: text,
  ...PageQuery.properties,
})
export type ListQuery = Static<typeof ListQuery>

/** Which member of a list's query a word like `author:ada` sets. */
const members = {
  author: 'created_by',
  assignee: 'assigned_by',
  mentions: 'mentioned_by',
  sort: 'sort',
  is: 'state',
  state: 'state',
} as const
/** Of these there can be several. */
const named = { label: 'labels', milestone: 'milestones' } as const
const further = { 'review-requested': 'reviewRequestedBy', 'reviewed-by': 'reviewedBy' } as const

const states = new Set(['open', 'closed', 'all'])

/** What a list is asked for. */
export interface Asked {
  query: IssuesQuery
  more: FurtherQuery
}

/**
 * What the one search line of lists asks for: words to search for, and among them `is:closed`, `label:"good first issue"`, `milestone:v1`,
 * `author:ada`, `assignee:@me`, `mentions:bob`, `review-requested:@me`, `reviewed-by:ada`, `no:label`, `sort:oldest`.
 * @param self the viewer's name, for `@me`
 */
export function parseListQuery(line: SearchLine, self = ''): Asked {
  const asked: Asked = { query: {}, more: {} }
  const words = line.terms.filter((term) => !setMember(asked, term, self)).map(({ whole }) => whole)
  asked.query.q = words.join(' ')
  return asked
}

/** @returns whether the term is more than a word */
function setMember({ query, more }: Asked, { name, value }: Term, self: string): boolean {
  const meant = value === '@me' ? self : value
  if (name === 'no' && isLack(value)) more.lacks = [...(more.lacks ?? []), value]
  else if (isKey(further, name)) more[further[name]] = meant
  else if (isKey(named, name)) more[named[name]] = [...(more[named[name]] ?? []), value]
  else if (!isKey(members, name) || (members[name] === 'state' && !states.has(value))) return false
  else query[members[name]] = meant
  return true
}

function isKey<T extends object>(record: T, name: string): name is keyof T & string {
  return Object.hasOwn(record, name)
}

/** By the `type` of Gitea's lists. */
const ofOneself: Record<string, string> = {
  assigned: 'assignee',
  created_by: 'author',
  mentioned: 'mentions',
  review_requested: 'review-requested',
  reviewed_by: 'reviewed-by',
}

/** The search line of a list, with what the rest of its address says put into it; what stands in the line goes before that. */
export function lineOf(db: Db, viewer: Viewer, repo: RepoAccess, asked: ListQuery): SearchLine {
  const typed = SearchLine.parse(asked.q ?? '')
  let line = typed
  const add = (name: string, value: string | undefined) => {
    if (value && typed.valuesOf(name).length === 0) line = line.with(name, value)
  }
  for (const name of labelNames(db, repo, asked.labels)) add(...name)
  add(...milestoneTerm(db, repo, asked.milestone ?? asked.milestones))
  add(...personTerm(db, viewer, 'assignee', asked.assignee ?? asked.assigned_by))
  add(...personTerm(db, viewer, 'author', asked.poster ?? asked.created_by))
  const own = Object.hasOwn(ofOneself, asked.type ?? '') ? ofOneself[asked.type as string] : undefined
  if (own !== undefined) add(own, '@me')
  add('sort', asked.sort)
  return line
}

type Named = [name: string, value: string | undefined]

/** As many labels of an address are looked up. */
const MAX_LABELS = 50

/** Gitea's pages name labels by their ids, 0 for none; its API by their names. */
function labelNames(db: Db, { row, owner }: RepoAccess, asked = ''): Named[] {
  const parts = asked.split(',', MAX_LABELS).filter((one) => one !== '')
  const ids = parts.map(rowIdIn).filter((id) => id !== 0)
  const known = new Map(ids.length === 0 ? [] : listUsableLabels(db, row.id, owner.id, ids).map(({ id, name }) => [String(id), name]))
  return parts.map((part) => (part === '0' ? ['no', 'label'] : ['label', known.get(part) ?? part]))
}

function milestoneTerm(db: Db, { row }: RepoAccess, asked = ''): Named {
  if (asked === '-1') return ['no', 'milestone']
  return ['milestone', asked === '' ? undefined : (findNamedMilestone(db, row.id, asked)?.title ?? asked)]
}

/** Gitea's pages name people by their ids, too, -1 for nobody. */
function personTerm(db: Db, viewer: Viewer, name: string, asked = ''): Named {
  if (asked === '-1' && name === 'assignee') return ['no', name]
  const id = rowIdIn(asked)
  const person = id === 0 ? undefined : accessStore.findUserById(db, id)
  return [name, person && canSeeAccount(db, viewer, person) ? person.name : asked]
}
