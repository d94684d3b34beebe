import { Elysia } from 'elysia'
import { gate, type OrgAccess, OrgParams, PageQuery, type TeamRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { answerPage, Empty, LevelMark, OrgFrame, Pager, Visit } from '#web/index.ts'
import { knownTo } from './rules.ts'
import { listTeams } from './store.ts'

const PAGE_SIZE = 50

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
}

/** The teams of an organization, for its members. */
export function teamListPages(context: Context) {
  return new Elysia({ name: 'teams.list-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/teams', (asked) => show(context, asked, asked.query), { org: 'member', params: OrgParams, query: PageQuery, detail: { hide: true } })
}

async function show(context: Context, { viewer, org, request }: Asked, query: { page?: string }): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listTeams(context.db, viewer, { orgId: org.row.id, knownTo: knownTo(viewer, org.role) }, page)
  return answerPage(<TeamsPage visit={new Visit(context, viewer, request)} org={org} teams={rows} page={page} total={total} />)
}

interface Props {
  visit: Visit
  org: OrgAccess
  teams: readonly TeamRow[]
  page: Page
  total: number
}

function TeamsPage({ visit, org, teams, page, total }: Props) {
  return (
    <OrgFrame visit={visit} org={org} tab="teams" title="Teams">
      <div class="bar">
        <h2>Teams</h2>
        {org.role === 'owner' && (
          <a class="button primary" href={visit.to`/org/${org.row.name}/teams/new`}>
            New team
          </a>
        )}
      </div>
      {teams.length === 0 && <Empty visit={visit} icon="organization" title="No teams" />}
      {teams.length > 0 && (
        <ul class="list">
          {teams.map((team) => (
            <li>
              <a href={visit.to`/org/${org.row.name}/teams/${team.name}`}>{team.name}</a>
              <LevelMark level={team.permission} />
              {team.includes_all_repositories === 1 && <span class="mark">All repositories</span>}
              {team.description !== '' && <p>{team.description}</p>}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </OrgFrame>
  )
}
