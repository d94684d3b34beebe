import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { TagDescription } from '#git/browse/describe-tag.ts'
import { TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { countRefs, findRef, listRefs } from '#repositories/refs/index.ts'
import { createTag, deleteTag } from './change-tags.ts'
import { CreateTagOption, Tag, TagList } from './schema.ts'
import { presentTag, type TagRef } from './view.ts'

/** Up to so many tags are listed newest first, which takes a look at each; more are listed by name. */
const MAX_DATED = 2000

const TagParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'tag', description: 'name of the tag' }) })

export function tags(context: Context) {
  return new Elysia({ name: 'tags' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/tags',
      async ({ repo, page, total }) => {
        const count = countRefs(context.db, repo.row.id, TAGS)
        total(count)
        const found = count > MAX_DATED ? await listByName(context, repo, page) : await listByDate(context, repo, page)
        return found.map(({ ref, description }) => presentTag(context, repo, ref, description))
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

interface Described {
  ref: TagRef
  description: TagDescription
}

async function presentOne(context: Context, repo: RepoAccess, ref: TagRef): Promise<Tag> {
  const [found] = await describe(context, repo, [ref])
  if (!found) throw new NotFound()
  return presentTag(context, repo, ref, found.description)
}

async function listByDate(context: Context, repo: RepoAccess, { offset, limit }: Page): Promise<Described[]> {
  const all = await describe(context, repo, listRefs(context.db, repo.row.id, { prefix: TAGS }))
  const dateOf = ({ description }: Described) => description.who?.seconds ?? 0
  return all.sort((a, b) => dateOf(b) - dateOf(a)).slice(offset, offset + limit)
}

async function listByName(context: Context, repo: RepoAccess, { offset, limit }: Page): Promise<Described[]> {
  return describe(context, repo, listRefs(context.db, repo.row.id, { prefix: TAGS, offset, limit }))
}

async function describe(context: Context, repo: RepoAccess, refs: readonly TagRef[]): Promise<Described[]> {
  if (refs.length === 0) return []
  const descriptions = await context.git.run('describeTags', repo.row.id, { oids: refs.map((ref) => ref.oid) })
  return refs.map((ref, i) => ({ ref, description: descriptions[i] as TagDescription }))
}
