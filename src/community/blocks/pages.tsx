import { Elysia, type Static, t } from 'elysia'
import { gate, type Member, type OrgAccess, OrgParams, PageQuery, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { parsePage } from '#kernel/page.ts'
import {
  AccountFrame,
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  type Child,
  type Html,
  OrgSettingsFrame,
  Pager,
  PeopleList,
  SubmitButton,
  TextField,
  Trouble,
  Visit,
} from '#web/index.ts'
import { block, unblock } from './change-blocks.ts'
import { listBlocked } from './store.ts'

const PAGE_SIZE = 50
const BlockForm = t.Object({ name: t.String({ maxLength: 255 }), note: t.Optional(t.String({ maxLength: 255 })) })
type BlockForm = Static<typeof BlockForm>

/** Whose blocks are shown, and what stands around them. */
interface Place {
  visit: Visit
  viewer: Member
  blocker: UserRow
  address: string
  frame: (children: Child) => Html
}

/** Whom people and organizations keep away, in their settings. */
export function blockPages(context: Context) {
  return new Elysia({ name: 'blocks.pages' }).use(ofViewer(context)).use(ofOrgs(context))
}

function ofViewer(context: Context) {
  const placeOf = ({ viewer, request }: { viewer: Member; request: Request }): Place => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer,
      blocker: viewer.user,
      address: visit.to`/user/settings/blocked_users`,
      frame: (children) => (
        <AccountFrame visit={visit} subject="blocked" title="Blocked users">
          {children}
        </AccountFrame>
      ),
    }
  }
  return new Elysia({ name: 'blocks.viewer-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/blocked_users', (asked) => show(context, placeOf(asked), asked.query), { signedIn: [], query: PageQuery, detail: { hide: true } })
    .post('/user/settings/blocked_users', (asked) => add(context, placeOf(asked), asked.body), { signedIn: [], body: BlockForm, detail: { hide: true } })
    .post('/user/settings/blocked_users/delete', (asked) => remove(context, placeOf(asked), asked.body), {
      signedIn: [],
      body: BlockForm,
      detail: { hide: true },
    })
}

function ofOrgs(context: Context) {
  const placeOf = ({ viewer, org, request }: { viewer: Viewer; org: OrgAccess; request: Request }): Place => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer: requireUser(viewer),
      blocker: org.row,
      address: visit.to`/org/${org.row.name}/settings/blocked_users`,
      frame: (children) => (
        <OrgSettingsFrame visit={visit} org={org} subject="blocked">
          {children}
        </OrgSettingsFrame>
      ),
    }
  }
  return new Elysia({ name: 'blocks.org-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings/blocked_users', (asked) => show(context, placeOf(asked), asked.query), {
      org: 'owner',
      params: OrgParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/org/:org/settings/blocked_users', (asked) => add(context, placeOf(asked), asked.body), {
      org: 'owner',
      params: OrgParams,
      body: BlockForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/blocked_users/delete', (asked) => remove(context, placeOf(asked), asked.body), {
      org: 'owner',
      params: OrgParams,
      body: BlockForm,
      detail: { hide: true },
    })
}

/** Who is blocked already stays so. */
function add(context: Pick<Context, 'clock' | 'db' | 'jobs' | 'services'>, place: Place, form: BlockForm): Promise<Response> {
  const work = () => {
    block(context, place.viewer, place.blocker, form.name.trim(), form.note ?? '')
    return answerDone(place.visit, place.address, `User “${form.name.trim()}” blocked`)
  }
  return attempt(work, (problem) => show(context, place, {}, form, problem))
}

function remove(context: Pick<Context, 'db'>, place: Place, { name }: BlockForm): Promise<Response> {
  const work = () => {
    unblock(context.db, place.viewer, place.blocker, name)
    return answerDone(place.visit, place.address, `User “${name}” unblocked`)
  }
  return attempt(work, (problem) => show(context, place, {}, undefined, problem))
}

async function show(context: Pick<Context, 'db'>, place: Place, query: { page?: string }, typed?: BlockForm, problem?: Problem): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listBlocked(context.db, place.viewer, place.blocker.id, page)
  const people = rows.map((person) => ({
    ...person,
    marks: person.note === '' ? [] : [person.note],
    actions: (
      <ActionButton action={`${place.address}/delete`} to={person.name} name="name" value={person.name}>
        Unblock
      </ActionButton>
    ),
  }))
  const shown = place.frame(
    <>
      <p>
        {`Blocked users cannot open issues or pull requests, comment on them, or star, watch or fork ${
          place.blocker.kind === 'organization' ? 'the organization’s' : 'your'
        } repositories.`}
      </p>
      <PeopleList visit={place.visit} people={people} none="No blocked users" />
      <Pager visit={place.visit} page={page} total={total} />
      <form class="fields" method="post" action={place.address}>
        <Trouble text={problem?.message} />
        <TextField name="name" label="Username" value={typed?.name} most={255} isRequired isExact />
        <TextField name="note" label="Note (not visible to the blocked user)" value={typed?.note} most={255} />
        <SubmitButton isDanger>Block user</SubmitButton>
      </form>
    </>,
  )
  return answerPage(shown, problem?.status ?? 200)
}
