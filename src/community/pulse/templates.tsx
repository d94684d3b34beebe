import type { RepoAccess } from '#access/index.ts'
import { MadeBy, type People } from '#code/commits/index.ts'
import type { AuthorTally, HistoryStats } from '#git/history/history-stats.ts'
import { type Child, countText, Empty, numberText, RepoFrame, Time, type Visit } from '#web/index.ts'
import { CommitsChart, LinesChart, spansOf } from './charts.tsx'
import { type Period, periods } from './periods.ts'
import type { MovedIssue, PulseRelease } from './store.ts'

/** Authors that a period names, and issues of each kind. */
const MOST_NAMED = 20
/** Bars of authors are as long as that. */
const WIDEST = 160

const views = { pulse: 'Pulse', contributors: 'Contributors', 'code-frequency': 'Code frequency' } as const
type View = keyof typeof views

interface FrameProps {
  visit: Visit
  repo: RepoAccess
  view: View
  children: Child
}

function ActivityFrame({ visit, repo, view, children }: FrameProps) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/activity`
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={views[view]}>
      <div class="bar">
        <h2>{views[view]}</h2>
        <nav class="switch" aria-label="Activity">
          {(Object.keys(views) as View[]).map((one) => (
            <a href={one === 'pulse' ? address : `${address}/${one}`} aria-current={one === view ? 'true' : undefined}>
              {views[one]}
            </a>
          ))}
        </nav>
      </div>
      {children}
    </RepoFrame>
  )
}

/** What a period brought; absent is what the viewer may not read. */
export interface Pulse {
  period: Period
  since: number
  pulls: { opened: readonly MovedIssue[]; merged: readonly MovedIssue[]; closed: readonly MovedIssue[] } | undefined
  issues: { opened: readonly MovedIssue[]; closed: readonly MovedIssue[] } | undefined
  releases: readonly PulseRelease[] | undefined
  stats: HistoryStats | undefined
  people: People
  /** Whether there was more than was looked at. */
  isCut: boolean
}

export function PulsePage({ visit, repo, pulse }: { visit: Visit; repo: RepoAccess; pulse: Pulse }) {
  const { period, since, pulls, issues, releases, stats, people, isCut } = pulse
  const base = visit.to`/${repo.owner.name}/${repo.row.name}`
  const lists: [title: string, kind: 'pulls' | 'issues', found: readonly MovedIssue[] | undefined][] = [
    ['Pull requests merged', 'pulls', pulls?.merged],
    ['Pull requests opened', 'pulls', pulls?.opened],
    ['Pull requests closed unmerged', 'pulls', pulls?.closed],
    ['Issues closed', 'issues', issues?.closed],
    ['Issues opened', 'issues', issues?.opened],
  ]
  const shown = lists.flatMap(([title, kind, found]) => (found === undefined ? [] : [{ title, kind, found }]))
  const isQuiet = (stats?.commits ?? 0) === 0 && shown.every(({ found }) => found.length === 0)
  return (
    <ActivityFrame visit={visit} repo={repo} view="pulse">
      <div class="buttons">
        <nav class="switch" aria-label="Period">
          {(Object.keys(periods) as Period[])
            .filter((one) => periods[one].isOffered)
            .map((one) => (
              <a href={`${base}/activity/${one}`} aria-current={one === period ? 'true' : undefined}>
                {periods[one].words}
              </a>
            ))}
        </nav>
      </div>
      <p>
        {'Since '}
        {new Date(since * 1000).toISOString().slice(0, 10)}
        {shown.map(({ title, found }) => found.length > 0 && `, ${counted(found.length, title)}`)}
        {stats && stats.commits > 0 && `, ${countText(stats.commits, 'commit')} by ${countText(stats.authorCount, 'author')}`}
        {isQuiet ? ': no activity.' : '.'}
        {isCut && ' There was too much activity to count: the numbers are incomplete.'}
      </p>
      {releases && releases.length > 0 && (
        <section>
          <h3>Releases</h3>
          <ul class="list">
            {releases.map(({ tag_name, title, created_at }) => (
              <li>
                <a href={visit.to`/${repo.owner.name}/${repo.row.name}/releases/tag/${tag_name}`}>{title || tag_name}</a>{' '}
                <span class="faint">
                  <Time at={created_at} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {stats && stats.commits > 0 && (
        <section>
          <h3>Authors</h3>
          <Authors visit={visit} people={people} authors={stats.authors.slice(0, MOST_NAMED)} />
          <Limits stats={stats} />
        </section>
      )}
      {shown.map(({ title, kind, found }) => found.length > 0 && <Moved title={title} address={`${base}/${kind}`} found={found} />)}
    </ActivityFrame>
  )
}

/** `1 issue closed`, `2 issues closed` */
function counted(count: number, title: string): string {
  const words = title.toLowerCase()
  return `${numberText(count)} ${count === 1 ? words.replace('requests', 'request').replace('issues', 'issue') : words}`
}

function Moved({ title, address, found }: { title: string; address: string; found: readonly MovedIssue[] }) {
  return (
    <section>
      <h3>
        {title} <span class="faint">{numberText(found.length)}</span>
      </h3>
      <ul class="list">
        {found.slice(0, MOST_NAMED).map(({ number, title: text, created_at, closed_at }) => (
          <li>
            <a href={`${address}/${number}`}>{text}</a>{' '}
            <span class="faint">
              {`#${number} `}
              <Time at={title.endsWith('opened') ? created_at : (closed_at ?? created_at)} />
            </span>
          </li>
        ))}
      </ul>
      {found.length > MOST_NAMED && <p class="faint">{`Only the last ${MOST_NAMED} are shown.`}</p>}
    </section>
  )
}

