import type { RepoAccess } from '#access/index.ts'
import type { StatusMarks } from '#code/statuses/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { LaneRow } from '#git/history/lanes.ts'
import { countText, Empty, Icon, RepoFrame, Time, type Visit } from '#web/index.ts'
import { LaneCell, widthOf } from './graph-view.tsx'
import { MadeBy, SignatureMark } from './made-by.tsx'
import type { People } from './people.ts'
import type { RefPath } from './ref-path.ts'
import { type RefChoices, RefPicker } from './ref-picker.tsx'
import type { PayloadCommitVerification } from './schema.ts'
import { subjectOf } from './templates.tsx'

/** What of a history is asked for: texts in its authors and messages, and days. */
export interface LogFilter {
  by: string
  saying: string
  since: string
  until: string
}

export interface LoggedCommit extends CommitDetails {
  /** How it stands in the graph; absent of histories of a path, which have no whole one. */
  row?: LaneRow
  /** Branches and tags that point to it. */
  refs?: readonly string[]
  verification?: PayloadCommitVerification | undefined
}

interface Props {
  visit: Visit
  repo: RepoAccess
  people: People
  marks: StatusMarks
  commits: readonly LoggedCommit[]
  pages: LogPages
}

/** Addresses of the pages around one, where there are such pages. */
export interface LogPages {
  next: string | undefined
  /** The one that somebody came from. */
  newer: string | undefined
  first: string | undefined
}

interface LogProps extends Props {
  place: RefPath
  /** Of histories that are counted quickly. */
  total: number | undefined
  filter: LogFilter
  /** Whether a search ended before it was done. */
  isCut: boolean
  choices: RefChoices
}

const feeds = [
  ['rss', 'RSS'],
  ['atom', 'Atom'],
] as const

