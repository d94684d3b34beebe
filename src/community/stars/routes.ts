import { Elysia, t } from 'elysia'
import { gate, getRepo, holdsScope, PageQuery, PersonParams, paging, RepoParams, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { presentRepoRows, RepositoryList, searchRepos } from '#repositories/repos/index.ts'
import { starRepo } from './star-repo.ts'
import { deleteStar, isStarred, listStargazers } from './store.ts'

const detail = (operationId: string, summary: string, tag = 'user') => ({ operationId, summary, tags: [tag] })

/** Stars: what people starred, and who starred a repository. */
export function stars(context: Context) {
  /** A token without the scope for repositories tells of public ones alone. */
  const listStarred = (viewer: Viewer, person: UserRow, page: Page) =>
    searchRepos(context.db, viewer, { starredBy: person.id, publicOnly: !holdsScope(viewer, ['repository'], 'read'), sort: 'id' }, page)
  return new Elysia({ name: 'stars' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/starred',
      ({ viewer, page, total }) => {
        const found = listStarred(viewer, viewer.user, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        signedIn: ['user', 'repository'],
        list: true,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: detail('userCurrentListStarred', 'The repos that the authenticated user has starred'),
      },
    )
    .get(
      '/users/:username/starred',
      ({ viewer, person, page, total }) => {
        const found = listStarred(requireUser(viewer), person, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: detail('userListStarred', 'The repos that the given user has starred'),
      },
    )
    .get(
      '/user/starred/:owner/:repo',
      ({ viewer, params, request, set }) => {
        const repo = getRepo(context, viewer, params, request)
        if (!isStarred(context.db, viewer.user.id, repo.row.id)) throw new NotFound()
        set.status = 204
      },
      {
        signedIn: ['user', 'repository'],
        params: RepoParams,
        response: { 204: t.Void() },
        detail: detail('userCurrentCheckStarring', 'Whether the authenticated user has starred the repo'),
      },
    )
    .put(
      '/user/starred/:owner/:repo',
      ({ viewer, params, request, set }) => {
        starRepo(context, viewer.user, getRepo(context, viewer, params, request).row)
        set.status = 204
      },
      {
        signedIn: ['user', 'repository'],
        params: RepoParams,
        response: { 204: t.Void() },
        detail: detail('userCurrentPutStar', 'Star the given repo'),
      },
    )
    .delete(
      '/user/starred/:owner/:repo',
      ({ viewer, params, request, set }) => {
        const repo = getRepo(context, viewer, params, request)
        context.db.tx((tx) => deleteStar(tx, viewer.user.id, repo.row.id))
        set.status = 204
      },
      {
        signedIn: ['user', 'repository'],
        params: RepoParams,
        response: { 204: t.Void() },
        detail: detail('userCurrentDeleteStar', 'Unstar the given repo'),
      },
    )
    .get(
      '/repos/:owner/:repo/stargazers',
      ({ viewer, repo, page, total }) => {
        const found = listStargazers(context.db, viewer, repo.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: detail('repoListStargazers', "List a repo's stargazers", 'repository'),
      },
    )
}
