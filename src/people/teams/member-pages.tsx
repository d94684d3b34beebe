import { Elysia, t } from 'elysia'
import {
  accessStore,
  gate,
  isSelf,
  type Member,
  type OrgAccess,
  OrgParams,
  PageQuery,
  requireUser,
  type TeamAccess,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { getFellow } from '#people/orgs/index.ts'
import { ActionButton, answerDone, answerPage, attempt, Pager, PeopleList, Trouble, Visit } from '#web/index.ts'
import { addTeamMember, leaveTeam } from './change-members.ts'
import { getKnownTeam, refuseRemovingOthers } from './rules.ts'
import { listTeamMembers } from './store.ts'
import { TeamFrame, teamAddress } from './team-frame.tsx'

const PAGE_SIZE = 50
const TeamNameParams = t.Object({ ...OrgParams.properties, team: t.String() })
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
  params: { team: string }
}

/** Who is in a team, for members of its organization. */
export function teamMemberPages(context: Context) {
  const teamOf = ({ viewer, org, params }: Asked) => getKnownTeam(context.db, viewer, org, params.team)
  const person = (asked: Asked, name: string) => getFellow(context.db, asked.viewer, asked.org.row.id, name.trim())
  return new Elysia({ name: 'teams.member-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/teams/:team', (asked) => show(context, asked, teamOf(asked), asked.query), {
      org: 'member',
      params: TeamNameParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post(
      '/org/:org/teams/:team/members',
      (asked) =>
        change(context, asked, teamOf(asked), asked.body.name, `${asked.body.name.trim()} added to the team`, ({ row }) =>
          addTeamMember(context, row, person(asked, asked.body.name)),
        ),
      { org: 'owner', params: TeamNameParams, body: NameForm, detail: { hide: true } },
    )
    .post(
      '/org/:org/teams/:team/members/remove',
      (asked) =>
        change(context, asked, teamOf(asked), '', `${asked.body.name.trim()} removed from the team`, (team, viewer) => {
          const user = person(asked, asked.body.name)
          refuseRemovingOthers(viewer, team, user)
          context.db.tx((tx) => leaveTeam(context, tx, team.row, user.id))
        }),
      { org: 'member', params: TeamNameParams, body: NameForm, detail: { hide: true } },
    )
}

function change(
  context: Context,
  asked: Asked,
  team: TeamAccess,
  name: string,
  text: string,
  work: (team: TeamAccess, viewer: Member) => void,
): Promise<Response> {
  const viewer = requireUser(asked.viewer)
  const done = () => {
    work(team, viewer)
    return answerDone(new Visit(context, viewer, asked.request), (visit) => nextAddress(context, visit, viewer, team), text)
  }
  return attempt(done, (problem) => show(context, asked, team, {}, { name, problem }))
}

/** Who left a team may not know of it any more, and who left their last one has left the organization. */
function nextAddress({ db }: Pick<Context, 'db'>, visit: Visit, { user }: Member, team: TeamAccess): string {
  const { row, org } = team
  if (org.role === 'owner' && accessStore.findOrgRole(db, org.row.id, user.id) !== 'member') return teamAddress(visit, team)
  if (!accessStore.findOrgRole(db, org.row.id, user.id)) return visit.to`/user/settings/organization`
  return accessStore.isTeamMember(db, row.id, user.id) ? teamAddress(visit, team) : visit.to`/org/${org.row.name}/teams`
}

interface Refused {
  name: string
  problem: Problem
}

async function show(context: Context, { viewer, request }: Asked, team: TeamAccess, query: { page?: string }, refused?: Refused): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listTeamMembers(context.db, viewer, team.row.id, page)
  const visit = new Visit(context, viewer, request)
  return answerPage(<MembersPage visit={visit} team={team} people={rows} page={page} total={total} refused={refused} />, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  team: TeamAccess
  people: readonly UserRow[]
  page: Page
  total: number
  refused: Refused | undefined
}

function MembersPage({ visit, team, people, page, total, refused }: Props) {
  const address = `${teamAddress(visit, team)}/members`
  const isOwner = team.org.role === 'owner'
  const listed = people.map((user) => ({
    ...user,
    actions:
      isOwner || isSelf(visit.viewer, user) ? (
        <ActionButton action={`${address}/remove`} to={user.name} name="name" value={user.name} isDanger>
          {isSelf(visit.viewer, user) ? 'Leave' : 'Remove'}
        </ActionButton>
      ) : null,
  }))
  return (
    <TeamFrame visit={visit} team={team} tab="members">
      <Trouble text={refused?.problem.message} />
      <PeopleList visit={visit} people={listed} none="No members" />
      <Pager visit={visit} page={page} total={total} />
      {isOwner && (
        <form class="search" method="post" action={address}>
          <input name="name" value={refused?.name} aria-label="Username" placeholder="Username" autocapitalize="none" spellcheck="false" required />
          <button type="submit">Add member</button>
        </form>
      )}
    </TeamFrame>
  )
}
