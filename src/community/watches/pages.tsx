import { Elysia } from 'elysia'
import { gate, PageQuery, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parsePage } from '#kernel/page.ts'
import { answerPage, RepoPeoplePage, seeOther, Visit } from '#web/index.ts'
import { endWatch, listWatchers } from './store.ts'
import { watchRepo } from './watch-repo.ts'
import { watchedPages } from './watched-pages.tsx'

const PAGE_SIZE = 50

/** Who watches a repository, what somebody watches, and the buttons with which people do. */
export function watchPages(context: Context) {
  const back = (asked: { viewer: Viewer; request: Request; repo: RepoAccess }) =>
    seeOther(new Visit(context, asked.viewer, asked.request).to`/${asked.repo.owner.name}/${asked.repo.row.name}`)
  return new Elysia({ name: 'watches.pages' })
    .use(watchedPages(context))
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/watchers',
      async ({ viewer, repo, request, query }) => {
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const { rows, total } = await listWatchers(context.db, viewer, repo.row.id, page)
        const visit = new Visit(context, viewer, request)
        return answerPage(<RepoPeoplePage visit={visit} repo={repo} title="Watchers" people={rows} page={page} total={total} />)
      },
      { repo: 'read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/action/watch',
      (asked) => {
        watchRepo(context, requireUser(asked.viewer).user, asked.repo.row)
        return back(asked)
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/action/unwatch',
      (asked) => {
        const { user } = requireUser(asked.viewer)
        context.db.tx((tx) => endWatch(tx, user.id, asked.repo.row.id))
        return back(asked)
      },
      { repo: 'read', params: RepoParams, detail: { hide: true } },
    )
}
