import { Elysia, t } from 'elysia'
import { gate, IdText, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { pageOfSize } from '#kernel/page.ts'
import { AccountFrame, answerDone, Pager, Visit } from '#web/index.ts'
import { type ApplicationDesk, ApplicationParams, applicationDesks, PAGE_SIZE } from './application-desk.tsx'
import { revokeGrant } from './change-applications.ts'
import { GrantList } from './grant-list.tsx'
import { ApplicationForm } from './schema.ts'
import { listGrants } from './store.ts'

const ListQuery = t.Object({ ...PageQuery.properties, grants: t.Optional(t.String()) })
const GrantParams = t.Object({ ...ApplicationParams.properties, grant: IdText('ID of the grant') })

/** Applications that somebody has let in, and those that they have made. */
export function userApplicationPages(context: Context) {
  const applications = applicationDesks(context)
  const deskOf = ({ viewer, request }: { viewer: Member; request: Request }): ApplicationDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      owner: viewer.user,
      address: visit.to`/user/settings/applications/oauth2`,
      frame: (children) => (
        <AccountFrame visit={visit} subject="oauth2" title="Applications">
          {children}
        </AccountFrame>
      ),
    }
  }
  const withGrants = (asked: { viewer: Member; request: Request }, number?: string): ApplicationDesk => {
    const desk = deskOf(asked)
    const page = pageOfSize(number, PAGE_SIZE)
    const { rows, total } = listGrants(context.db, asked.viewer.user.id, page)
    const before = (
      <>
        <h2>Authorized applications</h2>
        <GrantList context={context} visit={desk.visit} grants={rows} />
        <Pager visit={desk.visit} page={page} total={total} name="grants" />
        <h2>Your OAuth2 applications</h2>
      </>
    )
    return { ...desk, before }
  }
  return new Elysia({ name: 'oauth2.user-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/applications/oauth2', (asked) => applications.list(withGrants(asked, asked.query.grants), asked.query.page), {
      signedIn: [],
      query: ListQuery,
      detail: { hide: true },
    })
    .post('/user/settings/applications/oauth2', (asked) => applications.create(withGrants(asked), asked.body), {
      signedIn: [],
      body: ApplicationForm,
      detail: { hide: true },
    })
    .get('/user/settings/applications/oauth2/:id', (asked) => applications.show(deskOf(asked), asked.params.id), {
      signedIn: [],
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post('/user/settings/applications/oauth2/:id', (asked) => applications.save(deskOf(asked), asked.params.id, asked.body), {
      signedIn: [],
      params: ApplicationParams,
      body: ApplicationForm,
      detail: { hide: true },
    })
    .post('/user/settings/applications/oauth2/:id/regenerate_secret', (asked) => applications.renew(deskOf(asked), asked.params.id), {
      signedIn: [],
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post('/user/settings/applications/oauth2/:id/delete', (asked) => applications.delete(deskOf(asked), asked.params.id), {
      signedIn: [],
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post(
      '/user/settings/applications/oauth2/:id/revoke/:grant',
      (asked) => {
        revokeGrant(context, asked.viewer.user, rowIdIn(asked.params.grant))
        const { visit, address } = deskOf(asked)
        return answerDone(visit, address, 'Access revoked')
      },
      { signedIn: [], params: GrantParams, detail: { hide: true } },
    )
}
