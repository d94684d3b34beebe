import type { Viewer } from '../access/index.ts'
import { Unprocessable } from '../kernel/errors.ts'
import type { SearchQuery } from './schema.ts'
import { knowsContributions } from './search-sight.ts'
import { isRepoSort, type RepoSearch } from './search-store.ts'

/** The parameters of `GET /repos/search`. @throws Unprocessable on a mode, sort key or order that is not known */
export function parseSearch(query: SearchQuery, viewer: Viewer): RepoSearch {
  const ownerId = parseId(query.uid)
  return {
    keyword: query.q?.trim(),
    topicOnly: parseFlag(query.topic),
    includeDescription: parseFlag(query.includeDesc),
    ownerId,
    contributed: ownerId === undefined || parseFlag(query.exclusive) || !knowsContributions(viewer, ownerId) ? undefined : 'also',
    priorityOwnerId: parseId(query.priority_owner_id),
    teamId: parseId(query.team_id),
    starredBy: parseId(query.starredBy),
    publicOnly: viewer.user === undefined || parseFlag(query.private) === false,
    isPrivate: parseFlag(query.is_private),
    isTemplate: parseFlag(query.template),
    isArchived: parseFlag(query.archived),
    ...parseMode(query.mode ?? ''),
    ...parseOrder(query),
  }
}

function parseMode(mode: string): RepoSearch {
  if (mode === 'source') return { isFork: false, isMirror: false }
  if (mode === 'fork') return { isFork: true }
  if (mode === 'mirror') return { isMirror: true }
  if (mode === 'collaborative') return { isMirror: false, contributed: 'only' }
  if (mode === '') return {}
  throw new Unprocessable(`Invalid search mode: "${mode.slice(0, 50)}"`)
}

function parseOrder({ sort = '', order = '' }: SearchQuery): RepoSearch {
  if (order !== '' && order !== 'asc' && order !== 'desc') throw new Unprocessable(`Invalid sort order: "${order.slice(0, 50)}"`)
  if (sort === '') return { sort: 'alpha' }
  if (!isRepoSort(sort) || sort === 'name') throw new Unprocessable(`Invalid sort mode: "${sort.slice(0, 50)}"`)
  return { sort, descending: order === 'desc' }
}

function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
  return id > 0 ? id : undefined
}

function parseFlag(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  return ['1', 't', 'T', 'true', 'True', 'TRUE'].includes(text)
}
