import { Elysia, t } from 'elysia'
import { gate, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { adopt } from './adopt.ts'
import { deleteUnadopted } from './delete-unadopted.ts'
import { listUnadopted } from './list-unadopted.ts'
import { getUnadopted } from './unadopted.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['admin'] })
const params = t.Object({ owner: t.String({ description: 'owner of the repo' }), repo: t.String({ description: 'name of the repo' }) })
const UnadoptedQuery = t.Object({
  ...PageQuery.properties,
  pattern: t.Optional(t.String({ maxLength: 256, description: 'pattern of repositories to search for: owner or owner/name with * and ?' })),
})
/** As the server's other connections. */
const IDLE_SECONDS = 30

/** Repositories that somebody put into the data directory, as `repositories/<owner>/<name>.git`. */
export function unadopted(context: Context) {
  return new Elysia({ name: 'unadopted' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/unadopted',
      async ({ query, page, total }) => {
        const names = await listUnadopted(context, query.pattern ?? '')
        total(names.length)
        return names.slice(page.offset, page.offset + page.limit)
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: UnadoptedQuery,
        response: { 200: t.Array(t.String()) },
        detail: detail('adminUnadoptedList', 'List unadopted repositories'),
      },
    )
    .post(
      '/admin/unadopted/:owner/:repo',
      async ({ viewer, params, request, server, set }) => {
        const found = getUnadopted(context, params.owner, params.repo)
        // Silent for as long as the work takes, which `git.REQUEST_SECONDS` bounds instead.
        server?.timeout(request, 0)
        await adopt(context, viewer.user, found).finally(() => server?.timeout(request, IDLE_SECONDS))
        set.status = 204
      },
      { siteAdmin: 'admin', params, response: { 204: t.Void() }, detail: detail('adminAdoptRepository', 'Adopt unadopted files as a repository') },
    )
    .delete(
      '/admin/unadopted/:owner/:repo',
      ({ params, set }) => {
        deleteUnadopted(context, getUnadopted(context, params.owner, params.repo))
        set.status = 204
      },
      { siteAdmin: 'admin', params, response: { 204: t.Void() }, detail: detail('adminDeleteUnadoptedRepository', 'Delete unadopted files') },
    )
}
