import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, type Member, PageQuery, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parsePage } from '#kernel/page.ts'
import { searchOrgs } from '#people/orgs/index.ts'
import { searchRepos } from '#repositories/repos/index.ts'
import { answerPage, Empty, Pager, PeopleList, RepoMarks, SearchForm, SiteFrame, Time, Visit, visibilityMarks } from '#web/index.ts'

const PAGE_SIZE = 50
const ListQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 255 })) })
type Query = Static<typeof ListQuery>

interface Asked {
  viewer: Member
  request: Request
}

/** All organizations and all repositories. Administrators own them all: each has its settings, where it is changed and deleted. */
export function belongingPages(context: Context) {
  return new Elysia({ name: 'admin.belonging-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/orgs', (asked) => showOrgs(context, asked, asked.query), { siteAdmin: 'admin', query: ListQuery, detail: { hide: true } })
    .get('/-/admin/repos', (asked) => showRepos(context, asked, asked.query), { siteAdmin: 'admin', query: ListQuery, detail: { hide: true } })
}

async function showOrgs(context: Context, { viewer, request }: Asked, query: Query): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await searchOrgs(context.db, viewer, query.q?.trim() ?? '', page)
  const listed = rows.map((org) => ({
    ...org,
    marks: visibilityMarks[org.visibility],
    actions: (
      <a class="button" href={visit.to`/org/${org.name}/settings`} aria-label={`Settings of ${org.name}`}>
        Settings
      </a>
    ),
  }))
  return answerPage(
    <SiteFrame visit={visit} subject="orgs" title="Organizations">
      <div class="bar">
        <SearchForm action={visit.to`/-/admin/orgs`} label="Search organizations" q={query.q} />
        <a class="button primary" href={visit.to`/org/create`}>
          New organization
        </a>
      </div>
      <PeopleList visit={visit} people={listed} none="No organizations found" />
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>,
  )
}

async function showRepos(context: Context, { viewer, request }: Asked, query: Query): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await searchRepos(context.db, viewer, { keyword: query.q?.trim(), sort: 'id' }, page)
  const owners = new Map(accessStore.listUsersById(context.db, [...new Set(rows.map(({ owner_id }) => owner_id))]).map(({ id, name }) => [id, name]))
  return answerPage(
    <SiteFrame visit={visit} subject="repos" title="Repositories">
      <SearchForm action={visit.to`/-/admin/repos`} label="Search repositories" q={query.q} />
      {rows.length === 0 && <Empty visit={visit} icon="repo" title="No repositories found" />}
      {rows.length > 0 && (
        <ul class="list">
          {rows.map((row) => (
            <Repo visit={visit} row={row} owner={owners.get(row.owner_id) ?? ''} />
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>,
  )
}

function Repo({ visit, row, owner }: { visit: Visit; row: RepoRow; owner: string }) {
  const name = `${owner}/${row.name}`
  return (
    <li class="bar">
      <span>
        <a href={visit.to`/${owner}/${row.name}`}>{name}</a>
        <RepoMarks visit={visit} row={row} />{' '}
        <span class="faint">
          updated <Time at={row.updated_at} />
        </span>
      </span>
      <a class="button" href={visit.to`/${owner}/${row.name}/settings`} aria-label={`Settings of ${name}`}>
        Settings
      </a>
    </li>
  )
}
