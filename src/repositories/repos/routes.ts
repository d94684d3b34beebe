import { Elysia, t } from 'elysia'
import { Answers, gate, noContent, operation, PageQuery, PersonParams, paging, RepoParams, refuseHiding, requireScope, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { repoAvatars } from './avatar-routes.ts'
import { createFromBody } from './create-from-body.ts'
import { deleteRepo } from './delete-repo.ts'
import { editRepo } from './edit-repo.ts'
import { orgRepos } from './org-routes.ts'
import { parseSearch } from './parse-search.ts'
import { maySearch } from './rules.ts'
import { CreateRepoOption, EditRepoOption, Repository, RepositoryList, SearchQuery, SearchResults } from './schema.ts'
import { searchRepos } from './search-store.ts'
import { templates } from './templates/routes.ts'
import { presentRepo, presentRepoRow, presentRepoRows } from './view.ts'

/** Repositories themselves: find, create, read, change, delete. */
export function repos(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'repos' })
    .use(gate(context))
    .use(paging(context))
    .use(templates(context))
    .use(repoAvatars(context))
    .use(orgRepos(context))
    .get(
      '/repos/search',
      ({ viewer, query, page, total, request, set }) =>
        answers.keep({ viewer, request, set }, async () => {
          const search = parseSearch(context, query, viewer)
          const found = maySearch(context.db, viewer, search) ? await searchRepos(context.db, viewer, search, page) : { rows: [], total: 0 }
          total(found.total)
          return { ok: true, data: presentRepoRows(context, viewer, found.rows) }
        }),
      {
        anyone: 'repository',
        list: true,
        query: SearchQuery,
        response: { 200: SearchResults },
        detail: operation('repoSearch', 'Search for repositories', 'repository'),
      },
    )
    .get(
      '/user/repos',
      async ({ viewer, page, total }) => {
        const found = await searchRepos(context.db, viewer, { ownerId: viewer.user.id, contributed: 'also' }, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        signedIn: ['user', 'repository'],
        list: true,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userCurrentListRepos', 'List the repos that the authenticated user owns or contributes to', 'user'),
      },
    )
    .post(
      '/user/repos',
      async ({ viewer, body }) => {
        const repo = await createFromBody(context, { owner: viewer.user, viewer, body })
        return presentRepoRow(context, viewer, repo)
      },
      {
        signedIn: ['user', 'repository'],
        body: CreateRepoOption,
        response: { 201: Repository },
        detail: { ...operation('createCurrentUserRepo', 'Create a repository', 'repository', 'user'), errors: [409] },
      },
    )
    .get(
      '/users/:username/repos',
      async ({ viewer, person, page, total }) => {
        requireScope(viewer, ['repository'], 'read')
        const found = await searchRepos(context.db, viewer, { ownerId: person.id, sort: 'id' }, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        person: 'visibleOrOrg',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('userListRepos', 'List the repos owned by the given user', 'user'),
      },
    )
    .get('/repositories/:id', ({ viewer, repo, request, set }) => answers.keep({ viewer, request, set }, () => presentRepo(context, viewer, repo)), {
      repo: 'read',
      params: t.Object({ id: t.String() }),
      response: { 200: Repository },
      detail: operation('repoGetByID', 'Get a repository by id', 'repository'),
    })
    .get('/repos/:owner/:repo', ({ viewer, repo, request, set }) => answers.keep({ viewer, request, set }, () => presentRepo(context, viewer, repo)), {
      repo: 'read',
      params: RepoParams,
      response: { 200: Repository },
      detail: operation('repoGet', 'Get a repository', 'repository'),
    })
    .patch(
      '/repos/:owner/:repo',
      ({ viewer, repo, body }) => {
        refuseHiding(viewer, body.private === true)
        return presentRepoRow(context, viewer, editRepo(context, requireUser(viewer).user, repo, body))
      },
      {
        repo: 'admin',
        params: RepoParams,
        body: EditRepoOption,
        response: { 200: Repository },
        detail: operation('repoEdit', "Edit a repository's properties. Only fields that are set will be changed.", 'repository'),
      },
    )
    .delete('/repos/:owner/:repo', ({ viewer, repo }) => deleteRepo(context, { actor: requireUser(viewer).user, owner: repo.owner, repo: repo.row }), {
      repo: 'owner',
      params: RepoParams,
      response: noContent,
      detail: operation('repoDelete', 'Delete a repository', 'repository'),
    })
}
