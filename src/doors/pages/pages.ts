import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { seeOther, Visit } from '#web/index.ts'
import { showExplore, showHome, showPeople, showProfile } from './show.tsx'

const ListQuery = t.Object({ q: t.Optional(t.String()), page: t.Optional(t.String()) })

/** The pages that stand on many rooms. */
export function sitePages(context: Context) {
  return new Elysia({ name: 'site.pages' })
    .use(gate(context, 'page'))
    .get('/', ({ viewer, request, query }) => showHome(context, new Visit(context, viewer, request), query), {
      anyone: [],
      query: ListQuery,
      detail: { hide: true },
    })
    .get('/explore', ({ viewer, request }) => seeOther(new Visit(context, viewer, request).to`/explore/repos`), { anyone: [], detail: { hide: true } })
    .get('/explore/repos', ({ viewer, request, query }) => showExplore(context, new Visit(context, viewer, request), query), {
      anyone: [],
      query: ListQuery,
      detail: { hide: true },
    })
    .get('/explore/users', ({ viewer, request, query }) => showPeople(context, new Visit(context, viewer, request), query), {
      anyone: [],
      query: ListQuery,
      detail: { hide: true },
    })
    .get('/:owner', ({ viewer, request, params, query }) => showProfile(context, new Visit(context, viewer, request), params.owner, query), {
      anyone: [],
      params: t.Object({ owner: t.String() }),
      query: ListQuery,
      detail: { hide: true },
    })
}
