import { type Child, type Html, Icon, type IconName, type Visit } from '#web/index.ts'
import type { CommitState } from './schema.ts'
import type { ShownStatus } from './store.ts'

interface Look {
  text: string
  icon: IconName
  color: 'good' | 'bad' | 'warn' | 'faint'
}

const looks: Record<CommitState, Look> = {
  success: { text: 'Succeeded', icon: 'check-circle-fill', color: 'good' },
  failure: { text: 'Failed', icon: 'x-circle-fill', color: 'bad' },
  error: { text: 'Error', icon: 'alert', color: 'bad' },
  warning: { text: 'Warning', icon: 'alert', color: 'warn' },
  pending: { text: 'Pending', icon: 'clock', color: 'warn' },
  skipped: { text: 'Skipped', icon: 'skip', color: 'faint' },
}

/** How many contexts have each state. */
export type StateCounts = readonly { state: CommitState; n: number }[]

/** `2 succeeded, 1 failed` */
export function countsText(counts: StateCounts): string {
  return (Object.keys(looks) as CommitState[])
    .map((state) => ({ text: looks[state].text.toLowerCase(), n: totalOf(counts.filter((one) => one.state === state)) }))
    .filter(({ n }) => n > 0)
    .map(({ text, n }) => `${n} ${text}`)
    .join(', ')
}

export function totalOf(counts: StateCounts): number {
  return counts.reduce((sum, { n }) => sum + n, 0)
}

/** @param label what a screen reader says; without it the icon is hidden from screen readers */
export function StateIcon({ visit, state, label }: { visit: Visit; state: CommitState; label?: string }) {
  const { icon, color } = looks[state]
  return (
    <span class={color}>
      <Icon visit={visit} name={icon} label={label} />
    </span>
  )
}

/** @param most characters of a description */
export function StatusList({
  visit,
  statuses,
  most = Infinity,
  children,
}: {
  visit: Visit
  statuses: readonly ShownStatus[]
  most?: number
  children?: Child
}) {
  return (
    <ul class="statuses">
      {statuses.map(({ state, context, description, target_url: url }) => (
        <li>
          <StateIcon visit={visit} state={state} /> {looks[state].text}: <Context name={context || 'default'} url={url} />
          {description !== '' && <span class="faint">{` ${description.length > most ? `${description.slice(0, most)}…` : description}`}</span>}
        </li>
      ))}
      {children}
    </ul>
  )
}

/** Addresses are checked when a status is created, and again here. */
function Context({ name, url }: { name: string; url: string }): Html {
  if (!/^https?:\/\//i.test(url)) return <>{name}</>
  return (
    <a href={url} rel="nofollow noopener">
      {name}
    </a>
  )
}

interface ChecksProps {
  visit: Visit
  counts: StateCounts
  /** The statuses that are listed; there can be more. */
  statuses: readonly ShownStatus[]
  /** Contexts that a branch protection rule requires and that have no status yet. */
  missing?: readonly string[]
  /** Leads to the statuses that are not shown. */
  more?: Child
}

/** The statuses of a commit, open unless all of them succeeded or were skipped. */
export function Checks({ visit, counts, statuses, missing = [], more }: ChecksProps) {
  if (totalOf(counts) + missing.length === 0) return null
  const isFine = missing.length === 0 && counts.every(({ state }) => state === 'success' || state === 'skipped')
  const summary = [countsText(counts), missing.length > 0 && `${missing.length} required and not reported yet`].filter(Boolean)
  return (
    <details class="written" id="checks" open={!isFine}>
      <summary>{`Checks: ${summary.join(', ')}`}</summary>
      <StatusList visit={visit} statuses={statuses}>
        {missing.map((name) => (
          <li>
            <StateIcon visit={visit} state="pending" /> Not reported yet: {name}
          </li>
        ))}
      </StatusList>
      {more}
    </details>
  )
}
