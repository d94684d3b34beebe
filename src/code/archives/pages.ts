import { Elysia, t } from 'elysia'
import { gate, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { serveNamed } from './serve-archive.ts'

/** Archives where pages, and records of tags and releases, link them. */
export function archivePages(context: Context) {
  const term = { repo: 'code:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), detail: { hide: true } } as const
  return new Elysia({ name: 'archives.pages' })
    .use(gate(context, 'either'))
    .get('/:owner/:repo/archive/*', ({ repo, params, request, server }) => serveNamed(context, params['*'], { repo, request, server }), term)
}
