import { atLeast, decorate, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Child, Popup, type Visit } from '#web/index.ts'
import { combineStates } from './combine.ts'
import { countsText, StateIcon, StatusList, totalOf } from './status-list.tsx'
import { findStatusesOf } from './store.ts'

/** A list shows this many statuses of each commit, failed ones first, and this many characters of a description; the commit's page shows all. */
const MOST_SHOWN = 5
const MOST_CHARACTERS = 100

/** Makes the mark of a commit in a list: an icon of its combined state, which opens a menu of its statuses. */
export type StatusMarks = (oid: string) => Child

const noMarks: StatusMarks = () => undefined

/** The marks of the commits that a page lists, for viewers who can read the code. One SQL statement for all of them. */
export function statusMarks(context: Pick<Context, 'db' | 'log' | 'services'>, visit: Visit, repo: RepoAccess, oids: readonly string[]): Promise<StatusMarks> {
  if (oids.length === 0 || !atLeast(repo.permission.of('code'), 'read')) return Promise.resolve(noMarks)
  return decorate(context, 'commit statuses', () => marksOf(context, visit, repo, [...new Set(oids)]), noMarks)
}

function marksOf({ db }: Pick<Context, 'db'>, visit: Visit, { owner, row }: RepoAccess, oids: readonly string[]): StatusMarks {
  const found = findStatusesOf(db, row.id, oids, MOST_SHOWN)
  const counts = Map.groupBy(
    found.counts.filter(({ n }) => n > 0),
    ({ oid }) => oid,
  )
  const statuses = Map.groupBy(found.statuses, ({ oid }) => oid)
  // A list can show one commit twice.
  let marks = 0
  return (oid) => {
    const states = counts.get(oid)
    if (states === undefined) return undefined
    const shown = statuses.get(oid) ?? []
    const label = `Checks: ${countsText(states)}`
    const total = totalOf(states)
    return (
      <Popup id={`checks-${++marks}`} label={label} look="status" face={<StateIcon visit={visit} state={combineStates(states.map(({ state }) => state))} />}>
        <p>
          <strong>{label}</strong>
        </p>
        <StatusList visit={visit} statuses={shown} most={MOST_CHARACTERS} />
        <a href={`${visit.to`/${owner.name}/${row.name}/commit/${oid}`}#checks`}>{total > shown.length ? `Show all ${total} checks` : 'Show details'}</a>
      </Popup>
    )
  }
}
