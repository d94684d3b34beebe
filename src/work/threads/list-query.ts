import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import type { IssuesQuery } from '#work/issues/index.ts'

const text = t.Optional(t.String({ maxLength: 1000 }))

/** What the address of a list can say beside its words: Gitea's parameters, so that its links go on working. */
export const ListQuery = t.Object({
  q: text,
  state: text,
  labels: text,
  milestones: text,
  created_by: text,
  assigned_by: text,
  sort: text,
  ...PageQuery.properties,
})
export type ListQuery = Static<typeof ListQuery>

/** Which member of a list's query a word like `author:ada` sets. */
const members: Record<string, 'labels' | 'milestones' | 'created_by' | 'assigned_by' | 'mentioned_by' | 'sort' | 'state'> = {
  label: 'labels',
  milestone: 'milestones',
  author: 'created_by',
  assignee: 'assigned_by',
  mentions: 'mentioned_by',
  sort: 'sort',
  is: 'state',
  state: 'state',
}

const states = new Set(['open', 'closed', 'all'])

/** A word, or `name:value`, where a value with spaces stands in quotes. */
const term = /(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g

/**
 * The one search line of lists: words to search for, and among them `is:closed`, `label:"good first issue"`, `milestone:v1`, `author:ada`,
 * `assignee:@me`, `mentions:bob`, `sort:oldest`. What it says goes before what the address says.
 * @param self the viewer's name, for `@me`
 */
export function parseListQuery(asked: ListQuery, self: string | undefined): IssuesQuery {
  const { q = '', ...rest } = asked
  const query: IssuesQuery = { ...rest }
  const words: string[] = []
  for (const [whole, name = '', quoted, plain = ''] of q.matchAll(term)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    const value = quoted ?? plain
    if (member === undefined || (member === 'state' && !states.has(value))) words.push(whole)
    else if (member === 'labels' || member === 'milestones') query[member] = [query[member] ?? [], value].flat().join(',')
    else query[member] = value === '@me' ? (self ?? '') : value
  }
  return { ...query, q: words.join(' ') }
}
