import { decorate, type RepoAccess } from '#access/index.ts'
import { statusMarks } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, type Child, Icon, Pager, RepoFrame, seeOther, type Visit } from '#web/index.ts'
import {
  countInRepo,
  findInRepo,
  type Issue,
  type IssueSearch,
  type IssuesQuery,
  isWriter,
  listPinned,
  MAX_QUERY_LENGTH,
  mayRead,
  presentIssues,
  readSearch,
  type SearchNote,
} from '#work/issues/index.ts'
import { listHeads } from '#work/pulls/index.ts'
import { BulkBar, bulkForm } from './bulk-bar.tsx'
import { IssueRow } from './issue-row.tsx'
import { ListHead } from './list-head.tsx'
import { Nothing } from './list-nothing.tsx'
import { isNarrowed, type Kind, type ListPlace, listAddress, words } from './list-place.ts'
import { type ListQuery, lineOf, placeIn } from './list-query.ts'
import { SearchHelp, SearchNotes } from './search-help.tsx'

const PAGE_SIZE = 25

/** A repository's issues, or its pull requests, as the search line wants them. @param troubles with what was to be done to several of them */
export async function showList(
  context: Pick<Context, 'db' | 'log' | 'rootUrl' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  kind: Kind,
  asked: ListQuery,
  troubles: readonly string[] = [],
): Promise<Response> {
  const page = parsePage({ page: asked.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { line, kind: askedKind, ...typed } = placeIn(lineOf(context.db, visit.viewer, repo, asked), asked.state)
  const search = readSearch(context.db, visit.viewer, repo, String(line))
  const state = search.hasState ? 'all' : typed.state
  const place: ListPlace = { visit, repo, kind, line, state }
  if (askedKind !== undefined && askedKind !== kind && mayRead(repo, { is_pull: askedKind === 'pulls' ? 1 : 0 }))
    return seeOther(listAddress({ ...place, kind: askedKind }))
  const isElsewhere = askedKind !== undefined && askedKind !== kind
  const whole: Asked = { query: { state, type: kind }, search: isElsewhere ? { ...search, isEmpty: true } : search }
  const { rows, total } = await findInRepo(context, visit.viewer, repo, whole.query, page, whole.search)
  const isPlain = !isNarrowed(place) && page.page === 1 && state !== 'closed'
  const pinned = isPlain ? listPinned(context.db, repo.row.id, kind === 'pulls' ? 1 : 0) : []
  const issues = presentIssues(context, visit.viewer, [...pinned, ...rows], () => repo)
  const lists = { pinned: issues.slice(0, pinned.length), issues: issues.slice(pinned.length) }
  const counts = await countStates(context, place, whole, total)
  const markOf =
    kind === 'pulls' && issues.length > 0 ? await decorate(context, 'commit statuses', () => headMarks(context, visit, repo, issues), noMark) : noMark
  return answerPage(<ListPage place={place} page={page} total={total} counts={counts} {...lists} markOf={markOf} notes={search.notes} troubles={troubles} />)
}

type MarkOf = (issue: Issue) => Child
const noMark: MarkOf = () => undefined

/** The statuses of the head commits of pull requests. */
async function headMarks(context: Pick<Context, 'db' | 'log' | 'services'>, visit: Visit, repo: RepoAccess, issues: readonly Issue[]): Promise<MarkOf> {
  const heads = listHeads(
    context.db,
    issues.map(({ id }) => id),
  )
  const marks = await statusMarks(context, visit, repo, [...heads.values()])
  return ({ id }) => marks(heads.get(id) ?? '')
}

interface Asked {
  query: IssuesQuery
  search: IssueSearch
}

/** How many are open and closed of what the line asks for. The repository's row knows those of a line that asks for nothing. */
async function countStates(
  context: Pick<Context, 'db'>,
  place: ListPlace,
  { query, search }: Asked,
  total: number,
): Promise<Record<'open' | 'closed', number>> {
  const { kind, visit, repo, state } = place
  const { row } = repo
  if (!isNarrowed(place)) {
    return kind === 'issues' ? { open: row.open_issue_count, closed: row.closed_issue_count } : { open: row.open_pull_count, closed: row.closed_pull_count }
  }
  const count = (one: 'open' | 'closed') => countInRepo(context, visit.viewer, repo, { ...query, state: one }, search)
  const open = state === 'open' ? total : await count('open')
  return { open, closed: state === 'closed' ? total : state === 'all' ? total - open : await count('closed') }
}

interface ListProps {
  place: ListPlace
  page: Page
  total: number
  counts: Record<'open' | 'closed', number>
  pinned: readonly Issue[]
  issues: readonly Issue[]
  markOf: MarkOf
  notes: readonly SearchNote[]
  troubles: readonly string[]
}

function ListPage({ place, page, total, counts, pinned, issues, markOf, notes, troubles }: ListProps) {
  const { visit, repo, kind, line, state } = place
  const { owner, row } = repo
  const base = visit.to`/${owner.name}/${row.name}`
  const mayWrite = visit.viewer.user !== undefined && row.archived_at === null && isWriter(repo, { is_pull: kind === 'pulls' ? 1 : 0 })
  return (
    <RepoFrame visit={visit} repo={repo} tab={kind} title={words[kind].title}>
      <h2 class="unseen">{words[kind].title}</h2>
      {troubles.length > 0 && (
        <ul class="error" role="alert">
          {troubles.map((one) => (
            <li>{one}</li>
          ))}
        </ul>
      )}
      <div class="bar">
        <form class="search" method="get" action={`${base}/${kind}`}>
          <input
            type="search"
            name="q"
            value={String(line)}
            maxlength={String(MAX_QUERY_LENGTH)}
            aria-label={`Search ${words[kind].title.toLowerCase()}`}
            placeholder={`Search ${words[kind].title.toLowerCase()} (is:open label:bug author:@me)`}
            aria-describedby={notes.length > 0 ? 'search-notes' : undefined}
          />
          <input type="hidden" name="state" value={state} />
          <button type="submit">
            <Icon visit={visit} name="search" />
            Search
          </button>
        </form>
        <div class="buttons">
          <a class="button" href={`${base}/labels`}>
            <Icon visit={visit} name="tag" />
            Labels
          </a>
          <a class="button" href={`${base}/milestones`}>
            <Icon visit={visit} name="milestone" />
            Milestones
          </a>
          {row.archived_at === null && (
            <a class="button primary" href={kind === 'issues' ? `${base}/issues/new` : `${base}/compare`}>
              {`New ${words[kind].one}`}
            </a>
          )}
        </div>
      </div>
      {notes.length > 0 && <SearchNotes notes={notes} />}
      <SearchHelp />
      {pinned.length > 0 && <Rows place={place} base={base} issues={pinned} markOf={markOf} label="Pinned" />}
      <ListHead place={place} counts={counts} />
      {issues.length === 0 ? (
        <Nothing place={place} counts={counts} page={page} />
      ) : (
        <Rows place={place} base={base} issues={issues} markOf={markOf} mayChoose={mayWrite} />
      )}
      {mayWrite && issues.length > 0 && <BulkBar place={place} address={`${base}/${kind}/bulk`} />}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}

interface RowsProps {
  place: ListPlace
  base: string
  issues: readonly Issue[]
  markOf: MarkOf
  label?: string
  /** Whether they have boxes to tick. */
  mayChoose?: boolean
}

function Rows({ place, base, issues, markOf, label, mayChoose = false }: RowsProps) {
  const { visit } = place
  return (
    <ul class="list" aria-label={label}>
      {issues.map((issue) => (
        <IssueRow
          visit={visit}
          issue={issue}
          href={`${base}/${issue.pull_request ? 'pulls' : 'issues'}/${issue.number}`}
          labelHref={(name) => listAddress(place, { line: place.line.with('label', name) })}
          before={
            mayChoose && (
              <input type="checkbox" name="issues" value={issue.number} form={bulkForm} aria-label={`Select #${issue.number} ${issue.title.slice(0, 100)}`} />
            )
          }
          note={
            <>
              {markOf(issue)}
              {label !== undefined && (
                <span class="mark">
                  <Icon visit={visit} name="pin" size={12} />
                  {label}
                </span>
              )}
            </>
          }
        />
      ))}
    </ul>
  )
}
