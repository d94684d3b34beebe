import { Icon, Later, Popup, Way } from '#web/index.ts'
import { sortNamed } from '#work/issues/index.ts'
import { type MenuName, menuAddress, menus, menusOf } from './list-menus.ts'
import { isNarrowed, type ListPlace, listAddress } from './list-place.ts'

export const stateIcons = { issues: ['issue-opened', 'issue-closed'], pulls: ['git-pull-request', 'check'] } as const
const sorts = {
  latest: 'Newest',
  oldest: 'Oldest',
  recentupdate: 'Recently updated',
  leastupdate: 'Least recently updated',
  mostcomment: 'Most comments',
  leastcomment: 'Fewest comments',
  nearduedate: 'Nearest due date',
  farduedate: 'Furthest due date',
} as const

/** How many there are, the ways to narrow them down, and their order. */
export function ListHead({ place, counts }: { place: ListPlace; counts: Record<'open' | 'closed', number> }) {
  const { visit, kind, line, state } = place
  const now = sortNamed(line.valuesOf('sort').at(-1) ?? '') ?? 'latest'
  const only = (name: string) => listAddress(place, { line: line.with(name, '@me') })
  return (
    <div class="list-head">
      <nav aria-label="State">
        {(['open', 'closed', 'all'] as const).map((one, i) => (
          <a href={listAddress(place, { state: one })} aria-current={one === state ? 'page' : undefined}>
            {i < 2 && <Icon visit={visit} name={stateIcons[kind][i as 0 | 1]} />}
            {one === 'all' ? 'All' : `${counts[one]} ${one}`}
          </a>
        ))}
        {isNarrowed(place) && (
          <a href={listAddress(place, { line: line.only('sort') })}>
            <Icon visit={visit} name="x" />
            Clear filters
          </a>
        )}
      </nav>
      <nav class="narrow" aria-label="Filter and sort">
        {visit.viewer.user && <a href={only('author')}>Created by me</a>}
        {visit.viewer.user && <a href={only('assignee')}>Assigned to me</a>}
        {menusOf(kind).map((name) => (
          <Menu place={place} name={name} />
        ))}
        <Popup id="menu-sort" look="quiet" face="Sort">
          {Object.entries(sorts).map(([name, text]) => (
            <Way visit={visit} to={listAddress(place, { line: line.with('sort', name) })} isNow={name === now}>
              {text}
            </Way>
          ))}
        </Popup>
      </nav>
    </div>
  )
}

/** What there is to choose from is asked for once the menu opens: a list is no dearer for a thousand labels. */
function Menu({ place, name }: { place: ListPlace; name: MenuName }) {
  const { title, term } = menus[name]
  const isSet = place.line.valuesOf(term).length > 0 || place.line.has('no', term)
  return (
    <Popup id={`menu-${name}`} look="quiet" label={isSet ? `${title}: filtered` : undefined} face={isSet ? <strong>{title}</strong> : title}>
      <Later href={menuAddress(place, name)} fragment="menu">
        {`Filter by ${title.toLowerCase()}`}
      </Later>
    </Popup>
  )
}
