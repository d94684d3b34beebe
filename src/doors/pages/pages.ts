import { Elysia, t } from 'elysia'
import { gate, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { seeOther, Visit } from '#web/index.ts'
import { parseAccountFile, serveAccountFile } from './account-files.ts'
import { showDashboard } from './dashboard.tsx'
import { discovery } from './discovery-pages.ts'
import { showJump } from './jump-page.tsx'
import { showProfile } from './profile.tsx'
import { repoHome } from './repo-pages.ts'
import { showExplore, showOrgs, showPeople } from './show.tsx'

const ListQuery = t.Object({
  q: t.Optional(t.String()),
  page: t.Optional(t.String()),
  tab: t.Optional(t.String({ maxLength: 20 })),
  org: t.Optional(t.String({ maxLength: 255 })),
  kind: t.Optional(t.String({ maxLength: 20 })),
})

const JumpQuery = t.Object({
  q: t.Optional(t.String({ maxLength: 200 })),
  in: t.Optional(t.String({ maxLength: 200 })),
  fragment: t.Optional(t.String({ maxLength: 20 })),
})

/** The pages that stand on many rooms. */
export function sitePages(context: Context) {
  return new Elysia({ name: 'site.pages' })
    .use(discovery(context))
    .use(repoHome(context))
    .use(gate(context, 'page'))
    .get(
      '/',
      ({ viewer, request, query }) => {
        const visit = new Visit(context, viewer, request)
        return viewer.user ? showDashboard(context, visit, viewer as Member, query) : showExplore(context, visit, query)
      },
      {
        anyone: [],
        query: ListQuery,
        detail: { hide: true },
      },
    )
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
    .get('/explore/organizations', ({ viewer, request, query }) => showOrgs(context, new Visit(context, viewer, request), query), {
      anyone: [],
      query: ListQuery,
      detail: { hide: true },
    })
    .get('/-/jump', ({ viewer, request, query }) => showJump(context, new Visit(context, viewer, request), query), {
      anyone: [],
      query: JumpQuery,
      detail: { hide: true },
    })
    .use(gate(context, 'either'))
    .get(
      '/:owner',
      ({ viewer, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        const file = parseAccountFile(params.owner)
        return file ? serveAccountFile(context, visit, file.name, file.ending) : showProfile(context, visit, params.owner, query)
      },
      {
        anyone: 'user',
        params: t.Object({ owner: t.String() }),
        query: ListQuery,
        detail: { hide: true },
      },
    )
}
