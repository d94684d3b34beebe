import { Elysia } from 'elysia'
import { gate, lineOf, operation, paging, type RepoAccess, RepoParams, readableBy, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pacedStream } from '#kernel/answers/paced-stream.ts'
import { inParts, uncheckedPages } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { mayRead } from '#work/issues/index.ts'
import { requireOwnTimes, spanOf, workerIn } from './list-times.ts'
import { OwnTimesQuery, TimesQuery, TrackedTimeList, UserTimesParams } from './schema.ts'
import { listTimes, type TimeFilter } from './store.ts'
import { requireTracking } from './track-time.ts'
import { presentTimes } from './view.ts'

const everything: Page = { page: 1, limit: 10_000, offset: 0 }

/** Times of a repository, and of whoever asks. */
export function timeLists(context: Context) {
  const kindsIn = (repo: RepoAccess) => ({ id: repo.row.id, issues: mayRead(repo, { is_pull: 0 }), pulls: mayRead(repo, { is_pull: 1 }) })
  const answer = async (viewer: Viewer, filter: TimeFilter, page: Page, total: (n: number) => void) => {
    const found = await listTimes(context.db, lineOf(viewer), filter, page)
    total(found.total)
    return presentTimes(context, viewer, found.rows)
  }
  return new Elysia({ name: 'times.lists' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/times',
      ({ viewer, repo, query, page, total }) => {
        requireTracking(context, repo)
        const seesAll = repo.permission.of('issues') !== 'read' && repo.permission.of('issues') !== 'none'
        const userId = workerIn(context.db, viewer, repo, seesAll, query.user)
        return answer(viewer, { repo: kindsIn(repo), userId, ...spanOf(query) }, page, total)
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: RepoParams,
        query: TimesQuery,
        response: { 200: TrackedTimeList },
        detail: { ...operation('repoTrackedTimes', "List a repo's tracked times", 'repository'), errors: [400] },
      },
    )
    .get(
      '/repos/:owner/:repo/times/:user',
      async ({ viewer, repo, params, request, server }) => {
        requireTracking(context, repo)
        const person = requireOwnTimes(context.db, viewer, repo, params.user)
        const { rows } = await listTimes(context.db, lineOf(viewer), { repo: kindsIn(repo), userId: person.id }, everything)
        const parts = inParts(rows, (part) => presentTimes(context, viewer, part))
        return uncheckedPages(parts, (source) => pacedStream(context, source, { request, server }), { total: () => rows.length })
      },
      {
        repo: 'issues|pulls:read',
        params: UserTimesParams,
        response: { 200: TrackedTimeList },
        detail: { ...operation('userTrackedTimes', "List a user's tracked times in a repo", 'repository'), deprecated: true, errors: [400] },
      },
    )
    .get(
      '/user/times',
      ({ viewer, query, page, total }) => {
        const readable = { issues: readableBy(viewer, 'issues'), pulls: readableBy(viewer, 'pulls') }
        return answer(viewer, { readable, userId: viewer.user.id, ...spanOf(query) }, page, total)
      },
      {
        signedIn: ['user', 'issue'],
        list: true,
        query: OwnTimesQuery,
        response: { 200: TrackedTimeList },
        detail: operation('userCurrentTrackedTimes', "List the current user's tracked times", 'user'),
      },
    )
}
