import { Elysia, t } from 'elysia'
import { gate, IdText, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SiteFrame, Visit } from '#web/index.ts'
import { type HookDesk, hookDesks } from './hook-desk.tsx'
import { HookForm, NewHookQuery } from './hook-form.ts'
import { ofSite } from './store.ts'

const HookParams = t.Object({ id: IdText('ID of the hook') })

/** Hooks of the site, in its administration. */
export function siteHookPages(context: Context) {
  const hooks = hookDesks(context)
  const deskOf = ({ viewer, request }: { viewer: Member; request: Request }): HookDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer,
      owner: ofSite,
      isSite: true,
      address: visit.to`/-/admin/hooks`,
      about: 'System webhooks notify other programs of events in all repositories. Default webhooks are copied to each new repository.',
      frame: (children) => (
        <SiteFrame visit={visit} subject="hooks" title="Webhooks">
          {children}
        </SiteFrame>
      ),
    }
  }
  return new Elysia({ name: 'webhooks.site-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/hooks', (asked) => hooks.list(deskOf(asked), asked.query), {
      siteAdmin: 'admin',
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/-/admin/hooks', (asked) => hooks.create(deskOf(asked), asked.body), {
      siteAdmin: 'admin',
      body: HookForm,
      detail: { hide: true },
    })
    .get('/-/admin/hooks/new', (asked) => hooks.fresh(deskOf(asked), asked.query), {
      siteAdmin: 'admin',
      query: NewHookQuery,
      detail: { hide: true },
    })
    .get('/-/admin/hooks/:id', (asked) => hooks.show(deskOf(asked), asked.params.id), {
      siteAdmin: 'admin',
      params: HookParams,
      detail: { hide: true },
    })
    .post('/-/admin/hooks/:id', (asked) => hooks.save(deskOf(asked), asked.params.id, asked.body), {
      siteAdmin: 'admin',
      params: HookParams,
      body: HookForm,
      detail: { hide: true },
    })
    .post('/-/admin/hooks/:id/delete', (asked) => hooks.delete(deskOf(asked), asked.params.id), {
      siteAdmin: 'admin',
      params: HookParams,
      detail: { hide: true },
    })
}
