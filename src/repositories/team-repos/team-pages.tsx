import { Elysia, t } from 'elysia'
import { gate, type OrgAccess, OrgParams, PageQuery, type RepoRow, type TeamAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { getKnownTeam, TeamFrame, teamAddress } from '#people/teams/index.ts'
import { searchRepos } from '#repositories/repos/index.ts'
import { ActionButton, answerDone, answerPage, attempt, Empty, Pager, Trouble, Visit } from '#web/index.ts'
import { giveRepo, takeRepo } from './change-team-repos.ts'

const PAGE_SIZE = 50
const TeamNameParams = t.Object({ ...OrgParams.properties, team: t.String() })
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
  params: { team: string }
}

/** The repositories that a team reaches, for members of its organization; who administers a repository says whether this team does. */
export function reposOfTeamPages(context: Context) {
  return new Elysia({ name: 'team-repos.team-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/teams/:team/repositories', (asked) => show(context, asked, asked.query), {
      org: 'member',
      params: TeamNameParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/org/:org/teams/:team/repositories', (asked) => change(context, asked, asked.body.name, giveRepo), {
      org: 'owner',
      params: TeamNameParams,
      body: NameForm,
      detail: { hide: true },
    })
    .post('/org/:org/teams/:team/repositories/remove', (asked) => change(context, asked, asked.body.name, takeRepo), {
      org: 'owner',
      params: TeamNameParams,
      body: NameForm,
      detail: { hide: true },
    })
}

function change(context: Context, asked: Asked, name: string, verb: typeof giveRepo): Promise<Response> {
  const { viewer, org, request, params } = asked
  const work = () => {
    const team = getKnownTeam(context.db, viewer, org, params.team)
    verb(context, viewer, team, name.trim())
    return answerDone(
      new Visit(context, viewer, request),
      (visit) => `${teamAddress(visit, team)}/repositories`,
      verb === giveRepo ? `“${name.trim()}” added to the team` : `“${name.trim()}” removed from the team`,
    )
  }
  return attempt(work, (problem) => show(context, asked, {}, { name, problem }))
}

interface Refused {
  name: string
  problem: Problem
}

async function show(context: Context, { viewer, org, request, params }: Asked, query: { page?: string }, refused?: Refused): Promise<Response> {
  const team = getKnownTeam(context.db, viewer, org, params.team)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await searchRepos(context.db, viewer, { teamId: team.row.id }, page)
  const visit = new Visit(context, viewer, request)
  return answerPage(<TeamReposPage visit={visit} team={team} repos={rows} page={page} total={total} refused={refused} />, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  team: TeamAccess
  repos: readonly RepoRow[]
  page: Page
  total: number
  refused: Refused | undefined
}

function TeamReposPage({ visit, team, repos, page, total, refused }: Props) {
  const address = `${teamAddress(visit, team)}/repositories`
  const isWhole = team.row.includes_all_repositories === 1
  const mayChange = team.org.role === 'owner' && !isWhole
  return (
    <TeamFrame visit={visit} team={team} tab="repositories">
      <Trouble text={refused?.problem.message} />
      {isWhole && <p>This team has access to all repositories of the organization, including future ones.</p>}
      {repos.length === 0 && <Empty visit={visit} icon="repo" title="No repositories" />}
      {repos.length > 0 && (
        <ul class="list">
          {repos.map((repo) => (
            <li class="bar">
              <span>
                <a href={visit.to`/${team.org.row.name}/${repo.name}`}>{repo.name}</a>
                {repo.is_private === 1 && <span class="mark">Private</span>}
              </span>
              {mayChange && (
                <ActionButton action={`${address}/remove`} to={repo.name} name="name" value={repo.name} isDanger>
                  Remove
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {mayChange && (
        <form class="search" method="post" action={address}>
          <input
            name="name"
            value={refused?.name}
            aria-label="Repository name"
            placeholder="Repository name"
            autocapitalize="none"
            spellcheck="false"
            required
          />
          <button type="submit">Add repository</button>
        </form>
      )}
    </TeamFrame>
  )
}
