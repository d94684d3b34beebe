import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { adopt } from './adopt.ts'
import { deleteUnadopted } from './delete-unadopted.ts'
import { listUnadopted } from './list-unadopted.ts'
import { getUnadopted } from './unadopted.ts'

const params = t.Object({ owner: t.String({ description: 'Owner of the repository' }), repo: t.String({ description: 'Name of the repository' }) })
const UnadoptedQuery = t.Object({
  ...PageQuery.properties,
  pattern: t.Optional(t.String({ maxLength: 256, description: 'Search pattern: owner or owner/name, with the wildcards * and ?' })),
})

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
        detail: operation('adminUnadoptedList', 'List unadopted repositories', 'admin'),
      },
    )
    .post(
      '/admin/unadopted/:owner/:repo',
      async ({ viewer, params }) => {
        await adopt(context, viewer.user, getUnadopted(context, params.owner, params.repo))
      },
      {
        siteAdmin: 'admin',
        params,
        response: noContent,
        detail: { ...operation('adminAdoptRepository', 'Adopt unadopted files as a repository', 'admin'), errors: [409] },
      },
    )
    .delete('/admin/unadopted/:owner/:repo', ({ params }) => deleteUnadopted(context, getUnadopted(context, params.owner, params.repo)), {
      siteAdmin: 'admin',
      params,
      response: noContent,
      detail: { ...operation('adminDeleteUnadoptedRepository', 'Delete unadopted files', 'admin'), errors: [409] },
    })
}
