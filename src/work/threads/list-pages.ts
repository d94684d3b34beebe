import { Elysia, t } from 'elysia'
import { gate, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { BulkForm } from './bulk.ts'
import { doBulk, showBulk } from './bulk-page.tsx'
import { showList } from './list.tsx'
import { ChoicesQuery, showChoices } from './list-choices.tsx'
import type { Kind } from './list-place.ts'
import { ListQuery } from './list-query.ts'

const ChoicesParams = t.Object({ ...RepoParams.properties, by: t.String({ maxLength: 20 }) })

/** Lists of issues and of pull requests, what they can be narrowed down by, and what is done to several at once. */
export function listPages(context: Context) {
  return new Elysia({ name: 'threads.lists' }).use(listOf(context, 'issues')).use(listOf(context, 'pulls'))
}

function listOf(context: Context, kind: Kind) {
  return new Elysia({ name: `threads.list of ${kind}` })
    .use(gate(context, 'page'))
    .get(`/:owner/:repo/${kind}`, ({ viewer, repo, request, query }) => showList(context, new Visit(context, viewer, request), repo, kind, query), {
      repo: `${kind}:read`,
      params: RepoParams,
      query: ListQuery,
      detail: { hide: true },
    })
    .get(
      `/:owner/:repo/${kind}/by/:by`,
      ({ viewer, repo, request, params, query }) => showChoices(context, new Visit(context, viewer, request), repo, kind, params.by, query),
      { repo: `${kind}:read`, params: ChoicesParams, query: ChoicesQuery, detail: { hide: true } },
    )
    .get(`/:owner/:repo/${kind}/bulk`, ({ viewer, repo, request }) => showBulk(context, new Visit(context, viewer, request), repo, kind, request), {
      repo: `${kind}:write`,
      params: RepoParams,
      detail: { hide: true },
    })
    .post(`/:owner/:repo/${kind}/bulk`, ({ viewer, repo, request, body }) => doBulk(context, new Visit(context, viewer, request), repo, kind, body), {
      repo: `${kind}:write`,
      params: RepoParams,
      body: BulkForm,
      detail: { hide: true },
    })
}
