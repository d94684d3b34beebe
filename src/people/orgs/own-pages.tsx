import { Elysia } from 'elysia'
import { gate, type Member, mayCreateOrgs, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parsePage } from '#kernel/page.ts'
import { AccountFrame, ActionButton, answerPage, Pager, PeopleList, Visit } from '#web/index.ts'
import { listOrgs } from './store.ts'

const PAGE_SIZE = 50

/** The organizations that somebody is in, in the settings of their account. */
export function ownOrgPages(context: Context) {
  return new Elysia({ name: 'orgs.own-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/organization', ({ viewer, request, query }) => show(context, viewer, request, query), {
      signedIn: [],
      query: PageQuery,
      detail: { hide: true },
    })
}

async function show(context: Context, viewer: Member, request: Request, query: { page?: string }): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listOrgs(context.db, viewer, page, viewer.user.id)
  const orgs = rows.map((org) => ({
    ...org,
    actions: (
      <ActionButton action={visit.to`/org/${org.name}/members/remove`} to={org.name} name="name" value={viewer.user.name} isDanger>
        Leave
      </ActionButton>
    ),
  }))
  return answerPage(
    <AccountFrame visit={visit} subject="organizations" title="Organizations" action={mayCreateOrgs(viewer.user) && <NewOrg visit={visit} />}>
      <PeopleList visit={visit} people={orgs} none="You are not a member of any organization" />
      <Pager visit={visit} page={page} total={total} />
    </AccountFrame>,
  )
}

function NewOrg({ visit }: { visit: Visit }) {
  return (
    <a class="button primary" href={visit.to`/org/create`}>
      New organization
    </a>
  )
}
