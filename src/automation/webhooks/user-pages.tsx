import { Elysia, t } from 'elysia'
import { gate, IdText, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { AccountFrame, Visit } from '#web/index.ts'
import { type HookDesk, hookDesks } from './hook-desk.tsx'
import { HookForm, NewHookQuery } from './hook-form.ts'
import { ofOwner } from './store.ts'

const HookParams = t.Object({ id: IdText('ID of the hook') })

/** Hooks of one's own account, in its settings. */
export function userHookPages(context: Context) {
  const hooks = hookDesks(context)
  const deskOf = ({ viewer, request }: { viewer: Member; request: Request }): HookDesk => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer,
      owner: ofOwner(viewer.user.id),
      address: visit.to`/user/settings/hooks`,
      about: 'Webhooks notify other programs of events in all repositories that you own.',
      frame: (children) => (
        <AccountFrame visit={visit} subject="hooks" title="Webhooks">
          {children}
        </AccountFrame>
      ),
    }
  }
  return new Elysia({ name: 'webhooks.user-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/hooks', (asked) => hooks.list(deskOf(asked), asked.query), {
      signedIn: [],
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/user/settings/hooks', (asked) => hooks.create(deskOf(asked), asked.body), {
      signedIn: [],
      body: HookForm,
      detail: { hide: true },
    })
    .get('/user/settings/hooks/new', (asked) => hooks.fresh(deskOf(asked), asked.query), {
      signedIn: [],
      query: NewHookQuery,
      detail: { hide: true },
    })
    .get('/user/settings/hooks/:id', (asked) => hooks.show(deskOf(asked), asked.params.id), {
      signedIn: [],
      params: HookParams,
      detail: { hide: true },
    })
    .post('/user/settings/hooks/:id', (asked) => hooks.save(deskOf(asked), asked.params.id, asked.body), {
      signedIn: [],
      params: HookParams,
      body: HookForm,
      detail: { hide: true },
    })
    .post('/user/settings/hooks/:id/delete', (asked) => hooks.delete(deskOf(asked), asked.params.id), {
      signedIn: [],
      params: HookParams,
      detail: { hide: true },
    })
}
