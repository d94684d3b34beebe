import { Elysia, t } from 'elysia'
import type { Context } from '#context.ts'
import { pathOf, queryOf } from '#kernel/http.ts'
import { pageHeaders, parsePage } from '#kernel/page.ts'

/** The query of every list. Bad values fall back to defaults, as Gitea's do, so they are texts here. */
export const PageQuery = t.Object({
  page: t.Optional(t.String({ documentedAs: 'integer', description: 'Page number of the results, starting at 1' })),
  limit: t.Optional(t.String({ documentedAs: 'integer', description: 'Number of results per page' })),
})

/**
 * The macro `list: true` gives a handler `page` (what part was asked for) and `total(n)`, which sets
 * `X-Total-Count` and `Link` for a list of `n`; both headers are needed on every list.
 */
export function paging(context: Pick<Context, 'config' | 'rootUrl'>) {
  const { DEFAULT_PAGING_NUM: defaultLimit, MAX_RESPONSE_ITEMS: maxLimit } = context.config.api
  return new Elysia({ name: 'paging' }).macro({
    list: (_: true) => ({
      resolve: ({ query, request, set }) => {
        const page = parsePage(query as Record<string, string | undefined>, { defaultLimit, maxLimit })
        const total = (count: number) => {
          const url = new URL(pathOf(request.url).slice(1) + queryOf(request.url), context.rootUrl)
          url.searchParams.delete('token')
          url.searchParams.delete('access_token')
          Object.assign(set.headers, pageHeaders(url, page, count))
        }
        return { page, total }
      },
    }),
  })
}
