import { Elysia } from 'elysia'
import {
  gate,
  noContent,
  operation,
  PageQuery,
  PersonParams,
  paging,
  RepoParams,
  readsPublicReposOnly,
  requireUser,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { presentRepoRows, RepositoryList, searchRepos } from '#repositories/repos/index.ts'
import { watching } from './interest-store.ts'
import { WatchInfo } from './schema.ts'
import { endWatch, findWatch, listWatchers } from './store.ts'
import { presentWatch } from './view.ts'
import { watchRepo } from './watch-repo.ts'

/** Watches, which Gitea's API calls subscriptions: what people watch, and who watches a repository. */
export function watches(context: Context) {
  const listWatched = (viewer: Viewer, person: UserRow, page: Page) =>
    searchRepos(context.db, viewer, { further: [watching.of(person.id)], publicOnly: readsPublicReposOnly(viewer), sort: 'id' }, page)
  return new Elysia({ name: 'watches' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/subscriptions',
      async ({ viewer, page, total }) => {
        const found = await listWatched(viewer, viewer.user, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userCurrentListSubscriptions', 'List repositories watched by the authenticated user', 'user'),
      },
    )
    .get(
      '/users/:username/subscriptions',
      async ({ viewer, person, page, total }) => {
        const found = await listWatched(requireUser(viewer), person, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userListSubscriptions', 'List the repositories watched by a user', 'user'),
      },
    )
    .get(
      '/repos/:owner/:repo/subscribers',
      async ({ viewer, repo, page, total }) => {
        const found = await listWatchers(context.db, viewer, repo.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('repoListSubscribers', "List a repo's watchers", 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/subscription',
      ({ viewer, repo }) => {
        const row = findWatch(context.db, requireUser(viewer).user.id, repo.row.id)
        if (!row) throw new NotFound()
        return presentWatch(context, repo, row)
      },
      {
        repo: 'read',
        params: RepoParams,
        response: { 200: WatchInfo },
        detail: operation('userCurrentCheckSubscription', 'Check if the current user is watching a repo', 'repository'),
      },
    )
    .put('/repos/:owner/:repo/subscription', ({ viewer, repo }) => presentWatch(context, repo, watchRepo(context, requireUser(viewer).user, repo.row)), {
      repo: 'read',
      params: RepoParams,
      response: { 200: WatchInfo },
      detail: operation('userCurrentPutSubscription', 'Watch a repo', 'repository'),
    })
    .delete(
      '/repos/:owner/:repo/subscription',
      ({ viewer, repo }) => {
        const { user } = requireUser(viewer)
        context.db.tx((tx) => endWatch(tx, user.id, repo.row.id))
      },
      {
        repo: 'read',
        params: RepoParams,
        response: noContent,
        detail: operation('userCurrentDeleteSubscription', 'Unwatch a repo', 'repository'),
      },
    )
}
