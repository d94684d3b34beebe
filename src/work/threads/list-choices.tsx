import { type Static, t } from 'elysia'
import { lineOf, PageQuery, type RepoAccess, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { findCandidates, type Work } from '#repositories/collaborators/index.ts'
import { Avatar, answerPage, answerPart, type Child, LabelMark, Pager, RepoFrame, type Visit } from '#web/index.ts'
import { findChoosableLabels, listAuthors } from '#work/issues/index.ts'
import { listMilestones } from '#work/milestones/index.ts'
import { type MenuName, menuAddress, menus, menusOf } from './list-menus.ts'
import { type Kind, type ListPlace, listAddress, listStateOf, words } from './list-place.ts'
import { SearchLine } from './search-line.ts'

/** As many stand in a menu; the page of the same has more pages of them. */
const PAGE_SIZE = 50

export const ChoicesQuery = t.Object({
  q: t.Optional(t.String({ maxLength: 1000 })),
  state: t.Optional(t.String({ maxLength: 20 })),
  find: t.Optional(t.String({ maxLength: 255 })),
  fragment: t.Optional(t.String({ maxLength: 20 })),
  ...PageQuery.properties,
})
type ChoicesQuery = Static<typeof ChoicesQuery>

/** What of a search line's term can be chosen: its value, and what people see of it. */
interface Choice {
  value: string
  face: Child
}

interface Choices {
  page: Page
  found: readonly Choice[]
  total: number
}

/** What a list can be narrowed down by in one way, by itself as a page, or as what stands in a menu. @throws NotFound for a menu that the list has not */
export async function showChoices(
  context: Pick<Context, 'db'>,
  visit: Visit,
  repo: RepoAccess,
  kind: Kind,
  by: string,
  query: ChoicesQuery,
): Promise<Response> {
  const name = menusOf(kind).find((one) => one === by)
  if (name === undefined) throw new NotFound()
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const place = { visit, repo, kind, line: SearchLine.parse(query.q ?? ''), state: listStateOf(query.state) }
  const text = query.find?.trim() ?? ''
  const choices = { page, ...(await finders[name](context, place, text, page)) }
  const menu = <Choices place={place} name={name} text={text} choices={choices} />
  if (query.fragment === 'menu') return answerPart(<div>{menu}</div>)
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab={kind} title={`Filter ${words[kind].many} by ${menus[name].title.toLowerCase()}`}>
      <h2>{`Filter ${words[kind].many} by ${menus[name].title.toLowerCase()}`}</h2>
      <p>
        <a href={listAddress(place)}>{`Back to ${words[kind].many}`}</a>
      </p>
      {menu}
      <Pager visit={visit} page={page} total={choices.total} />
    </RepoFrame>,
  )
}

type Finder = (context: Pick<Context, 'db'>, place: ListPlace, text: string, page: Page) => Omit<Choices, 'page'> | Promise<Omit<Choices, 'page'>>

const finders: Record<MenuName, Finder> = {
  label: ({ db }, { repo }, text, page) => {
    const { rows, total } = findChoosableLabels(db, repo.row.id, repo.owner.id, text, page)
    return { found: rows.map((label) => ({ value: label.name, face: <LabelMark label={label} /> })), total }
  },
  milestone: async ({ db }, { visit, repo, state }, text, page) => {
    const { rows, total } = await listMilestones(db, visit.viewer, repo.row.id, { isClosed: state === 'open' ? false : undefined, name: text }, page)
    return { found: rows.map(({ title }) => ({ value: title, face: title })), total }
  },
  author: async ({ db }, { visit, repo, kind }, text, page) => {
    const sought = { repoId: repo.row.id, isPull: kind === 'pulls', text, most: page.offset + page.limit + 1 }
    const found = await listAuthors(db, lineOf(visit.viewer), sought)
    return { found: found.slice(page.offset, page.offset + page.limit).map((one) => personIn(visit, one)), total: found.length }
  },
  assignee: candidatesFor('issues'),
  reviewer: candidatesFor('reviews'),
}

function candidatesFor(work: Work): Finder {
  return async ({ db }, { visit, repo }, text, page) => {
    const { rows, total } = await findCandidates(db, visit.viewer, repo, { work, text }, page)
    return { found: rows.map((one) => personIn(visit, one)), total }
  }
}

function personIn(visit: Visit, of: UserRow): Choice {
  return {
    value: of.name,
    face: (
      <>
        <Avatar visit={visit} of={of} /> {of.name}
      </>
    ),
  }
}

function Choices({ place, name, text, choices }: { place: ListPlace; name: MenuName; text: string; choices: Choices }) {
  const { term, find, none, many } = menus[name]
  const { line, state } = place
  const { page, found, total } = choices
  const left = total - page.offset - found.length
  const self = place.visit.viewer.user?.name
  const isFirst = page.page === 1 && text === ''
  return (
    <>
      <form class="search" method="get" action={menuAddress(place, name).split('?')[0]} data-live>
        <input type="search" name="find" value={text} aria-label={find} placeholder={find} autocomplete="off" maxlength="255" />
        <input type="hidden" name="state" value={state} />
        <input type="hidden" name="q" value={String(line)} />
        <button class="unseen" type="submit">
          Search
        </button>
      </form>
      <ul class="choices-list">
        {isFirst && self !== undefined && many === 'users' && <Option place={place} term={term} value="@me" face="You" />}
        {isFirst && none !== undefined && <Option place={place} term="no" value={term} face={none} />}
        {found.map(({ value, face }) => (
          <Option place={place} term={term} value={value} face={face} />
        ))}
      </ul>
      {found.length === 0 && <p class="faint">{text === '' ? `No ${many} yet` : `No ${many} match “${text}”`}</p>}
      {left > 0 && (
        <p>
          <a href={`${menuAddress(place, name)}&page=${page.page + 1}${text === '' ? '' : `&find=${encodeURIComponent(text)}`}`}>{`${left} more`}</a>
        </p>
      )}
    </>
  )
}

/** Chosen once more, it is taken out again. */
function Option({ place, term, value, face }: { place: ListPlace; term: string; value: string; face: Child }) {
  const { line } = place
  const isOn = line.has(term, value)
  const next = isOn ? line.without(term, value) : (term === 'no' ? line.without(value) : line.without('no', term)).with(term, value)
  return (
    <li>
      <a href={listAddress(place, { line: next })} aria-current={isOn ? 'true' : undefined}>
        {face}
      </a>
    </li>
  )
}
