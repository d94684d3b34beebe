import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging } from '#access/index.ts'
import { Commit, oldPageHeaders, presentCommits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { getPull } from '#work/issues/index.ts'
import { getPullRow } from './find-pull.ts'
import { ChangedFile, PullParams } from './schema.ts'
import { listPullCommits, listPullFiles } from './serve-changes.ts'

const switchOf = (description: string) => t.Optional(t.String({ documentedAs: 'boolean', description }))
const CommitsQuery = t.Object({
  ...PageQuery.properties,
  verification: switchOf('include verification for every commit'),
  files: switchOf('include a list of affected files for every commit'),
})
export const FilesQuery = t.Object({
  ...PageQuery.properties,
  'skip-to': t.Optional(t.String({ description: 'skip to given file' })),
  whitespace: t.Optional(t.String({ description: 'whitespace handling: ignore-all, ignore-change, ignore-eol or show-all' })),
})

/** What a pull request changes, and whether it has been merged. */
export function changeRoutes(context: Context) {
  return new Elysia({ name: 'pulls.changes' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/pulls/:index/commits',
      async (asked) => {
        const { viewer, repo, query, page, total, set } = asked
        const found = await listPullCommits(context, getPullRow(context.db, getPull(context, asked)), page, query)
        total(found.total)
        Object.assign(set.headers, oldPageHeaders(page, found.total))
        return presentCommits(context, viewer, repo, found.commits, query)
      },
      {
        repo: 'pulls:read',
        list: true,
        params: PullParams,
        query: CommitsQuery,
        response: { 200: t.Array(Commit) },
        detail: operation('repoGetPullRequestCommits', 'Get commits for a pull request', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index/files',
      async (asked) => {
        const { repo, query, page, total } = asked
        const found = await listPullFiles(context, repo, getPullRow(context.db, getPull(context, asked)), page, query)
        total(found.total)
        return found.files
      },
      {
        repo: 'pulls:read',
        list: true,
        params: PullParams,
        query: FilesQuery,
        response: { 200: t.Array(ChangedFile) },
        detail: operation('repoGetPullRequestFiles', 'Get changed files for a pull request', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index/merge',
      (asked) => {
        if (getPull(context, asked).merged_at === null) throw new NotFound()
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        response: noContent,
        detail: operation('repoPullRequestIsMerged', 'Check if a pull request has been merged', 'repository'),
      },
    )
}
