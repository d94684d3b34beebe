import type { Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { knowsContributions } from './rules.ts'
import type { SearchQuery } from './schema.ts'
import { isRepoSort, type RepoSearch } from './search-store.ts'

/** A search, with the person whose stars it would tell of. */
export interface AskedSearch extends RepoSearch {
  starredBy?: number
}

/** The parameters of `GET /repos/search`. @throws Unprocessable on a mode, sort key or order that is not known */
export function parseSearch({ interests }: Pick<Context, 'interests'>, query: SearchQuery, viewer: Viewer): AskedSearch {
  const ownerId = rowIdIn(query.uid) || undefined
  const starredBy = rowIdIn(query.starredBy) || undefined
  return {
    keyword: query.q?.trim(),
    topicOnly: flagIn(query.topic),
    includeDescription: flagIn(query.includeDesc),
    ownerId,
    contributed: ownerId === undefined || flagIn(query.exclusive) || !knowsContributions(viewer, ownerId) ? undefined : 'also',
    priorityOwnerId: rowIdIn(query.priority_owner_id) || undefined,
    teamId: rowIdIn(query.team_id) || undefined,
    starredBy,
    further: starredBy === undefined ? [] : [interests.starring.of(starredBy)],
    publicOnly: viewer.user === undefined || flagIn(query.private) === false,
    isPrivate: flagIn(query.is_private),
    isTemplate: flagIn(query.template),
    isArchived: flagIn(query.archived),
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
  if (sort === '') return { sort: 'name' }
  if (!isRepoSort(sort) || sort === 'name') throw new Unprocessable(`Invalid sort mode: "${sort.slice(0, 50)}"`)
  return { sort, descending: order === 'desc' }
}
