import { Elysia } from 'elysia'
import { Interests } from '#access/hooks.ts'
import { gate, PageQuery, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parsePage } from '#kernel/page.ts'
import { answerPage, RepoPeoplePage, seeOther, Visit } from '#web/index.ts'
import { starRepo } from './star-repo.ts'
import { listStargazers } from './store.ts'

const PAGE_SIZE = 50

/** Who starred a repository, and the buttons with which people do. */
export function starPages(context: Context) {
  const back = (asked: { viewer: Viewer; request: Request; repo: RepoAccess }) =>
    seeOther(new Visit(context, asked.viewer, asked.request).to`/${asked.repo.owner.name}/${asked.repo.row.name}`)
  return new Elysia({ name: 'stars.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/stars',
      async ({ viewer, repo, request, query }) => {
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const { rows, total } = await listStargazers(context.db, viewer, repo.row.id, page)
        const visit = new Visit(context, viewer, request)
        return answerPage(<RepoPeoplePage visit={visit} repo={repo} title="Stars" people={rows} page={page} total={total} />)
      },
      { repo: 'read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/action/star',
      (asked) => {
        starRepo(context, requireUser(asked.viewer).user, asked.repo.row)
        return back(asked)
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/action/unstar',
      (asked) => {
        const { user } = requireUser(asked.viewer)
        context.db.tx((tx) => context.services.get(Interests).starring.drop(tx, user.id, asked.repo.row.id))
        return back(asked)
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
}
