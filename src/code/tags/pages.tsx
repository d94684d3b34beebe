import { Elysia } from 'elysia'
import { gate, PageQuery, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { parsePage } from '#kernel/page.ts'
import { countRefs, listRefs } from '#repositories/refs/index.ts'
import { answerPage, RefList, Visit } from '#web/index.ts'

const PAGE_SIZE = 50

/** The tags of a repository, by name. */
export function tagPages(context: Context) {
  return new Elysia({ name: 'tags.pages' }).use(gate(context, 'page')).get(
    '/:owner/:repo/tags',
    ({ viewer, repo, request, query }) => {
      const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
      const refs = listRefs(context.db, repo.row.id, { prefix: TAGS, limit: page.limit, offset: page.offset })
      const total = countRefs(context.db, repo.row.id, TAGS)
      const names = refs.map(({ name }) => name.slice(TAGS.length))
      return answerPage(<RefList visit={new Visit(context, viewer, request)} repo={repo} kind="tag" names={names} page={page} total={total} />)
    },
    { repo: 'code:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
  )
}
