import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, Layout, Pager, SearchForm, seeOther, type Visit, Ways } from '#web/index.ts'
import { findEverywhere, type Issue, presentAnywhere, readSearch, type SearchNote, type SearchQuery } from '#work/issues/index.ts'
import { IssueRow } from './issue-row.tsx'
import { stateIcons } from './list-head.tsx'
import { type Kind, type ListState, words } from './list-place.ts'
import { placeIn } from './list-query.ts'
import { SearchHelp, SearchNotes } from './search-help.tsx'
import { SearchLine } from './search-line.ts'

const PAGE_SIZE = 25

/** By what an issue is somebody's, under the names that Gitea's addresses have for it. */
const ties = {
  created_by: { text: 'Created by me', query: () => ({ created: 'true' }), isOfPulls: false },
  assigned: { text: 'Assigned to me', query: () => ({ assigned: 'true' }), isOfPulls: false },
  mentioned: { text: 'Mentioning me', query: () => ({ mentioned: 'true' }), isOfPulls: false },
  review_requested: { text: 'Review requested', query: () => ({ review_requested: 'true' }), isOfPulls: true },
  reviewed_by: { text: 'Reviewed by me', query: () => ({ reviewed: 'true' }), isOfPulls: true },
  your_repositories: { text: 'In my repositories', query: (name: string) => ({ owner: name }), isOfPulls: false },
  all: { text: 'All repositories', query: () => ({}), isOfPulls: false },
} as const satisfies Record<string, { text: string; query: (name: string) => SearchQuery; isOfPulls: boolean }>
type Tie = keyof typeof ties

interface Asked {
  q?: string | undefined
  type?: string | undefined
  state?: string | undefined
  page?: string | undefined
}

/** The issues, or the pull requests, of all repositories that are the viewer's own in one way. */
export async function showEverywhere(context: Pick<Context, 'db'>, visit: Visit, viewer: Member, kind: Kind, asked: Asked): Promise<Response> {
  const page = parsePage({ page: asked.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const whole = SearchLine.parse(asked.q ?? '')
  const { line, kind: askedKind = kind, state: askedState } = placeIn(whole, asked.state)
  // The links of the page set the state in the address.
  if (line.terms.length < whole.terms.length) return seeOther(addressOf(visit, askedKind, { ...asked, q: String(line), state: askedState }))
  const search = readSearch(context.db, viewer, undefined, String(line))
  const tie = tiesOf(kind).find((one) => one === asked.type) ?? (line.terms.some(({ name }) => ofPeople.has(name)) ? 'all' : 'created_by')
  const state = search.hasState ? 'all' : askedState
  const { rows, total } = await findEverywhere(context, viewer, { type: kind, state, ...ties[tie].query(viewer.user.name) }, page, search)
  const issues = presentAnywhere({ db: context.db, rootUrl: visit.root }, viewer, rows)
  return answerPage(
    <EverywherePage visit={visit} kind={kind} tie={tie} state={state} asked={asked} notes={search.notes} issues={issues} page={page} total={total} />,
  )
}

/** Qualifiers of searches that are not limited to the viewer's own issues by default. */
const ofPeople = new Set(['author', 'assignee', 'mentions', 'involves', 'commenter', 'review-requested', 'reviewed-by', 'repo', 'user', 'org'])

function addressOf(visit: Visit, kind: Kind, { q, type, state }: Asked): string {
  const shown = Object.entries({ q, type, state }).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `${visit.to`/${kind}`}?${new URLSearchParams(shown)}`
}

function tiesOf(kind: Kind): Tie[] {
  return (Object.keys(ties) as Tie[]).filter((tie) => kind === 'pulls' || !ties[tie].isOfPulls)
}

interface Props {
  visit: Visit
  kind: Kind
  tie: Tie
  state: ListState
  asked: Asked
  notes: readonly SearchNote[]
  issues: readonly Issue[]
  page: Page
  total: number
}

const states = [
  [undefined, 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

function EverywherePage({ visit, kind, tie, state, asked, notes, issues, page, total }: Props) {
  const { title, many } = words[kind]
  const choices = tiesOf(kind).map((one) => [one, ties[one].text] as const)
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <SearchForm action={visit.to`/${kind}`} label={`Search ${many}`} q={asked.q} kept={{ type: asked.type, state: asked.state }} />
      {notes.length > 0 && <SearchNotes notes={notes} />}
      <SearchHelp />
      <Ways visit={visit} label="Filter" name="type" choices={choices} now={tie} without={['page']} />
      <Ways visit={visit} label="State" name="state" choices={states} now={state === 'open' ? undefined : state} without={['page']} />
      {issues.length === 0 && (
        <Empty visit={visit} icon={stateIcons[kind][0]} title={page.page > 1 && total > 0 ? 'No more results' : `No ${many} found`}>
          <p>{`To see all ${many} of a repository, open its ${title} tab.`}</p>
        </Empty>
      )}
      <ul class="list">
        {issues.map((issue) => (
          <IssueRow visit={visit} issue={issue} href={issue.html_url} isAnywhere />
        ))}
      </ul>
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}
