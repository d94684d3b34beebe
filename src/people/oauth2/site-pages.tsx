import { Elysia } from 'elysia'
import { gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SiteFrame, Visit } from '#web/index.ts'
import { type ApplicationDesk, ApplicationParams, applicationDesks } from './application-desk.tsx'
import { ApplicationForm } from './schema.ts'

/** Applications of the site, in its administration. */
export function siteApplicationPages(context: Context) {
  const applications = applicationDesks(context)
  const deskOf = ({ viewer, request }: { viewer: Member; request: Request }): ApplicationDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      owner: { id: null },
      address: visit.to`/-/admin/applications`,
      frame: (children) => (
        <SiteFrame visit={visit} subject="applications" title="Applications">
          {children}
        </SiteFrame>
      ),
    }
  }
  return new Elysia({ name: 'oauth2.site-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/applications', (asked) => applications.list(deskOf(asked), asked.query.page), {
      siteAdmin: 'admin',
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/-/admin/applications', (asked) => applications.create(deskOf(asked), asked.body), {
      siteAdmin: 'admin',
      body: ApplicationForm,
      detail: { hide: true },
    })
    .get('/-/admin/applications/:id', (asked) => applications.show(deskOf(asked), asked.params.id), {
      siteAdmin: 'admin',
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post('/-/admin/applications/:id', (asked) => applications.save(deskOf(asked), asked.params.id, asked.body), {
      siteAdmin: 'admin',
      params: ApplicationParams,
      body: ApplicationForm,
      detail: { hide: true },
    })
    .post('/-/admin/applications/:id/regenerate_secret', (asked) => applications.renew(deskOf(asked), asked.params.id), {
      siteAdmin: 'admin',
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post('/-/admin/applications/:id/delete', (asked) => applications.delete(deskOf(asked), asked.params.id), {
      siteAdmin: 'admin',
      params: ApplicationParams,
      detail: { hide: true },
    })
}
