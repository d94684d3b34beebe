import { Elysia } from 'elysia'
import { gate, PageQuery, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { parsePage } from '#kernel/page.ts'
import { listBranches } from '#repositories/refs/index.ts'
import { answerPage, RefList, Visit } from '#web/index.ts'

const PAGE_SIZE = 50

/** The branches of a repository, the newest commit first. */
export function branchPages(context: Context) {
  return new Elysia({ name: 'branches.pages' }).use(gate(context, 'page')).get(
    '/:owner/:repo/branches',
    ({ viewer, repo, request, query }) => {
      const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
      const refs = listBranches(context.db, repo.row.id, page)
      const total = repo.row.branch_count
      const names = refs.map(({ name }) => name.slice(HEADS.length))
      return answerPage(<RefList visit={new Visit(context, viewer, request)} repo={repo} kind="branch" names={names} page={page} total={total} />)
    },
    { repo: 'code:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
  )
}
