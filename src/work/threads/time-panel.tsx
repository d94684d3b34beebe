import { Icon, Time, type Visit } from '#web/index.ts'
import { spellTime } from '#work/times/index.ts'
import type { ThreadView, Times } from './view.ts'

interface Props {
  visit: Visit
  view: ThreadView
  address: string
  times: Times
}

/** How long people have worked on an issue, and a watch for who works on it now. */
export function TimePanel({ visit, view, address, times: { spent, runningSince, mayTrack } }: Props) {
  if (spent.length === 0 && !mayTrack) return null
  const total = spent.reduce((sum, { seconds }) => sum + seconds, 0)
  const isMine = spent.some(({ name }) => name === view.rights.self)
  return (
    <section>
      <h2>Time spent</h2>
      <p>{spent.length === 0 ? <span class="faint">None</span> : spellTime(total)}</p>
      {spent.length > 1 &&
        spent.map(({ name, seconds }) => (
          <p>
            <a href={visit.to`/${name}`}>{name}</a> {spellTime(seconds)}
          </p>
        ))}
      {mayTrack && <Watch visit={visit} address={address} runningSince={runningSince} />}
      {mayTrack && <TimeForm visit={visit} address={address} isMine={isMine} />}
    </section>
  )
}

function Watch({ visit, address, runningSince }: Pick<Props, 'visit' | 'address'> & { runningSince: number | undefined }) {
  return (
    <form class="buttons" method="post" action={`${address}/times`}>
      {runningSince === undefined ? (
        <button type="submit" name="action" value="start">
          <Icon visit={visit} name="clock" />
          Start timer
        </button>
      ) : (
        <>
          <span class="faint">
            {'Timer started '}
            <Time at={runningSince} />
          </span>
          <button type="submit" name="action" value="stop">
            Stop timer
          </button>
          <button type="submit" name="action" value="cancel">
            Discard timer
          </button>
        </>
      )}
    </form>
  )
}

function TimeForm({ visit, address, isMine }: Pick<Props, 'visit' | 'address'> & { isMine: boolean }) {
  return (
    <details>
      <summary>
        <Icon visit={visit} name="plus" />
        Add time
      </summary>
      <form class="fields" method="post" action={`${address}/times`}>
        <label>
          Hours
          <input type="number" name="hours" min="0" max="1000" value="0" />
        </label>
        <label>
          Minutes
          <input type="number" name="minutes" min="0" max="59" value="0" />
        </label>
        <div class="buttons">
          <button class="primary" type="submit" name="action" value="add">
            Add time
          </button>
          {isMine && (
            <button class="danger" type="submit" name="action" value="reset">
              Delete my time entries
            </button>
          )}
        </div>
      </form>
    </details>
  )
}
