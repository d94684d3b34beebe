import type { Page } from '#kernel/page.ts'
import { Empty } from '#web/index.ts'
import { stateIcons } from './list-head.tsx'
import { isNarrowed, type ListPlace, listAddress, words } from './list-place.ts'

interface Props {
  place: ListPlace
  counts: Record<'open' | 'closed', number>
  page: Page
}

/** As many ways to leave out one term are offered. */
const MAX_WAYS = 8

/** In place of a list that has nothing: what was asked for, and how to ask for more. */
export function Nothing({ place, counts, page }: Props) {
  const { visit, kind, state, line } = place
  const other = state === 'open' ? 'closed' : 'open'
  const isThereAny = page.page > 1 && (state === 'all' ? counts.open + counts.closed : counts[state]) > 0
  const { many, about } = words[kind]
  const asked = state === 'all' ? many : `${state} ${many}`
  if (isThereAny) {
    return (
      <Empty visit={visit} icon={stateIcons[kind][0]} title="No more results">
        <a href={listAddress(place)}>Back to page 1</a>
      </Empty>
    )
  }
  return (
    <Empty visit={visit} icon={stateIcons[kind][0]} title={isNarrowed(place) ? `No ${asked} match your search` : `No ${asked}`}>
      {!isNarrowed(place) && <p>{about}</p>}
      {isNarrowed(place) && (
        <p>
          {'Search: '}
          <code>{String(line)}</code>
        </p>
      )}
      <p class="ways-out">
        {state !== 'all' && counts[other] > 0 && <a href={listAddress(place, { state: other })}>{`${counts[other]} ${other}`}</a>}
        {line.terms.length > 1 &&
          line.terms
            .filter(({ name }) => name !== 'sort')
            .slice(0, MAX_WAYS)
            .map((term) => <a href={listAddress(place, { line: line.less(term) })}>{`Remove ${term.whole}`}</a>)}
        {isNarrowed(place) && <a href={listAddress(place, { line: line.only('sort') })}>Clear filters</a>}
      </p>
    </Empty>
  )
}
