import type { RepoAccess } from '#access/index.ts'
import type { Visit } from '#web/index.ts'
import type { SearchLine } from './search-line.ts'

export type Kind = 'issues' | 'pulls'
export type ListState = 'open' | 'closed' | 'all'

export function listStateOf(text: string | undefined): ListState {
  return text === 'closed' || text === 'all' ? text : 'open'
}

export const words = {
  issues: { title: 'Issues', one: 'issue', many: 'issues', about: 'Use issues to track bugs, tasks and feature requests.' },
  pulls: { title: 'Pull requests', one: 'pull request', many: 'pull requests', about: 'Push a branch, then open a pull request to merge it.' },
}

/** Which list somebody looks at. */
export interface ListPlace {
  visit: Visit
  repo: RepoAccess
  kind: Kind
  /** What it is narrowed down by, but for the state. */
  line: SearchLine
  state: ListState
}

/** The address of the list as it is, but for what is given. */
export function listAddress({ visit, repo: { owner, row }, kind, ...now }: ListPlace, change: Partial<Pick<ListPlace, 'line' | 'state'>> = {}): string {
  const { line, state } = { ...now, ...change }
  const q = String(line)
  return `${visit.to`/${owner.name}/${row.name}/${kind}`}?state=${state}${q === '' ? '' : `&q=${encodeURIComponent(q)}`}`
}

/** Whether it leaves anything out: an order does not. */
export function isNarrowed({ line }: Pick<ListPlace, 'line'>): boolean {
  return line.without('sort').terms.length > 0
}
