import { Elysia, t } from 'elysia'
import { gate, isSelf, type Member, type OrgAccess, OrgParams, PageQuery, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { ActionButton, answerDone, answerPage, attempt, OrgFrame, Pager, PeopleList, Trouble, Visit } from '#web/index.ts'
import { dismissMember, showMembership } from './change-members.ts'
import { listMembers, type Membership, membershipsOf } from './member-store.ts'
import { getFellow } from './people.ts'
import { refuseDismissingOthers } from './rules.ts'

const PAGE_SIZE = 50
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
}

/** Who belongs to an organization, who knows of it, and the ways out. */
export function memberPages(context: Context) {
  const person = (asked: Asked & { body: { name: string } }) => getFellow(context.db, asked.viewer, asked.org.row.id, asked.body.name)
  const expose = (asked: Asked & { body: { name: string } }, isPublic: boolean) =>
    change(context, asked, isPublic ? 'Membership is now public' : 'Membership is now hidden', (viewer) =>
      showMembership(context, viewer, asked.org, person(asked), isPublic),
    )
  return new Elysia({ name: 'orgs.member-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/members', (asked) => show(context, asked, asked.query), { org: 'visible', params: OrgParams, query: PageQuery, detail: { hide: true } })
    .post('/org/:org/members/publicize', (asked) => expose(asked, true), { org: 'member', params: OrgParams, body: NameForm, detail: { hide: true } })
    .post('/org/:org/members/conceal', (asked) => expose(asked, false), { org: 'member', params: OrgParams, body: NameForm, detail: { hide: true } })
    .post(
      '/org/:org/members/remove',
      (asked) =>
        change(context, asked, `${asked.body.name} is no longer a member`, (viewer) => {
          const user = person(asked)
          refuseDismissingOthers(viewer, asked.org, user)
          dismissMember(context, asked.org.row, user)
        }),
      { org: 'member', params: OrgParams, body: NameForm, detail: { hide: true } },
    )
}

/** Who left a private organization does not see its members any more. */
function change(context: Context, asked: Asked & { body: { name: string } }, text: string, work: (viewer: Member) => void): Promise<Response> {
  const { viewer, org, request } = asked
  const done = () => {
    const member = requireUser(viewer)
    work(member)
    const visit = new Visit(context, viewer, request)
    const isGone = membershipsOf(context.db, org.row.id, [member.user.id]).size === 0
    return answerDone(visit, isGone && member.user.is_admin === 0 ? visit.to`/user/settings/organization` : visit.to`/org/${org.row.name}/members`, text)
  }
  return attempt(done, (problem) => show(context, asked, {}, problem))
}

async function show(context: Context, { viewer, org, request }: Asked, query: { page?: string }, problem?: Problem): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listMembers(context.db, org.row.id, viewer, org.role === 'outsider' ? 'all' : 'insiders', page)
  const ids = rows.map(({ id }) => id)
  const list = { people: rows, states: membershipsOf(context.db, org.row.id, ids), page, total }
  return answerPage(<MembersPage visit={new Visit(context, viewer, request)} org={org} {...list} error={problem?.message} />, problem?.status ?? 200)
}

interface Props {
  visit: Visit
  org: OrgAccess
  people: readonly UserRow[]
  states: ReadonlyMap<number, Membership>
  page: Page
  total: number
  error: string | undefined
}

function MembersPage({ visit, org, people, states, page, total, error }: Props) {
  const isInsider = org.role !== 'outsider'
  const listed = people.map((user) => {
    const state = states.get(user.id)
    const marks = [...(state?.is_owner ? ['Owner'] : []), ...(isInsider && !state?.is_public ? ['Hidden'] : [])]
    return { ...user, marks, actions: <Actions visit={visit} org={org} user={user} isPublic={state?.is_public === 1} /> }
  })
  return (
    <OrgFrame visit={visit} org={org} tab="members" title="Members">
      <h2>Members</h2>
      <Trouble text={error} />
      <PeopleList visit={visit} people={listed} none={isInsider ? 'No members' : 'No public members'} />
      <Pager visit={visit} page={page} total={total} />
      {org.role === 'owner' && <p class="faint">To add a member to the organization, add them to a team.</p>}
    </OrgFrame>
  )
}

/** The buttons that the rules let the viewer have. */
function Actions({ visit, org, user, isPublic }: { visit: Visit; org: OrgAccess; user: UserRow; isPublic: boolean }) {
  const address = visit.to`/org/${org.row.name}/members`
  const isOwn = isSelf(visit.viewer, user)
  if (org.role === 'outsider' || (!isOwn && org.role !== 'owner')) return null
  return (
    <>
      <ActionButton action={`${address}/${isPublic ? 'conceal' : 'publicize'}`} to={user.name} name="name" value={user.name}>
        {isPublic ? 'Hide membership' : 'Show membership'}
      </ActionButton>
      <ActionButton action={`${address}/remove`} to={user.name} name="name" value={user.name} isDanger>
        {isOwn ? 'Leave' : 'Remove'}
      </ActionButton>
    </>
  )
}
