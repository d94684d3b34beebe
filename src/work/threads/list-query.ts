import { type Static, t } from 'elysia'
import { accessStore, canSeeAccount, PageQuery, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { listUsableLabels } from '#work/issues/index.ts'
import { findNamedMilestone } from '#work/milestones/index.ts'
import { type Kind, type ListState, listStateOf } from './list-place.ts'
import { SearchLine } from './search-line.ts'

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

const states = ['open', 'closed', 'all'] as const

/** The state and type that a list's address or search asks for, and the rest of the search. */
export interface Asked {
  line: SearchLine
  /** The state that the line or the address asks for. */
  state: ListState
  /** The kind that the line asks for. */
  kind: Kind | undefined
}

/** Takes the state and the type out of a search, because tabs show them. @param state of the address; the search takes precedence */
export function placeIn(typed: SearchLine, state: string | undefined): Asked {
  const asked: Asked = { line: typed, state: listStateOf(state), kind: undefined }
  asked.line = typed.filter(({ name, values: [value = '', more] }) => {
    if (more !== undefined || !(name === 'is' || name === 'state' || name === 'type')) return true
    const [newState, kind] = [states.find((one) => one === value && name !== 'type'), name === 'state' ? undefined : kindNamed(value)]
    if (newState !== undefined) asked.state = newState
    if (kind !== undefined) asked.kind = kind
    return newState === undefined && kind === undefined
  })
  return asked
}

function kindNamed(value: string): Kind | undefined {
  return value === 'pr' ? 'pulls' : value === 'issue' ? 'issues' : undefined
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
