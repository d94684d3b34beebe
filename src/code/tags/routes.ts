import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { findRef } from '#repositories/refs/index.ts'
import { createTag, deleteTag } from './change-tags.ts'
import { describeTags, listTags } from './list-tags.ts'
import { CreateTagOption, Tag, TagList } from './schema.ts'
import { presentTag, type TagRef } from './view.ts'

const TagParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'tag', description: 'name of the tag' }) })

export function tags(context: Context) {
  return new Elysia({ name: 'tags' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/tags',
      async ({ repo, page, total }) => {
        const found = await listTags(context, repo, page)
        total(found.total)
        return found.tags.map(({ ref, description }) => presentTag(context, repo, ref, description))
      },
      {
        repo: 'code:read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: TagList },
        detail: operation('repoListTags', "List a repository's tags", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/tags',
      async ({ viewer, repo, body }) => {
        const ref = await createTag(context, requireUser(viewer).user, repo, body)
        return presentOne(context, repo, ref)
      },
      {
        repo: 'code:write',
        params: RepoParams,
        body: CreateTagOption,
        response: { 201: Tag },
        detail: { ...operation('repoCreateTag', 'Create a new git tag in a repository', 'repository'), errors: [409] },
      },
    )
    .delete('/repos/:owner/:repo/tags/*', ({ viewer, repo, params }) => deleteTag(context, requireUser(viewer).user, repo, decodePath(params['*'])), {
      repo: 'code:write',
      params: TagParams,
      response: noContent,
      detail: { ...operation('repoDeleteTag', "Delete a repository's tag by name", 'repository'), errors: [409] },
    })
    .get(
      '/repos/:owner/:repo/tags/*',
      async ({ repo, params }) => {
        const ref = findRef(context.db, repo.row.id, TAGS + decodePath(params['*']))
        if (!ref) throw new NotFound()
        return presentOne(context, repo, ref)
      },
      {
        repo: 'code:read',
        params: TagParams,
        response: { 200: Tag },
        detail: operation('repoGetTag', 'Get the tag of a repository by tag name', 'repository'),
      },
    )
}

async function presentOne(context: Pick<Context, 'git' | 'rootUrl'>, repo: RepoAccess, ref: TagRef): Promise<Tag> {
  const [found] = await describeTags(context, repo, [ref])
  if (!found) throw new NotFound()
  return presentTag(context, repo, ref, found.description)
}
