import { Elysia, t } from 'elysia'
import { gate, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { showEverywhere } from './everywhere.tsx'

const Word = t.Optional(t.String({ maxLength: 30 }))
const Query = t.Object({ q: t.Optional(t.String({ maxLength: 1000 })), type: Word, state: Word, ...PageQuery.properties })

/** What is somebody's own, of the issues and of the pull requests of all repositories. */
export function everywherePages(context: Context) {
  const terms = { signedIn: [], query: Query, detail: { hide: true } } as const
  return new Elysia({ name: 'threads.everywhere' })
    .use(gate(context, 'page'))
    .get('/issues', ({ viewer, request, query }) => showEverywhere(context, new Visit(context, viewer, request), viewer, 'issues', query), { ...terms })
    .get('/pulls', ({ viewer, request, query }) => showEverywhere(context, new Visit(context, viewer, request), viewer, 'pulls', query), { ...terms })
}
