import { combineStates, countNewestOf, type StatusRow } from '#code/statuses/index.ts'
import type { Db } from '#kernel/db.ts'
import { type Child, Icon, type IconName, type Visit } from '#web/index.ts'

const states: Record<StatusRow['state'], readonly [words: string, icon: IconName]> = {
  success: ['Succeeded', 'check-circle-fill'],
  failure: ['Failed', 'x-circle-fill'],
  error: ['Broke off', 'alert'],
  warning: ['Warns', 'alert'],
  pending: ['Waits', 'clock'],
  skipped: ['Skipped', 'skip'],
}

/** What programs say of the newest commit of a pull request. @param missing what a rule asks for and nobody has said yet */
export function Checks({ visit, checks, missing }: { visit: Visit; checks: readonly StatusRow[]; missing: readonly string[] }) {
  if (checks.length + missing.length === 0) return null
  const count = (state: StatusRow['state']) => checks.filter((check) => check.state === state).length
  const summary = (Object.keys(states) as StatusRow['state'][])
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${states[state][0].toLowerCase()}`)
  if (missing.length > 0) summary.push(`${missing.length} required and not reported yet`)
  return (
    <details class="written" id="checks" open={count('success') + count('skipped') < checks.length + missing.length}>
      <summary>{`Checks: ${summary.join(', ')}`}</summary>
      <ul>
        {checks.map(({ state, context, description, target_url: url }) => (
          <li>
            <Icon visit={visit} name={states[state][1]} /> {states[state][0]}:{' '}
            {/^https?:\/\//i.test(url) ? (
              <a href={url} rel="nofollow noopener">
                {context}
              </a>
            ) : (
              context
            )}
            {description !== '' && <span class="faint">{` ${description}`}</span>}
          </li>
        ))}
        {missing.map((name) => (
          <li>
            <Icon visit={visit} name="clock" /> Not reported yet: {name}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What programs say of commits, of each in one sign. */
export function checkMarks(db: Db, visit: Visit, repoId: number, oids: readonly string[]): (oid: string) => Child {
  const counts = Map.groupBy(countNewestOf(db, repoId, oids), ({ oid }) => oid)
  return (oid) => {
    const said = counts.get(oid)
    if (said === undefined) return undefined
    const [words, icon] = states[combineStates(said.map(({ state }) => state))]
    return <Icon visit={visit} name={icon} label={`Checks: ${words.toLowerCase()}`} />
  }
}
