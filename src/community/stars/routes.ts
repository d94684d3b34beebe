import { Elysia } from 'elysia'
import { Interests } from '#access/hooks.ts'
import {
  gate,
  getRepo,
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
import { starring } from './interest-store.ts'
import { starRepo } from './star-repo.ts'
import { listStargazers } from './store.ts'

/** Stars: what people starred, and who starred a repository. */
export function stars(context: Context) {
  const listStarred = (viewer: Viewer, person: UserRow, page: Page) =>
    searchRepos(context.db, viewer, { further: [starring.of(person.id)], publicOnly: readsPublicReposOnly(viewer), sort: 'id' }, page)
  return new Elysia({ name: 'stars' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/starred',
      async ({ viewer, page, total }) => {
        const found = await listStarred(viewer, viewer.user, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        signedIn: ['user', 'repository'],
        list: true,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userCurrentListStarred', 'The repos that the authenticated user has starred', 'user'),
      },
    )
    .get(
      '/users/:username/starred',
      async ({ viewer, person, page, total }) => {
        const found = await listStarred(requireUser(viewer), person, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userListStarred', 'The repos that the given user has starred', 'user'),
      },
    )
    .get(
      '/user/starred/:owner/:repo',
      ({ viewer, params, request }) => {
        const repo = getRepo(context.db, viewer, params, request)
        if (!starring.has(context.db, viewer.user.id, repo.row.id)) throw new NotFound()
      },
      {
        signedIn: ['user', 'repository'],
        params: RepoParams,
        response: noContent,
        detail: operation('userCurrentCheckStarring', 'Whether the authenticated user has starred the repo', 'user'),
      },
    )
    .put('/user/starred/:owner/:repo', ({ viewer, params, request }) => starRepo(context, viewer.user, getRepo(context.db, viewer, params, request).row), {
      signedIn: ['user', 'repository'],
      params: RepoParams,
      response: noContent,
      detail: operation('userCurrentPutStar', 'Star the given repo', 'user'),
    })
    .delete(
      '/user/starred/:owner/:repo',
      ({ viewer, params, request }) => {
        const repo = getRepo(context.db, viewer, params, request)
        context.db.tx((tx) => context.services.get(Interests).starring.drop(tx, viewer.user.id, repo.row.id))
      },
      {
        signedIn: ['user', 'repository'],
        params: RepoParams,
        response: noContent,
        detail: operation('userCurrentDeleteStar', 'Unstar the given repo', 'user'),
      },
    )
    .get(
      '/repos/:owner/:repo/stargazers',
      async ({ viewer, repo, page, total }) => {
        const found = await listStargazers(context.db, viewer, repo.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('repoListStargazers', "List a repo's stargazers", 'repository'),
      },
    )
}
