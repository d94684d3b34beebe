import { Elysia, t } from 'elysia'
import { gate, PageQuery, type RepoAccess, RepoParams, type TeamRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { knownTo, listTeams } from '#people/teams/index.ts'
import { ActionButton, answerDone, answerPage, attempt, Empty, LevelMark, Pager, RepoSettingsFrame, Trouble, Visit } from '#web/index.ts'
import { addTeam, removeTeam } from './change-team-repos.ts'
import { assignsTeams, roleTowardsTeams } from './rules.ts'
import { reposOfTeamPages } from './team-pages.tsx'

const PAGE_SIZE = 50
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** Which teams reach a repository, and which repositories a team reaches. */
export function teamRepoPages(context: Context) {
  return new Elysia({ name: 'team-repos.pages' }).use(teamsOfRepoPages(context)).use(reposOfTeamPages(context))
}

/** The teams that reach a repository, for its administrators. */
function teamsOfRepoPages(context: Context) {
  return new Elysia({ name: 'team-repos.repo-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/teams', (asked) => show(context, asked, asked.query), {
      repo: 'admin',
      params: RepoParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/teams', (asked) => change(context, asked, asked.body.name, addTeam), {
      repo: 'admin',
      params: RepoParams,
      body: NameForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/teams/delete', (asked) => change(context, asked, asked.body.name, removeTeam), {
      repo: 'admin',
      params: RepoParams,
      body: NameForm,
      detail: { hide: true },
    })
}

function change(context: Context, asked: Asked, name: string, verb: typeof addTeam): Promise<Response> {
  const { viewer, repo, request } = asked
  const work = () => {
    verb(context, viewer, repo, name.trim())
    return answerDone(
      new Visit(context, viewer, request),
      (visit) => visit.to`/${repo.owner.name}/${repo.row.name}/settings/teams`,
      verb === addTeam ? `Team “${name.trim()}” added` : `Team “${name.trim()}” removed`,
    )
  }
  return attempt(work, (problem) => show(context, asked, {}, { name, problem }))
}

async function show(context: Context, { viewer, repo, request }: Asked, query: { page?: string }, refused?: Refused): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const known = knownTo(viewer, roleTowardsTeams(context.db, viewer, repo))
  const { rows, total } = await listTeams(context.db, viewer, { orgId: repo.owner.id, repoId: repo.row.id, knownTo: known }, page)
  const list = { teams: rows, page, total, mayChange: assignsTeams(context.db, viewer, repo) }
  return answerPage(<TeamsPage visit={new Visit(context, viewer, request)} repo={repo} {...list} refused={refused} />, refused?.problem.status ?? 200)
}

interface Refused {
  name: string
  problem: Problem
}

interface Props {
  visit: Visit
  repo: RepoAccess
  teams: readonly TeamRow[]
  page: Page
  total: number
  mayChange: boolean
  refused: Refused | undefined
}

function TeamsPage({ visit, repo, teams, page, total, mayChange, refused }: Props) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/settings/teams`
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="teams">
      <Trouble text={refused?.problem.message} />
      {teams.length === 0 && <Empty visit={visit} icon="organization" title="No teams have access to this repository" />}
      {teams.length > 0 && (
        <ul class="list">
          {teams.map((team) => (
            <li class="bar">
              <span>
                <a href={visit.to`/org/${repo.owner.name}/teams/${team.name}`}>{team.name}</a>
                <LevelMark level={team.permission} />
                {team.includes_all_repositories === 1 && <span class="mark">All repositories</span>}
              </span>
              {mayChange && team.includes_all_repositories === 0 && (
                <ActionButton action={`${address}/delete`} to={team.name} name="name" value={team.name} isDanger>
                  Remove
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {mayChange ? (
        <form class="search" method="post" action={address}>
          <input name="name" value={refused?.name} aria-label="Team name" placeholder="Team name" autocapitalize="none" spellcheck="false" required />
          <button type="submit">Add team</button>
        </form>
      ) : (
        <p class="faint">Only owners of {repo.owner.name} can change which teams have access.</p>
      )}
    </RepoSettingsFrame>
  )
}
