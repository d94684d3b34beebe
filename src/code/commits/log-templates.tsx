import type { RepoAccess } from '#access/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { LaneRow } from '#git/history/lanes.ts'
import type { Page } from '#kernel/page.ts'
import { NextPages, RepoFrame, Time, type Visit } from '#web/index.ts'
import { LaneCell, widthOf } from './graph-view.tsx'
import type { RefPath } from './ref-path.ts'
import { subjectOf } from './templates.tsx'

export interface LoggedCommit extends CommitDetails {
  /** How it stands in the graph; absent of histories of a path, which have no whole one. */
  row?: LaneRow
  /** Branches and tags that point to it. */
  refs?: readonly string[]
}

interface Props {
  visit: Visit
  repo: RepoAccess
  commits: readonly LoggedCommit[]
  page: Page
  hasMore: boolean
}

interface LogProps extends Props {
  place: RefPath
  tip: string
  /** Of histories that are counted quickly. */
  total: number | undefined
}

export function LogPage({ visit, repo, commits, page, hasMore, place, tip, total }: LogProps) {
  const what = place.path === '' ? place.name : `${place.path} in ${place.name}`
  const count = total === undefined ? 'Commits' : `${total} ${total === 1 ? 'commit' : 'commits'}`
  const { owner, row } = repo
  const feed = place.kind === 'branch' ? { feeds: ['rss', 'atom'] as const } : { feeds: [] }
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={`Commits of ${what}`}>
      <div class="bar">
        <h2>
          {count} of {what}
        </h2>
        <p>
          <a href={visit.to`/${owner.name}/${row.name}/graph`}>All branches</a>
          {feed.feeds.map((form) => [
            ' · ',
            <a href={visit.to`/${owner.name}/${row.name}/${form}/branch/${place.name}/${place.path}`}>{form.toUpperCase()}</a>,
          ])}
        </p>
      </div>
      <Rows visit={visit} repo={repo} commits={commits} />
      <NextPages visit={visit} page={page} hasMore={hasMore} also={{ tip }} />
    </RepoFrame>
  )
}

interface GraphProps extends Props {
  branches: readonly string[]
  chosen: readonly string[]
}

export function GraphPage({ visit, repo, commits, page, hasMore, branches, chosen }: GraphProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title="Graph">
      <h2>Graph</h2>
      <details>
        <summary>{chosen.length === 0 ? 'Of all branches' : `Of ${chosen.join(', ')}`}</summary>
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
            <button type="submit">Show</button>
          </div>
        </form>
      </details>
      {commits.length === 0 && <p class="faint">There are no commits.</p>}
      <Rows visit={visit} repo={repo} commits={commits} />
      <NextPages visit={visit} page={page} hasMore={hasMore} />
    </RepoFrame>
  )
}

function Rows({ visit, repo: { owner, row: repoRow }, commits }: Pick<Props, 'visit' | 'repo' | 'commits'>) {
  const columns = widthOf(commits.flatMap(({ row }) => row ?? []))
  const base = `${owner.name}/${repoRow.name}`
  if (commits.length === 0) return null
  return (
    <ul class="list log">
      {commits.map(({ oid, commit, row, refs = [] }) => (
        <li>
          {row && <LaneCell row={row} columns={columns} />}
          <div>
            <a href={visit.to`/${base}/commit/${oid}`}>{subjectOf(commit)}</a>
            {refs.map((name) => (
              <span class="mark">{name}</span>
            ))}
            <p class="faint">
              <code>{oid.slice(0, 10)}</code> {commit.author.name}, <Time at={commit.author.seconds} dated />
              {commit.parents.length > 1 && ', a merge'}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
