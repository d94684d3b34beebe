import { Elysia, t } from 'elysia'
import { gate, IdText, PageQuery, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { RepoSettingsFrame, Visit } from '#web/index.ts'
import { type HookDesk, hookDesks } from './hook-desk.tsx'
import { HookForm, NewHookQuery } from './hook-form.ts'
import { ofRepo } from './store.ts'

const HookParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the hook') })

/** Hooks of one repository, in its settings. */
export function repoHookPages(context: Context) {
  const hooks = hookDesks(context)
  const deskOf = ({ viewer, repo, request }: { viewer: Viewer; repo: RepoAccess; request: Request }): HookDesk & { repo: RepoAccess } => {
    const visit = new Visit(context, viewer, request)
    return {
      visit,
      viewer: requireUser(viewer),
      owner: ofRepo(repo.row.id),
      repo,
      address: visit.to`/${repo.owner.name}/${repo.row.name}/settings/hooks`,
      isBelowHeading: true,
      about: 'Webhooks notify other programs of events in this repository.',
      frame: (children) => (
        <RepoSettingsFrame visit={visit} repo={repo} subject="hooks">
          {children}
        </RepoSettingsFrame>
      ),
    }
  }
  return new Elysia({ name: 'webhooks.repo-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/hooks', (asked) => hooks.list(deskOf(asked), asked.query), {
      repo: 'admin',
      params: RepoParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/hooks', (asked) => hooks.create(deskOf(asked), asked.body), {
      repo: 'admin',
      params: RepoParams,
      body: HookForm,
      detail: { hide: true },
    })
    .get('/:owner/:repo/settings/hooks/new', (asked) => hooks.fresh(deskOf(asked), asked.query), {
      repo: 'admin',
      params: RepoParams,
      query: NewHookQuery,
      detail: { hide: true },
    })
    .get('/:owner/:repo/settings/hooks/:id', (asked) => hooks.show(deskOf(asked), asked.params.id), {
      repo: 'admin',
      params: HookParams,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/hooks/:id', (asked) => hooks.save(deskOf(asked), asked.params.id, asked.body), {
      repo: 'admin',
      params: HookParams,
      body: HookForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/hooks/:id/delete', (asked) => hooks.delete(deskOf(asked), asked.params.id), {
      repo: 'admin',
      params: HookParams,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/hooks/:id/test', (asked) => hooks.test(deskOf(asked), asked.params.id), {
      repo: 'admin',
      params: HookParams,
      detail: { hide: true },
    })
}
