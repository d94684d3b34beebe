import { Elysia, t } from 'elysia'
import { gate, IdText, type OrgAccess, OrgParams, PageQuery, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { OrgSettingsFrame, Visit } from '#web/index.ts'
import { type HookDesk, hookDesks } from './hook-desk.tsx'
import { HookForm, NewHookQuery } from './hook-form.ts'
import { ofOwner } from './store.ts'

const HookParams = t.Object({ ...OrgParams.properties, id: IdText('ID of the hook') })

/** Hooks of an organization, in its settings. */
export function orgHookPages(context: Context) {
  const hooks = hookDesks(context)
  const deskOf = ({ viewer, org, request }: { viewer: Viewer; org: OrgAccess; request: Request }): HookDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer: requireUser(viewer),
      owner: ofOwner(org.row.id),
      address: visit.to`/org/${org.row.name}/settings/hooks`,
      isBelowHeading: true,
      about: 'Webhooks notify other programs of events in all repositories of this organization.',
      frame: (children) => (
        <OrgSettingsFrame visit={visit} org={org} subject="hooks">
          {children}
        </OrgSettingsFrame>
      ),
    }
  }
  return new Elysia({ name: 'webhooks.org-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings/hooks', (asked) => hooks.list(deskOf(asked), asked.query), {
      org: 'owner',
      params: OrgParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/org/:org/settings/hooks', (asked) => hooks.create(deskOf(asked), asked.body), {
      org: 'owner',
      params: OrgParams,
      body: HookForm,
      detail: { hide: true },
    })
    .get('/org/:org/settings/hooks/new', (asked) => hooks.fresh(deskOf(asked), asked.query), {
      org: 'owner',
      params: OrgParams,
      query: NewHookQuery,
      detail: { hide: true },
    })
    .get('/org/:org/settings/hooks/:id', (asked) => hooks.show(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: HookParams,
      detail: { hide: true },
    })
    .post('/org/:org/settings/hooks/:id', (asked) => hooks.save(deskOf(asked), asked.params.id, asked.body), {
      org: 'owner',
      params: HookParams,
      body: HookForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/hooks/:id/delete', (asked) => hooks.delete(deskOf(asked), asked.params.id), {
      org: 'owner',
      params: HookParams,
      detail: { hide: true },
    })
}
