import { Elysia, t } from 'elysia'
import { gate, type OrgAccess, OrgParams, PageQuery, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { OrgSettingsFrame, Visit } from '#web/index.ts'
import { type ApplicationDesk, ApplicationParams, applicationDesks } from './application-desk.tsx'
import { ApplicationForm } from './schema.ts'

const Params = t.Object({ ...OrgParams.properties, ...ApplicationParams.properties })

/** Applications of an organization, in its settings: they stay when whoever made them goes. */
export function orgApplicationPages(context: Context) {
  const applications = applicationDesks(context)
  const deskOf = ({ viewer, org, request }: { viewer: Viewer; org: OrgAccess; request: Request }): ApplicationDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      owner: org.row,
      address: visit.to`/org/${org.row.name}/settings/applications`,
      frame: (children) => (
        <OrgSettingsFrame visit={visit} org={org} subject="applications">
          {children}
        </OrgSettingsFrame>
      ),
    }
  }
  return new Elysia({ name: 'oauth2.org-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings/applications', (asked) => applications.list(deskOf(asked), asked.query.page), {
      org: 'owner',
      params: OrgParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/org/:org/settings/applications', (asked) => applications.create(deskOf(asked), asked.body), {
      org: 'owner',
      params: OrgParams,
      body: ApplicationForm,
      detail: { hide: true },
    })
    .get('/org/:org/settings/applications/:id', (asked) => applications.show(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: Params,
      detail: { hide: true },
    })
    .post('/org/:org/settings/applications/:id', (asked) => applications.save(deskOf(asked), asked.params.id, asked.body), {
      org: 'owner',
      params: Params,
      body: ApplicationForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/applications/:id/regenerate_secret', (asked) => applications.renew(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: Params,
      detail: { hide: true },
    })
    .post('/org/:org/settings/applications/:id/delete', (asked) => applications.delete(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: Params,
      detail: { hide: true },
    })
}