export function LogPage({ visit, repo, people, marks, commits, pages, place, total, filter, isCut, choices }: LogProps) {
  const title = place.path === '' ? `Commits in ${place.name}` : `History of ${place.path} in ${place.name}`
  const count = total === undefined ? 'Commits' : countText(total, 'commit')
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={title}>
      <div class="bar">
        <div class="buttons">
          <RefPicker visit={visit} repo={repo} place={place} view="commits" choices={choices} />
          <h2>{place.path === '' ? count : `History of ${place.path}`}</h2>
        </div>
        <p>
          {place.path !== '' && <a href={visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${place.path}`}>View content</a>}
          {place.path !== '' && ' · '}
          <a href={visit.to`/${owner.name}/${row.name}/graph`}>Graph of all branches</a>
          {' · '}
          <a href={visit.to`/${owner.name}/${row.name}/activity/contributors`}>Contributors</a>
          {(place.kind === 'branch' ? feeds : []).map(([form, text]) => [
            ' · ',
            <a href={visit.to`/${owner.name}/${row.name}/${form}/branch/${place.name}/${place.path}`}>{text}</a>,
          ])}
        </p>
      </div>
      <Filter visit={visit} repo={repo} place={place} filter={filter} />
      {commits.length === 0 && !isCut && <Empty visit={visit} icon="search" title={pages.first === undefined ? 'No commits found' : 'No more commits found'} />}
      <Rows visit={visit} repo={repo} people={people} marks={marks} commits={commits} />
      {isCut && <p class="faint">The search timed out before all commits were checked.</p>}
      <LogPager {...pages} isCut={isCut} />
    </RepoFrame>
  )
}

function LogPager({ next, newer, first, isCut = false }: LogPages & { isCut?: boolean }) {
  if (next === undefined && first === undefined) return null
  return (
    <nav class="pager" aria-label="Pages">
      {first !== undefined && (
        <a rel="first" href={first}>
          Newest
        </a>
      )}
      {newer !== undefined && (
        <a rel="prev" href={newer}>
          Newer
        </a>
      )}
      {next !== undefined && (
        <a rel="next" href={next}>
          {isCut ? 'Keep searching' : 'Older'}
        </a>
      )}
    </nav>
  )
}

function Filter({ visit, repo: { owner, row }, place, filter }: Pick<LogProps, 'visit' | 'repo' | 'place' | 'filter'>) {
  const isUsed = Object.values(filter).some((text) => text !== '')
  return (
    <details open={isUsed}>
      <summary>Search</summary>
      <form class="search" method="get" action={visit.to`/${owner.name}/${row.name}/commits/${place.kind}/${place.name}/${place.path}`}>
        <input type="search" name="saying" value={filter.saying} aria-label="Commit message" placeholder="Commit message" maxlength="200" />
        <input type="search" name="by" value={filter.by} aria-label="Author" placeholder="Author" maxlength="200" />
        <label>
          Since <input type="date" name="since" value={filter.since} />
        </label>
        <label>
          Until <input type="date" name="until" value={filter.until} />
        </label>
        <button type="submit">Search</button>
      </form>
    </details>
  )
}

interface GraphProps extends Props {
  branches: readonly string[]
  chosen: readonly string[]
}

export function GraphPage({ visit, repo, people, marks, commits, pages, branches, chosen }: GraphProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title="Graph">
      <h2>Graph</h2>
      <details>
        <summary>{chosen.length === 0 ? 'All branches' : `Branches: ${chosen.join(', ')}`}</summary>
        <form class="fields" method="get">
          <fieldset>
            <legend>Branches</legend>
            {branches.map((name) => (
              <label class="choice">
                <input type="checkbox" name="branch" value={name} checked={chosen.includes(name)} /> {name}
              </label>
            ))}
          </fieldset>
          <div>
            <button type="submit">Show branches</button>
          </div>
        </form>
      </details>
      {commits.length === 0 && <Empty visit={visit} icon="history" title="No commits yet" />}
      <Rows visit={visit} repo={repo} people={people} marks={marks} commits={commits} />
      <LogPager {...pages} />
    </RepoFrame>
  )
}

interface RowProps {
  visit: Visit
  repo: RepoAccess
  people: People
  marks: StatusMarks
}

/** Commits day by day. */
export function Rows({ visit, repo, people, marks, commits }: RowProps & Pick<Props, 'commits'>) {
  const columns = widthOf(commits.flatMap(({ row }) => row ?? []))
  if (commits.length === 0) return null
  return (
    <ol class="list log">
      {commits.map((one, i) => {
        const day = dayOf(one)
        return (
          <>
            {(i === 0 || dayOf(commits[i - 1] as LoggedCommit) !== day) && (
              <DayRow day={day} above={commits[i - 1]} columns={columns} hasGraph={one.row !== undefined} />
            )}
            <li>
              {one.row && <LaneCell row={one.row} columns={columns} />}
              <Entry visit={visit} repo={repo} people={people} marks={marks} one={one} />
            </li>
          </>
        )
      })}
    </ol>
  )
}

function dayOf({ commit }: LoggedCommit): string {
  return new Date(Math.min(Math.max(commit.committer.seconds, 0), LAST_SECOND) * 1000).toISOString().slice(0, 10)
}

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** A day above its commits, with the lines of the graph that go on through it. */
function DayRow({ day, above, columns, hasGraph }: { day: string; above: LoggedCommit | undefined; columns: number; hasGraph: boolean }) {
  const through = above?.row ? [...new Set([...above.row.through, ...above.row.out])] : []
  return (
    <li class="day">
      {hasGraph && <LaneCell row={{ column: -1, into: [], through, out: [] }} columns={columns} />}
      <h3>{day}</h3>
    </li>
  )
}

function Entry({ visit, repo: { owner, row }, people, marks, one }: RowProps & { one: LoggedCommit }) {
  const { oid, commit, refs = [], verification } = one
  const base = `${owner.name}/${row.name}`
  return (
    <div class="entry">
      <div class="what">
        <a dir="auto" href={visit.to`/${base}/commit/${oid}`}>
          {subjectOf(commit)}
        </a>
        {refs.map((name) => (
          <span class="mark">{name}</span>
        ))}
        {commit.parents.length > 1 && <span class="mark">merge</span>} {marks(oid)}
        <p class="faint">
          <MadeBy visit={visit} people={people} who={commit.author} /> <Time at={commit.author.seconds} />
          {verification && <SignatureMark verification={verification} />}
        </p>
      </div>
      <span class="buttons">
        <a class="code" href={visit.to`/${base}/commit/${oid}`} data-copy={oid}>
          {oid.slice(0, 10)}
        </a>
        <a href={visit.to`/${base}/src/commit/${oid}`} aria-label={`Browse files at ${oid.slice(0, 10)}`} title="Browse files at this commit">
          <Icon visit={visit} name="code" />
        </a>
      </span>
    </div>
  )
}
