import { atLeast, type RepoAccess } from '#access/index.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import { numberText } from './numbers.ts'
import type { Visit } from './visit.ts'

/** Buttons to watch, star and fork a repository, each beside how many did. */
export function RepoInterest({ visit, repo: { row, owner, permission } }: { visit: Visit; repo: RepoAccess }) {
  const address = visit.to`/${owner.name}/${row.name}`
  const mine = visit.interestIn(row.id)
  return (
    <div class="interest">
      <Choice
        visit={visit}
        address={address}
        list="watchers"
        count={row.watch_count}
        chosen={mine?.watches}
        icons={['eye', 'eye']}
        words={{ do: 'watch', undo: 'unwatch', label: 'Watchers' }}
      />
      <Choice
        visit={visit}
        address={address}
        list="stars"
        count={row.star_count}
        chosen={mine?.stars}
        icons={['star', 'star-fill']}
        words={{ do: 'star', undo: 'unstar', label: 'Stars' }}
      />
      {atLeast(permission.of('code'), 'read') && (
        <span class="choice-count">
          {mine !== undefined && row.is_empty === 0 ? (
            <a href={`${address}/fork`}>
              <Icon visit={visit} name="repo-forked" />
              Fork
            </a>
          ) : (
            <span>
              <Icon visit={visit} name="repo-forked" />
              Forks
            </span>
          )}
          <a href={`${address}/forks`} aria-label={`Forks: ${numberText(row.fork_count)}`}>
            {numberText(row.fork_count)}
          </a>
        </span>
      )}
    </div>
  )
}

interface ChoiceProps {
  visit: Visit
  address: string
  list: string
  count: number
  /** Undefined for visitors, who choose nothing. */
  chosen: boolean | undefined
  /** While it is not chosen, and when it is. */
  icons: readonly [IconName, IconName]
  words: { do: string; undo: string; label: string }
}

function Choice({ visit, address, list, count, chosen, icons, words }: ChoiceProps) {
  const verb = chosen ? words.undo : words.do
  const icon = <Icon visit={visit} name={icons[chosen ? 1 : 0]} />
  return (
    <span class="choice-count">
      {chosen !== undefined && (
        <form method="post" action={`${address}/action/${verb}`}>
          <button type="submit">
            {icon}
            {`${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`}
          </button>
        </form>
      )}
      {chosen === undefined && (
        <span>
          {icon}
          {words.label}
        </span>
      )}
      <a href={`${address}/${list}`} aria-label={`${words.label}: ${numberText(count)}`}>
        {numberText(count)}
      </a>
    </span>
  )
}
