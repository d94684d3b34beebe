import { Interests } from '#access/hooks.ts'
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

/** Parses the parameters of `GET /repos/search`. @throws Unprocessable for an invalid id and for an unknown mode, sort key or order */
export function parseSearch({ services }: Pick<Context, 'services'>, query: SearchQuery, viewer: Viewer): AskedSearch {
  const ownerId = idIn(query.uid, 'uid')
  const starredBy = idIn(query.starredBy, 'starredBy')
  return {
    keyword: query.q?.trim(),
    topicOnly: flagIn(query.topic),
    includeDescription: flagIn(query.includeDesc),
    ownerId,
    contributed: ownerId === undefined || flagIn(query.exclusive) || !knowsContributions(viewer, ownerId) ? undefined : 'also',
    priorityOwnerId: idIn(query.priority_owner_id, 'priority_owner_id'),
    teamId: idIn(query.team_id, 'team_id'),
    starredBy,
    further: starredBy === undefined ? [] : [services.get(Interests).starring.of(starredBy)],
    publicOnly: viewer.user === undefined || flagIn(query.private) === false,
    isPrivate: flagIn(query.is_private),
    isTemplate: flagIn(query.template),
    isArchived: flagIn(query.archived),
    ...parseMode(query.mode ?? ''),
    ...parseOrder(query),
  }
}

/** Clients send 0 for an id that they leave out. */
function idIn(text: string | undefined, name: string): number | undefined {
  if (!text || text === '0') return undefined
  const id = rowIdIn(text)
  if (id === 0) throw new Unprocessable(`[${name}]: "${text.slice(0, 50)}" is not a valid id`)
  return id
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
