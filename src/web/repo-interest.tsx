import { atLeast, type RepoAccess } from '#access/index.ts'
import type { Visit } from './visit.ts'

/** Buttons to watch, star and fork a repository, each beside how many did. */
export function RepoInterest({ visit, repo: { row, owner, permission } }: { visit: Visit; repo: RepoAccess }) {
  const address = visit.to`/${owner.name}/${row.name}`
  const mine = visit.interestIn(row.id)
  return (
    <div class="interest">
      <Choice address={address} list="watchers" count={row.watch_count} chosen={mine?.watches} words={{ do: 'watch', undo: 'unwatch', label: 'Watchers' }} />
      <Choice address={address} list="stars" count={row.star_count} chosen={mine?.stars} words={{ do: 'star', undo: 'unstar', label: 'Stars' }} />
      {atLeast(permission.of('code'), 'read') && (
        <span class="choice-count">
          {mine !== undefined && row.is_empty === 0 && <a href={`${address}/fork`}>Fork</a>}
          <a href={`${address}/forks`} aria-label={`Forks: ${row.fork_count}`}>
            {row.fork_count}
          </a>
        </span>
      )}
    </div>
  )
}

interface ChoiceProps {
  address: string
  list: string
  count: number
  /** Undefined for visitors, who choose nothing. */
  chosen: boolean | undefined
  words: { do: string; undo: string; label: string }
}

function Choice({ address, list, count, chosen, words }: ChoiceProps) {
  const verb = chosen ? words.undo : words.do
  return (
    <span class="choice-count">
      {chosen !== undefined && (
        <form method="post" action={`${address}/action/${verb}`}>
          <button type="submit">{`${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`}</button>
        </form>
      )}
      {chosen === undefined && <span>{words.label}</span>}
      <a href={`${address}/${list}`} aria-label={`${words.label}: ${count}`}>
        {count}
      </a>
    </span>
  )
}
