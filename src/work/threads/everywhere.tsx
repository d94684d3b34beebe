import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, Layout, Pager, SearchForm, type Visit, Ways } from '#web/index.ts'
import { findEverywhere, type Issue, presentAnywhere, type SearchQuery } from '#work/issues/index.ts'
import { IssueRow } from './issue-row.tsx'
import { stateIcons } from './list-head.tsx'
import { type Kind, type ListState, listStateOf, words } from './list-place.ts'

const PAGE_SIZE = 25

/** By what an issue is somebody's, under the names that Gitea's addresses have for it. */
const ties = {
  created_by: { text: 'Opened by you', query: () => ({ created: 'true' }), isOfPulls: false },
  assigned: { text: 'Assigned to you', query: () => ({ assigned: 'true' }), isOfPulls: false },
  mentioned: { text: 'Mentioning you', query: () => ({ mentioned: 'true' }), isOfPulls: false },
  review_requested: { text: 'For your review', query: () => ({ review_requested: 'true' }), isOfPulls: true },
  reviewed_by: { text: 'Reviewed by you', query: () => ({ reviewed: 'true' }), isOfPulls: true },
  your_repositories: { text: 'In your repositories', query: (name: string) => ({ owner: name }), isOfPulls: false },
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
  const tie = tiesOf(kind).find((one) => one === asked.type) ?? 'created_by'
  const state = listStateOf(asked.state)
  const { rows, total } = await findEverywhere(context, viewer, { type: kind, state, q: asked.q, ...ties[tie].query(viewer.user.name) }, page)
  const issues = presentAnywhere({ db: context.db, rootUrl: visit.root }, viewer, rows)
  return answerPage(<EverywherePage visit={visit} kind={kind} tie={tie} state={state} q={asked.q} issues={issues} page={page} total={total} />)
}

function tiesOf(kind: Kind): Tie[] {
  return (Object.keys(ties) as Tie[]).filter((tie) => kind === 'pulls' || !ties[tie].isOfPulls)
}

interface Props {
  visit: Visit
  kind: Kind
  tie: Tie
  state: ListState
  q: string | undefined
  issues: readonly Issue[]
  page: Page
  total: number
}

const states = [
  [undefined, 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

function EverywherePage({ visit, kind, tie, state, q, issues, page, total }: Props) {
  const { title, many } = words[kind]
  const shown = { type: tie === 'created_by' ? undefined : tie, state: state === 'open' ? undefined : state }
  const choices = tiesOf(kind).map((one) => [one === 'created_by' ? undefined : one, ties[one].text] as const)
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <SearchForm action={visit.to`/${kind}`} label={`Search these ${many}`} q={q} kept={shown} />
      <Ways visit={visit} label="Whose" name="type" choices={choices} now={shown.type} without={['page']} />
      <Ways visit={visit} label="State" name="state" choices={states} now={shown.state} without={['page']} />
      {issues.length === 0 && (
        <Empty visit={visit} icon={stateIcons[kind][0]} title={page.page > 1 && total > 0 ? 'The list ends before this page.' : `None of the ${many} fit.`}>
          <p>Those of one repository stand on its own page.</p>
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