interface StatsProps {
  visit: Visit
  repo: RepoAccess
  people: People
  stats: HistoryStats | undefined
}

export function ContributorsPage({ visit, repo, people, stats }: StatsProps) {
  return (
    <ActivityFrame visit={visit} repo={repo} view="contributors">
      {stats === undefined && <Empty visit={visit} icon="history" title="No commits yet" />}
      {stats && (
        <>
          <CommitsChart spans={spansOf(stats.weeks)} title={`${countText(stats.commits, 'commit')} to ${repo.row.default_branch}, excluding merge commits`} />
          <Limits stats={stats} />
          <Authors visit={visit} people={people} authors={stats.authors} />
          {stats.authorCount > stats.authors.length && (
            <p class="faint">{`Showing the ${stats.authors.length} authors with the most commits, out of ${numberText(stats.authorCount)}.`}</p>
          )}
        </>
      )}
    </ActivityFrame>
  )
}

export function FrequencyPage({ visit, repo, stats }: Omit<StatsProps, 'people'>) {
  const sum = (of: 'additions' | 'deletions') => numberText((stats?.weeks ?? []).reduce((all, week) => all + week[of], 0))
  return (
    <ActivityFrame visit={visit} repo={repo} view="code-frequency">
      {stats === undefined && <Empty visit={visit} icon="history" title="No commits yet" />}
      {stats && (
        <>
          <LinesChart spans={spansOf(stats.weeks)} title={`${sum('additions')} lines added and ${sum('deletions')} deleted in ${repo.row.default_branch}`} />
          <Limits stats={stats} />
        </>
      )}
    </ActivityFrame>
  )
}

/** What was left out for want of time. */
function Limits({ stats: { isCut, linesSince } }: { stats: HistoryStats }) {
  return (
    <>
      {isCut && <p class="faint">The history is too long to count: only the newest commits are included.</p>}
      {linesSince !== undefined && (
        <p class="faint">
          {'Line counts only include commits since '}
          <Time at={linesSince} dated />
          {'.'}
        </p>
      )}
    </>
  )
}

function Authors({ visit, people, authors }: { visit: Visit; people: People; authors: readonly AuthorTally[] }) {
  const most = Math.max(1, ...authors.map(({ commits }) => commits))
  return (
    <ol class="list authors">
      {authors.map(({ commits, additions, deletions, ...who }) => (
        <li class="entry">
          <span class="what grows">
            <MadeBy visit={visit} people={people} who={who} />
          </span>
          <svg width={WIDEST} height="8" aria-hidden="true">
            <rect class="bar-ahead" width={Math.max(2, Math.round((commits / most) * WIDEST))} height="8" />
          </svg>
          <span class="faint">{`${countText(commits, 'commit')}, +${numberText(additions)} −${numberText(deletions)}`}</span>
        </li>
      ))}
    </ol>
  )
}
